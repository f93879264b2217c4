import type { NoticeId, SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { type Db, instantToColumn, jsonToColumn, readRecord, readValue, textToColumn } from '../sql/statements';
import { DUEDAY } from '../audit/entries';
import { endItem, openItem } from './attention-item';
import {
  lockNotice,
  NOTICE_COLUMNS,
  type NoticeRecord,
  raiseForNotice,
  recordAbout,
  type UpcomingData,
} from './notice';

/** The result of one attempt to deliver a notice. No personal data in evidence or error. */
export type DeliveryResult =
  | {
      readonly kind: 'delivered';
      /** Business time. */
      readonly at: Instant;
      readonly realAt: number;
      readonly channel: string;
      /** Why it counts as delivered: the status, or the answer of the mail server. */
      readonly evidence: Readonly<Record<string, unknown>>;
    }
  /** Must be tried again at `nextTryRealAt`, but not on the channels in `gone`. */
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly gone: readonly string[];
      readonly nextTryRealAt: number;
    }
  /** Given up. */
  | { readonly kind: 'undeliverable'; readonly at: Instant; readonly error: string };

/** The state of a notice, and of what waits for it. */
export interface StoredDelivery {
  readonly notice: NoticeRecord;
  /** The revision of the subscription whose workflow must be notified; null if nothing waits for the notice. */
  readonly revision: number | null;
}

/**
 * Stores the result of a delivery attempt and, if the state of the notice changes, an audit entry. A delivered notice stays
 * delivered, with the first evidence; one that was given up may still be delivered by an attempt that was under way.
 * @param claim the claim under which it was tried; null if this is not a delivery attempt
 * @throws if there is no such notice.
 */
export async function storeDelivery(
  db: Db,
  noticeId: NoticeId,
  result: DeliveryResult,
  claim: number | null,
): Promise<StoredDelivery> {
  const before = await lockNotice(db, noticeId);
  const isOurs = claim === null || (await holdsClaim(db, noticeId, claim));
  // The notice was resent meanwhile, or another process has tried it: only that attempt counts.
  if (!isOurs && result.kind !== 'delivered') return { notice: before, revision: null };
  if (before.state === 'delivered') {
    if (isOurs) await setNextTry(db, noticeId, nextTryAfter(result));
    return { notice: before, revision: null };
  }
  const notice = await updateNotice(db, noticeId, result, isOurs);
  if (result.kind === 'failed' || notice.state === before.state) return { notice, revision: null };
  const { kind, at } = result;
  const data = kind === 'delivered' ? { channel: result.channel, evidence: result.evidence } : { error: result.error };
  await recordAbout(db, notice, { at, actor: DUEDAY, type: `notice.${kind}`, data });
  if (notice.type === 'payment.upcoming') await followUpcoming(db, notice, at);
  return { notice, revision: kind === 'delivered' ? await raiseForNotice(db, notice) : null };
}

/**
 * A yearly debit of which the payer was not notified becomes an attention item until the notice is delivered after all; no debit
 * waits for the notice. If a pause is the reason, the notice is sent after all, provided that the pause ends in time.
 */
export async function followUpcoming(db: Db, notice: NoticeRecord, at: Instant): Promise<void> {
  const { noticeId, subscriptionId, cycle, state, lastError } = notice;
  const key = `notice/${noticeId}`;
  if (state === 'delivered') return endItem(db, key);
  const coming = await readRecord<{ readonly isYearly: boolean; readonly isSuspended: boolean }>(
    db,
    `select s.repetition = 'YEARLY' as is_yearly, s.status = 'paused' or s.stopped_by is not null as is_suspended
     from subscriptions s left join cycles c on (c.subscription_id, c.cycle) = (s.subscription_id, $2)
     where s.subscription_id = $1 and s.status in ('active', 'paused', 'completed')
       and c.status is distinct from 'skipped' and $2 <> all (s.skips)`,
    [subscriptionId, cycle],
  );
  if (coming === null) return;
  if (coming.isSuspended)
    await db.query('update subscriptions set payer_notified_for = null where subscription_id = $1', [subscriptionId]);
  else if (coming.isYearly) {
    const { amount, dueAt } = notice.data as UpcomingData;
    const due = Date.parse(dueAt);
    const ledger = { state, at: dueAt, id: noticeId, detail: lastError ?? state };
    const item = { key, source: 'notice', kind: 'upcoming_undelivered', subscriptionId, cycle, amount } as const;
    await openItem(db, { ...item, deadline: due > at ? due : null, ledger }, at);
  }
}

function nextTryAfter(result: DeliveryResult): string | null {
  return instantToColumn(result.kind === 'failed' ? result.nextTryRealAt : null);
}

async function setNextTry(db: Db, noticeId: NoticeId, nextTry: string | null): Promise<void> {
  await db.query('update notices set next_try_real_at = $2 where notice_id = $1', [noticeId, nextTry]);
}

async function holdsClaim(db: Db, noticeId: NoticeId, claim: number): Promise<boolean> {
  const { rowCount } = await db.query('select from notices where notice_id = $1 and next_try_real_at = $2', [
    noticeId,
    instantToColumn(claim),
  ]);
  return rowCount === 1;
}

/**
 * Gives up the notice of a refused attempt if it is still undelivered: no retry can follow that attempt any more. Within the
 * transaction of the caller.
 * @returns the notice; null if it was delivered or given up before
 */
export async function giveUpNotice(
  db: Db,
  {
    subscriptionId,
    cycle,
    attempt,
  }: { readonly subscriptionId: SubscriptionId; readonly cycle: number; readonly attempt: number },
  at: Instant,
): Promise<NoticeId | null> {
  const noticeId = await readValue<NoticeId>(
    db,
    `select notice_id from notices
     where (subscription_id, cycle, attempt) = ($1, $2, $3) and type = 'payment.failed' and state = 'pending'`,
    [subscriptionId, cycle, attempt],
  );
  const error = 'not delivered in time';
  if (noticeId !== null) await storeDelivery(db, noticeId, { kind: 'undeliverable', at, error }, null);
  return noticeId;
}

/** @param endsClaim false if a later resend determines the next attempt */
async function updateNotice(
  db: Db,
  noticeId: NoticeId,
  result: DeliveryResult,
  endsClaim: boolean,
): Promise<NoticeRecord> {
  const delivered = result.kind === 'delivered' ? result : null;
  const row = await readRecord<NoticeRecord>(
    db,
    `update notices set
       state = coalesce($2, state), deliveries = deliveries + 1,
       delivered_at = $3, delivered_real_at = $4, channel = $5, evidence = $6, last_error = coalesce($7, last_error),
       gone_channels = gone_channels || $8::text[],
       next_try_real_at = case when not $9 then next_try_real_at when state = 'pending' then $10::timestamptz end
     where notice_id = $1
     returning ${NOTICE_COLUMNS}`,
    [
      noticeId,
      result.kind === 'failed' ? null : result.kind,
      instantToColumn(delivered?.at ?? null),
      instantToColumn(delivered?.realAt ?? null),
      delivered?.channel ?? null,
      jsonToColumn(delivered?.evidence),
      result.kind === 'delivered' ? null : textToColumn(result.error),
      result.kind === 'failed' ? result.gone : [],
      endsClaim,
      nextTryAfter(result),
    ],
  );
  if (row === null) throw new Error(`the notice ${noticeId} disappeared while locked`);
  return row;
}
