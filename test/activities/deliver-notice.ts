import type { NoticeId, SubscriptionId } from '../../src/domain/ids';
import { recordDelivery } from '../../src/ledger';
import type { Subscribed, World } from './activity-world';

/** Delivers the notice about a failed attempt, and passes time until the retry that it permits is due (rules 13, 14). */
export async function reachRetry(world: World, subscribed: Subscribed, attempt = 0, cycle = 0): Promise<void> {
  await deliverNotice(world, subscribed, attempt, cycle);
  const { kind, until } = await world.decide(subscribed);
  if (kind === 'wait' && until != null) world.clock.passUntil(until);
}

/** Records that the notice about a failed attempt was delivered. */
export async function deliverNotice(
  { deps }: World,
  { subscriptionId }: Subscribed,
  attempt = 0,
  cycle = 0,
): Promise<void> {
  const { ledger, clock } = deps;
  const { rows } = await ledger.query<{ id: NoticeId }>(
    `select notice_id as id from notices
     where (subscription_id, cycle, attempt) = ($1, $2, $3) and type = 'payment.failed' and state = 'pending'`,
    [subscriptionId, cycle, attempt],
  );
  const [notice] = rows;
  if (notice === undefined) throw new Error(`no notice about attempt ${attempt} of cycle ${cycle} waits for delivery`);
  const at = clock.now();
  const evidence = { status: 200 };
  const result = { kind: 'delivered', at, realAt: clock.realNow(), channel: 'webhook', evidence } as const;
  await recordDelivery(ledger, notice.id, result);
}

/** The notices that a change has ordered, in any order. */
export async function orderedNotices(
  { deps }: World,
  subscriptionId: SubscriptionId,
  changeKey: string,
): Promise<readonly NoticeId[]> {
  const { rows } = await deps.ledger.query<{ id: NoticeId }>(
    'select notice_id as id from notices where subscription_id = $1 and change_key = $2',
    [subscriptionId, changeKey],
  );
  return rows.map(({ id }) => id);
}
