import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import { hasUnresolved } from '../../domain/subscription/attention-items';
import { isTerminal, type SubscriptionState } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import { followStanding } from '../rows/attention-item';
import { COLLECTING, endUnrecordableItem } from '../attention/unrecordable';
import { recountCollected } from './collected';
import { inTransaction } from '../sql/database';
import {
  instantToColumn,
  jsonToColumn,
  textToColumn,
  type Db,
  readRecord,
  readValue,
  updateColumns,
} from '../sql/statements';
import { insertEvents } from '../audit/entries';
import { insertNotice } from '../rows/notice';
import type { CycleRecordPatch, Decision, LedgerChange, SubscriptionPatch } from '../rows/change';
import { endConsentItems } from '../subscriptions/consent-checks';
import { patchBetween, project } from './projection';

/**
 * Writes a change that does not depend on the state. Entries already written under the same key are left unchanged.
 * @returns the revision of the row after the change
 * @throws if the subscription is not in the ledger.
 */
export async function applyChange(pool: Pool, change: LedgerChange): Promise<number> {
  return inTransaction(pool, async (db) => {
    const known = await lockSubscription(db, change.subscriptionId);
    return (await writeChange(db, change)) ?? known;
  });
}

/** A change from one state to another, for a caller that holds the lock of the row and has built the state under it. */
export interface Transition extends Actor {
  readonly key: string;
  readonly at: Instant;
  readonly before: SubscriptionState;
  readonly after: SubscriptionState;
  readonly decision: Decision;
  readonly raisesRevision?: boolean;
}

/** @returns the revision of the row after the change */
export async function writeTransition(db: Db, { before, after, decision, ...transition }: Transition): Promise<number> {
  const { stoppedBy, ...rest } = decision;
  const patch = patchBetween(project(before), project(after));
  const subscription = { ...patch, ...(stoppedBy === undefined ? {} : { stoppedBy }) };
  const { subscriptionId } = before.terms;
  if (hasUnresolved(before) && !hasUnresolved(after))
    await endUnrecordableItem(db, { activity: COLLECTING, id: subscriptionId });
  return (await writeChange(db, { subscriptionId, ...transition, subscription, ...rest })) ?? before.revision;
}

/**
 * Whether a transition has nothing to write to the ledger.
 * @param written the columns of the subscription's row that the caller writes itself
 */
export function isWithoutWrite(
  {
    before,
    after,
    decision: { events, cycle, notices = [], stoppedBy },
    raisesRevision = false,
  }: Pick<Transition, 'before' | 'after' | 'decision' | 'raisesRevision'>,
  written: Pick<SubscriptionPatch, 'dunning' | 'pastDue'> = {},
): boolean {
  if (raisesRevision || cycle !== undefined || stoppedBy !== undefined || events.length > 0 || notices.length > 0)
    return false;
  const isWritten = new Map<string, unknown>(Object.entries(written));
  const patch = Object.entries(patchBetween(project(before), project(after)));
  return patch.every(([field, value]) => isWritten.has(field) && isWritten.get(field) === value);
}

/**
 * Writes a change. The caller holds the lock of the row.
 * @returns the new revision of the row; null if the change does not raise it
 */
async function writeChange(db: Db, change: LedgerChange): Promise<number | null> {
  if (change.subscription !== undefined) {
    const columns = subscriptionColumns(change.subscription);
    await updateColumns(db, { table: 'subscriptions', id: 'subscription_id' }, change.subscriptionId, columns);
  }
  const attention = change.subscription?.attention;
  if (attention !== undefined) await followStanding(db, change.subscriptionId, attention, change.at);
  if (change.cycle !== undefined) await putCycle(db, change.subscriptionId, change.cycle, change.at);
  const status = change.subscription?.status;
  if (status !== undefined && isTerminal(status)) await endConsentItems(db, change.subscriptionId);
  const { subscriptionId, at, key: changeKey, events: entries } = change;
  await insertEvents(db, { ...actorOf(change), subscriptionId, at, changeKey, entries });
  for (const notice of change.notices ?? []) await insertNotice(db, subscriptionId, changeKey, at, notice);
  return change.raisesRevision === true ? raiseRevision(db, subscriptionId) : null;
}

/**
 * Locks the row, so that changes of one subscription are serialized.
 * @returns the revision of the row
 */
