/**
 * `npm run monday [-- --due 400]`: a Monday morning to work on in the console, on real processes: `--due` subscriptions fell due
 * at nine, and three of four were not collected. Most wait for a retry, others were refused for good, failed at the bank, cannot
 * be found in the service's lists, contradict what was reported, or have payers who cannot be notified. With `--halt` all sending
 * is halted. An hour of business time is a minute. It says where the console is, and with which key, and ends with Ctrl-C.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { answerAsPayer } from '../../src/cli/demo/samples';
import { type Access, ask } from '../../src/cli/api/call';
import type { ContradictionOrder, Sandbox } from '../../src/sandbox';
import { HOUR, realDelay, toIso } from '../../src/domain/time';
import { apiOf, openProcessStack, type ProcessStack } from '../processes/local-stack';
import { runCampaign, say } from '../support/campaign';
import { interruption, unlessAborted } from '../support/interruption';
import { waitUntil } from '../support/wait-until';
import { personAt } from './people';

const SPEED = 60;
/** A Monday. */
const DUE = Date.parse('2030-12-02T09:00:00.000Z');
/** Real ms in which a subscription is created on a busy machine. */
const CREATION = 1_000;
/** Real ms after the last try in which payers are notified, and lists of the service are read again. */
const FOLLOWED = 60_000;
/** Creations under way at once. */
const TOGETHER = 8;
const MIN_DUE = 40;

interface Order {
  readonly due: number;
  readonly halt: boolean;
}

function readOrder(): Order {
  const { values } = parseArgs({
    options: { due: { type: 'string', default: '400' }, halt: { type: 'boolean', default: false } },
  });
  const due = Number(values.due);
  if (!Number.isInteger(due) || due < MIN_DUE)
    throw new RangeError(`--due: expected a whole number from ${MIN_DUE} on; got ${values.due}`);
  return { due, halt: values.halt };
}

type FaultOrder = Parameters<Sandbox['faults']['add']>[0];

/** What happens to each payer, by the number modulo 40. */
interface Fate {
  readonly wallet: string;
  /** What the service does to the debit, or says of it. */
  readonly fault?: FaultOrder;
  readonly contradiction?: ContradictionOrder;
  readonly isUnreachable?: boolean;
}

const PAYS: Fate = { wallet: 'approves' };
const FATES: readonly Fate[] = [
  ...Array.from({ length: 10 }, () => PAYS),
  ...Array.from({ length: 20 }, () => ({ wallet: 'insufficient-funds-always' })),
  ...Array.from({ length: 6 }, () => ({ wallet: 'final-rejection' })),
  { wallet: 'insufficient-funds-always', isUnreachable: true },
  { wallet: 'capture-fails' },
  { wallet: 'slow-3600', fault: { kind: 'late_listing', delayMs: HOUR } },
  { wallet: 'approves', contradiction: { kind: 'refused_then_successful', delayMs: 20_000 } },
];

function fateOf(number: number): Fate {
  // Another order, so that a list does not show them kind by kind: 7 and 40 have no common divisor.
  return FATES[(number * 7) % FATES.length] ?? PAYS;
}

async function main(): Promise<number> {
  const order = readOrder();
  const signal = interruption();
  const stack = await openProcessStack({
    startAt: DUE - order.due * CREATION * SPEED,
    speed: SPEED,
    env: { PAYMENT_SERVICE_SETTLE_SECONDS: '5', NOTICE_BACKOFF_SECONDS: '1' },
  });
  try {
    await unlessAborted(signal, () => prepare(stack, order));
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    return 0;
  } finally {
    await stack.close();
  }
}

async function prepare(stack: ProcessStack, { due, halt }: Order): Promise<void> {
  await stack.program('daemon').start();
  const admin = apiOf(stack);
  say(`${due} subscriptions are created, due at ${toIso(DUE)}`);
  let next = 0;
  const lane = async () => {
    while (next < due) {
      const number = next;
      next += 1;
      await create(stack, admin, number);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, lane));
  if (stack.clock.now() >= DUE) throw new Error(`creating ${due} subscriptions took until after their due date`);
  say('all are created; they fall due in a while');
  await pause(realDelay(stack.clock.setting, stack.clock.realNow(), DUE));
  await waitUntil('every debit has been tried', async () => (await countTried(stack)) === due, 300_000);
  await pause(FOLLOWED);
  if (halt) await ask(admin, 'haltSending', { body: { reason: 'the price list is wrong' } });
  const { inRetry, pastDue, needsAttention } = await today(admin);
  say(`monday: ${inRetry.count} in retry, ${pastDue.count} past due, ${needsAttention.count} need attention`);
  say(`console: ${admin.url}, key: ${admin.key}; Ctrl-C ends it`);
}

interface Counted {
  readonly count: number;
}

function today(admin: Access) {
  return ask<Readonly<Record<'inRetry' | 'pastDue' | 'needsAttention', Counted>>>(admin, 'reportToday', {});
}

async function countTried({ databaseUrl }: ProcessStack): Promise<number> {
  const ledger = new Client({ connectionString: databaseUrl });
  await ledger.connect();
  try {
    const tried = `select count(distinct subscription_id)::integer as count from attempts where state <> 'sending'`;
    const { rows } = await ledger.query<{ readonly count: number }>(tried);
    return rows[0]?.count ?? 0;
  } finally {
    await ledger.end();
  }
}

async function create(stack: ProcessStack, admin: Access, number: number): Promise<void> {
  const { name, email, cents, country } = personAt(number);
  const { wallet, fault, contradiction, isUnreachable = false } = fateOf(number);
  const subscriptionId = `order-${String(1000 + number)}`;
  const body = {
    subscriptionId,
    amount: { value: cents, currency: 'EUR' },
    repetition: number % 5 === 0 ? 'WEEKLY' : 'MONTHLY',
    startAt: toIso(DUE),
    firstPaymentAt: toIso(DUE),
    returnURL: 'https://shop.example/return',
    billingAddress: { name, street: `Main Street ${number}`, postalCode: '10115', city: 'Springfield', country },
    payer: { reference: `customer-${number}`, ...(isUnreachable ? {} : { email }) },
  };
  const { paymentId } = await ask<{ readonly paymentId: string }>(admin, 'createSubscription', { body });
  const match = { method: 'POST', path: `^/${paymentId}/authorizations$` } as const;
  if (fault !== undefined) stack.sandbox.faults.add({ ...fault, match });
  if (contradiction !== undefined) stack.sandbox.faults.contradict({ ...contradiction, match: { paymentId } });
  if (isUnreachable) stack.receiver.outOfOrder(subscriptionId, Infinity);
  await answerAsPayer(stack.sandboxUrl, paymentId, { action: 'approve', wallet });
  await ask(admin, 'checkConsent', { path: { id: subscriptionId } });
}

runCampaign(main);
