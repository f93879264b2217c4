import type { SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { dueAt } from '../../src/domain/subscription/schedule';
import type { Terms } from '../../src/domain/subscription/state';
import { DAY, HOUR, type Instant } from '../../src/domain/time';
import type { SimulatedStack } from '../../src/simulation/simulated-stack';
import { type SimulatedSubscription, subscribe } from '../../src/simulation/simulated-subscription';

export const FIRST = Date.parse('2027-01-31T09:00:00.123Z');
const WEEK = 7 * DAY;
/** Three cycles have been collected, the fourth is due in six days. */
const MOVED_AT = FIRST + 2 * WEEK + DAY;

/** A request, and its instant. */
type Asked = readonly [at: Instant, (subscription: SimulatedSubscription, stack: SimulatedStack) => unknown];

const wallet = (name: string): Asked => [
  FIRST - HOUR,
  ({ paymentId }, { sandbox }) => sandbox.setWallet(paymentId, name),
];
const fault = (kind: 'lost_answer' | 'swallowed'): Asked => [
  FIRST - HOUR,
  ({ paymentId }, { sandbox }) =>
    sandbox.faults.add({ kind, match: { method: 'POST', path: `^/${paymentId}/authorizations$` } }),
];

/** The stories of the demo, and more. */
export const LIVES: Readonly<Record<string, readonly Asked[]>> = {
  plain: [],
  retried: [wallet('insufficient-funds-once')],
  'past-due': [wallet('insufficient-funds-4')],
  'lost-answer': [fault('lost_answer')],
  swallowed: [fault('swallowed')],
  paused: [[FIRST + DAY, ({ pause }) => pause(null)]],
  resumed: [[FIRST + DAY, ({ pause }) => pause(FIRST + 2 * WEEK)]],
  'paused-until': [[FIRST + 8 * DAY, ({ pause }) => pause(FIRST + 5 * WEEK)]],
  skipped: [[FIRST + DAY, ({ skip }) => skip(4)]],
  'next-skipped': [[FIRST + 15 * DAY, ({ skip }) => skip(3)]],
  postponed: [[FIRST + DAY, ({ postpone, terms }) => postpone(3, dueAt(terms, 3) + 2 * DAY)]],
  reduced: [[FIRST + DAY, ({ changeAmount }) => changeAmount(2, euros(999))]],
  changing: [
    [FIRST + DAY, ({ changeAmount }) => changeAmount(1, euros(999))],
    [FIRST + 15 * DAY, ({ changeAmount }) => changeAmount(6, euros(1500))],
  ],
};

const termsOf = (name: string): Terms => ({
  subscriptionId: name as SubscriptionId,
  repetition: 'WEEKLY',
  startAt: FIRST - DAY,
  firstPaymentAt: FIRST,
  endAt: FIRST + 26 * WEEK,
  consentAmount: euros(1999),
  onExhausted: 'continue',
});

/** Plays all lives until they are moved, and two that are cancelled, by the payer and by the merchant. */
export async function simulateLives(stack: SimulatedStack): Promise<void> {
  const { conductor, sandbox } = stack;
  const passUntil = (at: Instant) => conductor.passUntil(at);
  const due: { at: Instant; run: () => unknown }[] = [];
  const ended: Readonly<Record<string, readonly Asked[]>> = {
    'payer-cancelled': [[FIRST + DAY, ({ paymentId }) => sandbox.payer(paymentId).cancel()]],
    'merchant-cancelled': [[FIRST + DAY, ({ cancel }) => cancel()]],
  };
  for (const [name, asked] of Object.entries({ ...LIVES, ...ended })) {
    const subscription = await subscribe(stack, termsOf(name), passUntil);
    sandbox.payer(subscription.paymentId).approve();
    due.push(...asked.map(([at, act]) => ({ at, run: () => act(subscription, stack) })));
  }
  for (const { at, run } of due.toSorted((one, other) => one.at - other.at)) {
    await passUntil(at);
    await run();
  }
  await passUntil(MOVED_AT);
}
