import type { Pool } from 'pg';
import type { CycleRecordPatch, LedgerChange, SubscriptionPatch } from '../../contract/activities';
import type { NoticeId, SubscriptionId } from '../../domain/ids';
import { REPLACED_BY_ANOTHER } from '../../domain/subscription/pauses';
import { isTerminal } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { actorOf } from '../../domain/trail/event';
import { followStanding } from '../attention/items';
import { recountCollected } from '../attempts/collected';
import { inTransaction } from '../database';
import { instantToColumn, jsonToColumn, textToColumn, type Db, readValue, updateColumns } from '../statements';
import { insertAttentionEvents } from '../events/emission';
import { DUEDAY, insertEvents } from '../trail';
import { insertNotice } from '../notices/notices';
import { endConsentItems, endDeletion } from './consent-checks';
import { judgeGrant, lockWithReplaced } from './replacements';
import { useRequest } from './requests';

export interface AppliedChange {
  readonly noticeIds: readonly NoticeId[];
  /** Of the row, after it. */
  readonly revision: number;
  /** The row had a newer revision than was known: a decision by an older one was not written (rule 4). */
  readonly stale: boolean;
  /** Why the request that was brought is none of the API's: nothing was written. */
  readonly refused?: string;
  /** An earlier call has written it, and the row may have been steered since. */
  readonly repeated?: boolean;
}

/**
 * Writes what a workflow has decided, once: subscription, cycle, trail and notices in one transaction. The same key of
 * the same subscription again writes nothing and answers the same notices.
 * @throws where the subscription is not in the ledger.
 */
export async function applyChange(pool: Pool, change: LedgerChange): Promise<AppliedChange> {
  const grants = change.events.some(({ type }) => type === 'consent.granted');
  return inTransaction(pool, async (db) => {
    if (grants) await lockWithReplaced(db, change.subscriptionId);
    const revision = await lockSubscription(db, change.subscriptionId);
    const before = await readApplied(db, change.subscriptionId, change.key);
    if (before !== null) return { noticeIds: before, revision, stale: false, repeated: true };
    if (change.judged === true && revision > (change.knows ?? revision))
      return { noticeIds: [], revision, stale: true };
    const refused = change.request === undefined ? null : await useRequest(db, change.request, change);
    if (refused !== null) return { noticeIds: [], revision, stale: false, refused };
    const lost = grants ? await judgeGrant(db, change.subscriptionId) : null;
    if (lost !== null) return lost.isKnown ? { noticeIds: [], revision, stale: true } : writeLoss(db, change, revision);
    if (grants) await endDeletion(db, change.subscriptionId);
    return writeChange(db, revision > (change.knows ?? revision) ? withoutPauses(change) : change, revision);
  });
}

/**
 * Another replacement was granted first: this one is cancelled in place of what its workflow has decided. The workflow
 * finds that out by the revision, and ends the consent at the service; its payer keeps the other mandate.
 */
async function writeLoss(db: Db, { subscriptionId, at }: LedgerChange, revision: number): Promise<AppliedChange> {
  const by = { actor: DUEDAY, reason: REPLACED_BY_ANOTHER };
  const loss = {
    subscriptionId,
    key: REPLACED_BY_ANOTHER,
    at,
    actor: DUEDAY,
    subscription: { hold: 'cancel', cancellation: { at, ...by } },
    events: [{ type: 'subscription.cancel_requested', data: { reason: REPLACED_BY_ANOTHER } }],
    steers: true,
  } as const;
  return { ...(await writeChange(db, loss, revision)), stale: true };
}

const PUT_BY_A_PAUSE: readonly string[] = ['pauses', 'pausedUntil', 'nextDueAt'] satisfies (keyof SubscriptionPatch)[];

/**
 * Whoever has steered the row since may have paused it: pauses, and the due date behind them, stay as that has put them. The
 * workflow reads them next.
 */
function withoutPauses(change: LedgerChange): LedgerChange {
  const fields = Object.entries(change.subscription ?? {});
  const kept = fields.filter(([field]) => !PUT_BY_A_PAUSE.includes(field));
  return { ...change, subscription: Object.fromEntries(kept) };
}