export async function lockSubscription(db: Db, subscriptionId: SubscriptionId): Promise<number> {
  const revision = await readValue<number>(
    db,
    'select revision from subscriptions where subscription_id = $1 for update',
    [subscriptionId],
  );
  if (revision === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return revision;
}

/** Raises the revision, so that the workflow is notified. @returns the new revision */
export async function raiseRevision(db: Db, subscriptionId: SubscriptionId): Promise<number> {
  const revision = await readValue<number>(
    db,
    'update subscriptions set revision = revision + 1 where subscription_id = $1 returning revision',
    [subscriptionId],
  );
  if (revision === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return revision;
}

/**
 * The revision of the row, and whether a steering request with this key was carried out before. An earlier statement must have locked
 * the row: a statement that waits for the lock still sees other rows as they were before it waited.
 * @throws if the subscription is not in the ledger.
 */
export async function readApplied(
  db: Db,
  subscriptionId: SubscriptionId,
  key: string,
): Promise<{ readonly revision: number; readonly isApplied: boolean }> {
  const found = await readRecord<{ readonly revision: number; readonly isApplied: boolean }>(
    db,
    `select revision, exists (select from changes where subscription_id = $1 and change_key = $2) as is_applied
     from subscriptions where subscription_id = $1`,
    [subscriptionId, key],
  );
  if (found === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return found;
}

export async function rememberChange(db: Db, subscriptionId: SubscriptionId, key: string, at: Instant): Promise<void> {
  await db.query('insert into changes (subscription_id, change_key, at) values ($1, $2, $3)', [
    subscriptionId,
    key,
    instantToColumn(at),
  ]);
}

/** The columns of a patch; undefined for fields that it does not have. Column names are fixed, never text from a caller. */
function subscriptionColumns(patch: SubscriptionPatch): Readonly<Record<string, unknown>> {
  return {
    status: patch.status,
    dunning: patch.dunning,
    past_due: patch.pastDue,
    stopped_by: patch.stoppedBy,
    paused_until: instantToColumn(patch.pausedUntil),
    cancelled_by: patch.cancelledBy,
    next_due_at: instantToColumn(patch.nextDueAt),
    replaced_by: patch.replacedBy,
    amount: patch.amount?.value,
    pending_change: optionalJson(patch.pendingChange),
    last_increase_at: instantToColumn(patch.lastIncreaseAt),
    pauses: optionalJson(patch.pauses),
    skips: patch.skips,
    replacements: optionalJson(patch.replacements),
    current_amount: patch.current?.value,
    cancellation: optionalJson(patch.cancellation),
    end_seen_at: instantToColumn(patch.endSeenAt),
  };
}

function optionalJson(value: unknown): string | null | undefined {
  return value === undefined ? undefined : jsonToColumn(value);
}

/**
 * Inserts or updates a cycle. A collected cycle stays collected, and a frozen amount does not change: for money, the rows of the
 * ledger take precedence over an earlier decision.
 */
async function putCycle(db: Db, subscriptionId: SubscriptionId, patch: CycleRecordPatch, at: Instant): Promise<void> {
  await db.query(
    `insert into cycles as c (
       subscription_id, cycle, due_at, collect_by, amount, status, reason, next_attempt_at, retries_left, retry_until,
       collected_at, retry_from, postponed_until
     ) values (
       $1, $2, $3, $4, $5, $6::text, $7, $8, coalesce($9, 0), $10, case when $6 = 'collected' then $11::timestamptz end,
       $15, $16
     )
     on conflict (subscription_id, cycle) do update set
       amount = case
         when exists (select from attempts a where (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle)) then c.amount
         else excluded.amount
       end,
       status = excluded.status,
       reason = case when $12 then excluded.reason else c.reason end,
       next_attempt_at = case when $13 then excluded.next_attempt_at else c.next_attempt_at end,
       retries_left = coalesce($9, c.retries_left),
       retry_until = case when $14 then excluded.retry_until else c.retry_until end,
       collected_at = excluded.collected_at,
       retry_from = coalesce($15, c.retry_from),
       postponed_until = case when $17 then excluded.postponed_until else c.postponed_until end
     where c.status <> 'collected'`,
    [
      subscriptionId,
      patch.cycle,
      instantToColumn(patch.dueAt),
      instantToColumn(patch.collectBy),
      patch.amount.value,
      patch.status,
      textToColumn(patch.reason ?? null),
      instantToColumn(patch.nextAttemptAt ?? null),
      patch.retriesLeft ?? null,
      instantToColumn(patch.retryUntil ?? null),
      instantToColumn(at),
      patch.reason !== undefined,
      patch.nextAttemptAt !== undefined,
      patch.retryUntil !== undefined,
      instantToColumn(patch.retryFrom ?? null),
      instantToColumn(patch.postponedUntil ?? null),
      patch.postponedUntil !== undefined,
    ],
  );
  if (patch.status === 'collected') await recountCollected(db, subscriptionId);
}
