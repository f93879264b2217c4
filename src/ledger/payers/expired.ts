import type { Pool } from 'pg';
import { DAY, type Instant } from '../../domain/time';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readRecord, readRecords } from '../sql/statements';
import { IS_LIVE_PAYMENT } from '../rows/payment';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';
import { DUEDAY } from '../audit/entries';
import { endUnrecordableItems } from '../attention/unrecordable';
import { type Erased, eraseLocked, ERASING_EXPIRED, lockPayers, lockPayersOf } from './erase';
import { readUnfinished } from './unfinished';
import { termsOf } from './words';

/** Payers that have nothing in force, in one page of all stored payers. */
export interface ExpiredPage {
  readonly payerIds: readonly string[];
  /** The position after which to continue; null at the end. */
  readonly after: string | null;
}

/** Sorts before every payer. */
const NONE = '00000000-0000-0000-0000-000000000000';

/**
 * SQL condition: something of a payer is in force, or has changed after $2 (business time). Each change has an entry in the audit
 * log. A draft counts as in force until it is removed.
 * @param payerIds what follows `payer_id`: a comparison with one id or several
 */
const WAS_RECENTLY_IN_FORCE = (payerIds: string) => `(
  exists (
    select from subscriptions s where s.payer_id ${payerIds} and (
      s.status = 'draft' or s.status ${IS_LIVE_SUBSCRIPTION} or s.created_at > $2
      or (select at from events where subscription_id = s.subscription_id order by id desc limit 1) > $2
    )
  ) or exists (
    select from payments p where p.payer_id ${payerIds} and (
      p.status = 'draft' or p.status ${IS_LIVE_PAYMENT} or p.created_at > $2
      or (select at from events where payment_id = p.payment_id order by id desc limit 1) > $2
    )
  )
)`;

/**
 * Checks the next `limit` payers that were not erased, in the order of their ids.
 * @param after the position of the previous page; null at the start
 * @param endedBy business time, inclusive
 */
export async function findExpiredPayers(
  db: Db,
  after: string | null,
  endedBy: Instant,
  limit: number,
): Promise<ExpiredPage> {
  const payers = await readRecords<{ readonly payerId: string; readonly wasInForce: boolean }>(
    db,
    `select payer_id, ${WAS_RECENTLY_IN_FORCE('= y.payer_id')} as was_in_force
     from (select payer_id from payers where erased_at is null and payer_id > $1 order by payer_id limit $3) y
     order by payer_id`,
    [after ?? NONE, instantToColumn(endedBy), limit],
  );
  return {
    payerIds: payers.filter(({ wasInForce }) => !wasInForce).map(({ payerId }) => payerId),
    after: payers.length < limit ? null : (payers.at(-1)?.payerId ?? null),
  };
}

/** The retention time of ended records, and the current time. */
export interface Retention {
  /** For how many days of business time nothing of the payer must have been in force or have changed. */
  readonly days: number;
  /** Business time. */
  readonly now: Instant;
  readonly realNow: number;
}

/**
 * Erases a payer, with everything under the same reference, as an operator would, if nothing of it was in force or
 * has changed for that many days.
 * @returns null if something of it was in force, has changed or is unfinished; nothing was erased then
 */
export async function eraseExpiredPayer(pool: Pool, payerId: string, retention: Retention): Promise<Erased | null> {
  return inTransaction(pool, async (db): Promise<Erased | null> => {
    const payerIds = await lockExpired(db, payerId, retention);
    if (payerIds === null) {
      await endUnrecordableItems(db, ERASING_EXPIRED, [payerId]);
      return null;
    }
    const { days, now, realNow } = retention;
    const act = { actor: DUEDAY, at: now, realAt: realNow };
    return eraseLocked(db, payerIds, await termsOf(db, payerIds), act, { retentionDays: days });
  });
}

/** Locks all payers under the payer's reference. Null unless nothing of theirs was in force or has changed for that many days. */
async function lockExpired(
  db: Db,
  payerId: string,
  { days, now, realNow }: Retention,
): Promise<readonly string[] | null> {
  const payer = await readRecord<{ readonly reference: string | null }>(
    db,
    'select reference from payers where payer_id = $1 and erased_at is null',
    [payerId],
  );
  if (payer === null) return null;
  const { reference } = payer;
  const payerIds = await (reference === null ? lockPayers(db, [payerId], null) : lockPayersOf(db, reference));
  if (!payerIds.includes(payerId) || (await wereRecentlyInForce(db, payerIds, now - days * DAY))) return null;
  return (await readUnfinished(db, payerIds, realNow)).length > 0 ? null : payerIds;
}

async function wereRecentlyInForce(db: Db, payerIds: readonly string[], endedBy: Instant): Promise<boolean> {
  const row = await readRecord<{ readonly wasInForce: boolean }>(
    db,
    `select ${WAS_RECENTLY_IN_FORCE('= any ($1)')} as was_in_force`,
    [payerIds, instantToColumn(endedBy)],
  );
  return row?.wasInForce === true;
}