/** The same, for a caller that holds the row's lock and has judged by it. */
export async function writeChange(db: Db, change: LedgerChange, revision: number): Promise<AppliedChange> {
  if (change.subscription !== undefined) {
    await recordAttentionEvents(db, change, change.subscription.attention);
    const columns = subscriptionColumns(change.subscription);
    await updateColumns(db, { table: 'subscriptions', id: 'subscription_id' }, change.subscriptionId, columns);
  }
  if (change.subscription?.attention !== undefined) await followStanding(db, change.subscriptionId, change.at);
  if (change.cycle !== undefined) await putCycle(db, change.subscriptionId, change.cycle, change.at);
  const status = change.subscription?.status;
  if (status !== undefined && isTerminal(status)) await endConsentItems(db, change.subscriptionId);
  await writeTrail(db, change);
  const noticeIds = await orderNotices(db, change);
  await rememberChange(db, change, noticeIds);
  const after = change.steers === true ? await raiseRevision(db, change) : revision;
  return { noticeIds, revision: after, stale: false };
}

/**
 * Changes of one subscription follow one another; the second of two with one key finds what the first wrote.
 * @returns the row's revision
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

/** The workflow that steers (`knows` is given) has heard of it; any other caller has to notify the workflow. */
async function raiseRevision(db: Db, { subscriptionId, knows }: LedgerChange): Promise<number> {
  const revision = await readValue<number>(
    db,
    `update subscriptions set revision = revision + 1, heard_revision = case when $2 then revision + 1 else heard_revision end
     where subscription_id = $1 returning revision`,
    [subscriptionId, knows !== undefined],
  );
  if (revision === null) throw new Error(`the subscription ${subscriptionId} was locked and is gone`);
  return revision;
}

/** The notices that the change of this key has ordered; null where it is not applied. Asked under the row's lock. */
export function readApplied(db: Db, subscriptionId: SubscriptionId, key: string): Promise<readonly NoticeId[] | null> {
  return readValue(db, 'select notice_ids from changes where subscription_id = $1 and change_key = $2', [
    subscriptionId,
    key,
  ]);
}

async function rememberChange(db: Db, change: LedgerChange, noticeIds: readonly NoticeId[]): Promise<void> {
  await db.query('insert into changes (subscription_id, change_key, at, notice_ids) values ($1, $2, $3, $4)', [
    change.subscriptionId,
    change.key,
    instantToColumn(change.at),
    noticeIds,
  ]);
}

/** Called before the row is written, as it compares the new attention items with those in the row. */
async function recordAttentionEvents(
  db: Db,
  { subscriptionId, at }: LedgerChange,
  is: SubscriptionPatch['attention'],
): Promise<void> {
  if (is === undefined) return;
  const was = await readValue<readonly string[]>(db, 'select attention from subscriptions where subscription_id = $1', [
    subscriptionId,
  ]);
  if (was !== null) await insertAttentionEvents(db, { subscriptionId, paymentId: null }, at, { was, is });
}

/** `undefined` where the patch does not name the field. The names are ours, never a caller's text. */
function subscriptionColumns(patch: SubscriptionPatch): Readonly<Record<string, unknown>> {
  return {
    status: patch.status,
    attention: patch.attention,
    dunning: patch.dunning,
    past_due: patch.pastDue,
    hold: patch.hold,
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
    end_heard_at: instantToColumn(patch.endHeardAt),
  };
}

function optionalJson(value: unknown): string | null | undefined {
  return value === undefined ? undefined : jsonToColumn(value);
}

/**
 * A collected cycle stays collected, and an amount that an attempt has frozen stays: about money the ledger's own rows
 * know better than a decision made before them.
 */
async function putCycle(db: Db, subscriptionId: SubscriptionId, patch: CycleRecordPatch, at: Instant): Promise<void> {
  await db.query(
    `insert into cycles as c (
       subscription_id, cycle, due_at, collect_by, amount, status, reason, next_attempt_at, retries_left, retry_until,
       collected_at, retry_now
     ) values (
       $1, $2, $3, $4, $5, $6::text, $7, $8, coalesce($9, 0), $10, case when $6 = 'collected' then $11::timestamptz end,
       coalesce($15, false)
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
       retry_now = coalesce($15, c.retry_now)
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
      patch.retryNow ?? null,
    ],
  );
  if (patch.status === 'collected') await recountCollected(db, subscriptionId);
}

async function writeTrail(db: Db, change: LedgerChange): Promise<void> {
  const { subscriptionId, at, key, events: entries } = change;
  await insertEvents(db, { ...actorOf(change), subscriptionId, at, changeKey: key, entries });
}

async function orderNotices(db: Db, change: LedgerChange): Promise<NoticeId[]> {
  const ids: NoticeId[] = [];
  for (const order of change.notices ?? []) {
    ids.push(await insertNotice(db, change.subscriptionId, change.key, change.at, order));
  }
  return ids;
}
