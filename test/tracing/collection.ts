import { isStop } from '../../activities';
import type { NotifyInput } from '../../src/contract/activities';
import type { SubscriptionId } from '../../src/domain/ids';
import type { CollectResult } from '../../src/domain/subscription/state';
import { DAY } from '../../src/domain/time';
import type { Pool } from '../../src/ledger';
import { traceActivities } from '../../src/tracing/temporal';
import { AMOUNT, type Subscribed, World } from '../activities/activity-world';
import { startWebhookReceiver } from '../notices/webhook-receiver';

/** Whose first cycle is collected. */
export const SUBSCRIPTION = 'gym-membership' as SubscriptionId;
const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;

/**
 * A cycle that the bank refuses at first: its payer is notified, and the retry a day later collects. Everything is real but
 * the payment service, which is the simulator, and Temporal, in whose place the clock is set on by hand.
 * @param meanwhile runs while all is up: what is played within it may be traced
 */
export async function playCollection(
  ledger: Pool,
  meanwhile: (play: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const messenger = await startWebhookReceiver();
  const world = await World.open(ledger, { notifier: { payerWebhook: { url: messenger.url, secret: SECRET } } });
  try {
    const subscribed = await world.due('insufficient-funds-once', { subscriptionId: SUBSCRIPTION });
    await meanwhile(() => collectWithRetry(world, subscribed));
    const debits = world.debits(subscribed).length;
    if (debits !== 1) throw new Error(`the cycle was to be collected once; there are ${debits} debits`);
  } finally {
    await world.close();
    await messenger.close();
  }
}

async function collectWithRetry(world: World, subscribed: Subscribed): Promise<void> {
  const refused = await collect(world, subscribed, 0);
  if (refused.kind !== 'rejected') throw new Error(`the first attempt was to be refused; it is ${refused.kind}`);
  const input = notifyInput(subscribed, refused);
  await run(world, 'notifyPayer', input, () => world.activities().notifyPayer(input));
  world.clock.passUntil(input.retryAt);
  const collected = await collect(world, subscribed, 1);
  if (collected.kind !== 'collected') throw new Error(`the retry was to collect; it is ${collected.kind}`);
}

function collect(world: World, subscribed: Subscribed, attempt: number): Promise<CollectResult> {
  const input = world.input(subscribed, { attempt });
  return run(world, 'collectPayment', input, () => world.activities().collectPayment(input));
}

/** As a worker runs it, until it answers. */
async function run<T>(world: World, activityType: string, input: unknown, work: () => Promise<T>): Promise<T> {
  const as = { activityType, input, interceptors: [traceActivities(isStop)] };
  return (await world.driver.drive(work, { as })).result;
}

function notifyInput(
  { subscriptionId, paymentId, dueAt, collectBy }: Subscribed,
  { at, detail, description, retryable }: Extract<CollectResult, { kind: 'rejected' }>,
): NotifyInput {
  return {
    ...{ subscriptionId, paymentId, dueAt, collectBy },
    cycle: 0,
    amount: AMOUNT,
    nextDueAt: dueAt + 28 * DAY,
    rejection: { attempt: 0, at, detail, description, retryable },
    retryAt: dueAt + DAY,
    retriesLeft: 3,
    retryUntil: dueAt + 3 * DAY,
  };
}
