import { isStop } from '../../activities';
import type { Step } from '../../src/contract/steps';
import type { SubscriptionId } from '../../src/domain/ids';
import { deliverDueNotices } from '../../src/jobs/deliver-notices';
import { getCycle, type Pool } from '../../src/ledger';
import { traceActivities } from '../../src/platform/tracing/temporal';
import { type Subscribed, World } from '../activities/activity-world';
import { startWebhookReceiver } from '../notices/webhook-receiver';

/** The subscription whose first cycle is collected. */
export const SUBSCRIPTION = 'gym-membership' as SubscriptionId;
const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;

/**
 * A cycle that the bank refuses at first: its payer is notified, and the retry a day later collects. Everything is real except the
 * payment service, which is the simulator, and Temporal, instead of which the clock is advanced manually.
 *
 * @param meanwhile runs while everything is up; what it does may be traced
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
    if (debits !== 1) throw new Error(`the cycle should have been collected once; there are ${debits} debits`);
  } finally {
    await world.close();
    await messenger.close();
  }
}

async function collectWithRetry(world: World, subscribed: Subscribed): Promise<void> {
  await collect(world, subscribed, 0);
  const stored = await getCycle(world.deps.ledger, subscribed.subscriptionId, 0);
  if (stored?.nextAttemptAt == null) throw new Error('the first attempt should have been refused');
  await deliverDueNotices(world.outbox());
  world.clock.passUntil(stored.nextAttemptAt);
  await collect(world, subscribed, 1);
}

function collect(world: World, subscribed: Subscribed, attempt: number): Promise<Step> {
  const input = { ...world.reference(subscribed), cycle: 0, attempt };
  return run(world, 'collectPayment', input, () => world.activities().collectPayment(input));
}

/** Runs an activity as a worker does, until it answers. */
async function run<T>(world: World, activityType: string, input: unknown, work: () => Promise<T>): Promise<T> {
  const as = { activityType, input, interceptors: [traceActivities(isStop)] };
  return (await world.driver.drive(work, { as })).result;
}
