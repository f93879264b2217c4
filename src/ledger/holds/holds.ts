import type { SubscriptionId } from '../../domain/ids';
import { isTerminal } from '../../domain/subscription/state';
import { type Instant, toIso } from '../../domain/time';
import { type Act, insertEvent, insertEventsOfMany } from '../audit/entries';
import type { ChangedRow } from '../deciding/steering';
import { waitForSenders } from '../halt/halt';
import { MOST_SELECTED } from '../jobs/proposals';
import { endItem } from '../rows/attention-item';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';
import { inTransaction, type Pool } from '../sql/database';
import { type Db, instantToColumn, jsonToColumn, readRecords } from '../sql/statements';
import { selectSubscriptions } from '../subscriptions/subscriptions';
import { followLosses } from './losses';
import { holdItemKey, type HoldRecord, readHold, requireHold } from './records';

export interface NewHold extends Act, Pick<HoldRecord, 'holdId' | 'filter' | 'until' | 'reason'> {
  /** As in a list: the filter does not match e-mail addresses that the caller may not see. */
  readonly hidesEmail?: boolean;
}

export type CreateHoldResult =
  | {
      readonly kind: 'created';
      /** That of an earlier call if the id was used before. */
      readonly hold: HoldRecord;
      /** False if a send that started before the hold has not ended yet. No later one starts; repeating waits again. */
      readonly isSettled: boolean;
    }
  /** The filter selects more than {@link MOST_SELECTED}: nothing was written. */
  | { readonly kind: 'too_many' };

/**
 * Holds what the filter selects now, of subscriptions that have not ended. It is committed before it waits for the sends that
 * started before: once it is settled, no row "sending" of a held subscription is committed until the hold ends (rule 16).
 * @param timeoutMs real ms to wait for sends that started before
 */
export async function createHold(pool: Pool, order: NewHold, timeoutMs?: number): Promise<CreateHoldResult> {
  const hold = await inTransaction(pool, (db) => writeHold(db, order));
  if (hold === null) return { kind: 'too_many' };
  return { kind: 'created', hold, isSettled: await waitForSenders(pool, timeoutMs) };
}

/** Null if the filter selects too many. */
async function writeHold(db: Db, { hidesEmail, ...order }: NewHold): Promise<HoldRecord | null> {
  const known = await readHold(db, order.holdId);
  if (known !== null) return known;
  const selected = await selectSubscriptions(db, { ...order.filter, hidesEmail }, MOST_SELECTED);
  if (selected.length > MOST_SELECTED) return null;
  const held = selected.filter(({ status }) => !isTerminal(status)).map(({ subscriptionId }) => subscriptionId);
  await insertHold(db, order, held);
  return followLosses(db, await requireHold(db, order.holdId), order.at);
}

async function insertHold(
  db: Db,
  { holdId, filter, until, reason, ...by }: Omit<NewHold, 'hidesEmail'>,
  held: readonly SubscriptionId[],
): Promise<void> {
  const [createdAt, end] = [instantToColumn(by.at), instantToColumn(until)];
  await db.query(
    `insert into holds (hold_id, filter, until, reason, matched, created_at, held_by, losses_read_at)
     values ($1, $2, $3, $4, $5, $6, $7, $6)`,
    [holdId, jsonToColumn(filter), end, reason, held.length, createdAt, by.actor],
  );
  await db.query('insert into held_subscriptions (hold_id, subscription_id) select $1, unnest($2::text[])', [
    holdId,
    held,
  ]);
  // The reason may name a payer, and is not repeated with the subscriptions of others.
  const data = { holdId, until: toIso(until) };
  const ofHold = { ...data, matched: held.length, reason };
  await insertEvent(db, { ...by, subscriptionId: null, type: 'hold.created', data: ofHold });
  const entries = held.map((subscriptionId) => ({ subscriptionId, type: 'subscription.held' as const, data }));
  await insertEventsOfMany(db, by, entries);
}

export interface LiftHold extends Act {
  readonly holdId: string;
  readonly reason: string | null;
}

export interface LiftedHold {
  readonly hold: HoldRecord;
  /** Subscriptions whose workflow waits for the end of the hold, and must be notified. */
  readonly waiting: readonly ChangedRow[];
}

/**
 * Ends a hold: attempts whose time has come are made at once. One that has ended already remains unchanged.
 * @returns null if there is none with this id
 */
export function liftHold(pool: Pool, { holdId, reason, ...by }: LiftHold): Promise<LiftedHold | null> {
  return inTransaction(pool, async (db) => {
    const isLifted = await endHold(db, holdId, by);
    const hold = await readHold(db, holdId);
    if (hold === null || !isLifted) return hold === null ? null : { hold, waiting: [] };
    await insertEvent(db, { ...by, subscriptionId: null, type: 'hold.lifted', data: { holdId, reason } });
    const held = await readRecords<{ readonly subscriptionId: SubscriptionId }>(
      db,
      `select subscription_id from held_subscriptions join subscriptions using (subscription_id)
       where hold_id = $1 and status ${IS_LIVE_SUBSCRIPTION} order by subscription_id`,
      [holdId],
    );
    const data = { holdId };
    const entries = held.map((each) => ({ ...each, type: 'subscription.hold_lifted' as const, data }));
    await insertEventsOfMany(db, by, entries);
    await endItem(db, holdItemKey(holdId));
    return { hold, waiting: await raiseWaiting(db, holdId, by.at) };
  });
}

/** False if it is not in force. */
async function endHold(db: Db, holdId: string, { actor, at }: Act): Promise<boolean> {
  const { rowCount } = await db.query(
    `update holds set ended_at = greatest($2, created_at), lifted_by = $3
     where hold_id = $1 and ended_at is null and until > $2`,
    [holdId, instantToColumn(at), actor],
  );
  return rowCount === 1;
}

/**
 * Raises the revision of the subscriptions whose time has come while the hold stopped them: only their workflows wait for its
 * end. They are locked in the order of their ids.
 */
function raiseWaiting(db: Db, holdId: string, at: Instant): Promise<readonly ChangedRow[]> {
  return readRecords<ChangedRow>(
    db,
    `with waiting as (
       select s.subscription_id from held_subscriptions m join subscriptions s using (subscription_id)
       where m.hold_id = $1 and s.status = 'active' and (
         s.next_due_at <= $2 or exists (
           select from cycles c where c.subscription_id = s.subscription_id and c.status in ('collecting', 'dunning')
         )
       )
       order by s.subscription_id for update of s
     )
     update subscriptions s set revision = s.revision + 1 from waiting
     where s.subscription_id = waiting.subscription_id
     returning s.subscription_id, s.revision`,
    [holdId, instantToColumn(at)],
  );
}
