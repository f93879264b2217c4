import type { SubscriptionId } from '../../domain/ids';
import { isTerminal } from '../../domain/subscription/state';
import { toIso } from '../../domain/time';
import { type Act, insertEvent, insertEventsOfMany } from '../audit/entries';
import { waitForSenders } from '../halt/halt';
import { MAX_SELECTED } from '../jobs/proposals';
import { endItem } from '../rows/attention-item';
import { inTransaction, type Pool } from '../sql/database';
import { type Db, instantToColumn, jsonToColumn } from '../sql/statements';
import { selectSubscriptions } from '../subscriptions/subscriptions';
import { followLosses } from './losses';
import { holdItemKey, type HoldRecord, inParts, readHold, requireHold } from './records';

export interface NewHold extends Act, Pick<HoldRecord, 'holdId' | 'filter' | 'until' | 'reason'> {
  /** Whether the filter ignores e-mail addresses because the caller may not see them, as in a list. */
  readonly hidesEmail?: boolean;
}

export type CreateHoldResult =
  | {
      readonly kind: 'created';
      /** The hold of an earlier call if the id was used before. */
      readonly hold: HoldRecord;
      /** False if a send that started before the hold has not ended yet. No later send starts; a repeated call waits again. */
      readonly isSettled: boolean;
    }
  /** The filter selects more than {@link MAX_SELECTED}: nothing was written. */
  | { readonly kind: 'too_many' };

/**
 * Holds the subscriptions that the filter selects now and that have not ended. The hold is committed before the call
 * waits for the sends that started earlier: once they have ended, no row "sending" of a held subscription is committed
 * until the hold ends (rule 16).
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
  const selected = await selectSubscriptions(db, { ...order.filter, hidesEmail }, MAX_SELECTED);
  if (selected.length > MAX_SELECTED) return null;
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
  // The reason may name a payer, and is not repeated with the subscriptions of others.
  const data = { holdId, until: toIso(until) };
  const ofHold = { ...data, matched: held.length, reason };
  await insertEvent(db, { ...by, subscriptionId: null, type: 'hold.created', data: ofHold });
  for (const ids of inParts(held)) {
    await db.query('insert into held_subscriptions (hold_id, subscription_id) select $1, unnest($2::text[])', [
      holdId,
      ids,
    ]);
    const entries = ids.map((subscriptionId) => ({ subscriptionId, type: 'subscription.held' as const, data }));
    await insertEventsOfMany(db, by, entries);
  }
}

export interface LiftHold extends Act {
  readonly holdId: string;
  readonly reason: string | null;
}

/**
 * Ends a hold: attempts whose time has come may be made at once. A hold that has ended already remains unchanged. The workflows
 * that wait for its end are found afterwards, by {@link releaseHold}.
 * @returns null if there is none with this id
 */
export function liftHold(pool: Pool, { holdId, reason, ...by }: LiftHold): Promise<HoldRecord | null> {
  return inTransaction(pool, async (db) => {
    if (await endHold(db, holdId, by)) {
      await insertEvent(db, { ...by, subscriptionId: null, type: 'hold.lifted', data: { holdId, reason } });
      await endItem(db, holdItemKey(holdId));
    }
    return readHold(db, holdId);
  });
}

/** Ends the hold now. False if it is not in force. */
async function endHold(db: Db, holdId: string, { actor, keyId = null, at }: Act): Promise<boolean> {
  const { rowCount } = await db.query(
    `update holds set ended_at = greatest($2, created_at), lifted_by = $3, lifted_key_id = $4
     where hold_id = $1 and ended_at is null and until > $2`,
    [holdId, instantToColumn(at), actor, keyId],
  );
  return rowCount === 1;
}
