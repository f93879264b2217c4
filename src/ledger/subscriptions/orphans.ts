import type { Pool } from 'pg';
import type { NoticeId, PaymentId, SubscriptionId } from '../../domain/ids';
import type { PaymentStatus } from '../../domain/payment/payment';
import { ORPHANED } from '../../domain/subscription/pauses';
import type { Instant } from '../../domain/time';
import { type CreationPlace, type Page, type PageOf, readCreationCursor, toPage } from '../cursor';
import { instantToColumn, type Db, queryOne, inTransaction } from '../database';
import { DUEDAY, insertEvent } from '../events';

/** A subscription or a one-time payment that is not over: it has something to come, or to be asked about. */
export interface LiveSubject {
  readonly kind: 'subscription' | 'payment';
  /** The subscription's id, or the payment's. */
  readonly id: string;
  readonly workflowId: string;
  /** Whether people are told already that it has no workflow. */
  readonly isMarked: boolean;
  /** Orders subscriptions before payments, each by id. */
  readonly place: string;
}

/** By which one is marked. */
export type SubjectRef = Pick<LiveSubject, 'kind' | 'id'>;

/** Those behind a place, drafted before an instant of real time, in the order of their places. */
export async function readLive(
  db: Db,
  after: string,
  draftedBeforeReal: number,
  limit: number,
): Promise<readonly LiveSubject[]> {
  const { rows } = await db.query<LiveRow>(
    `select * from ((
       select 'subscription' as kind, subscription_id as id, workflow_id, $1 = any (attention) as is_marked,
         '0' || subscription_id as place
       from subscriptions s
       where $2::text collate "C" < '1' and subscription_id > substr($2, 2) and drafted_real_at < $3 and payment_id is not null
         and ${IS_LIVE}
       order by subscription_id limit $4
     ) union all (
       select 'payment', payment_id, workflow_id, orphaned_at is not null, '1' || payment_id
       from payments
       where payment_id > case when left($2, 1) = '1' then substr($2, 2) else '' end and drafted_real_at < $3
         and status in ('pending_consent', 'authorized', 'partly_captured')
       order by payment_id limit $4
     )) as live
     order by place collate "C" limit $4`,
    [ORPHANED, after, instantToColumn(draftedBeforeReal), limit],
  );
  return rows.map(({ workflow_id: workflowId, is_marked: isMarked, ...row }) => ({ ...row, workflowId, isMarked }));
}

const IS_LIVE = `status <> 'draft' and (
  status in ('pending_consent', 'active', 'paused')
  or exists (select from attempts a where a.subscription_id = s.subscription_id
    and a.state in ('sending', 'pending', 'unknown', 'unresolved'))
)`;

/** @returns false where it is over by now, or was marked before. */
export async function markOrphaned(pool: Pool, { kind, id }: SubjectRef, at: Instant): Promise<boolean> {
  return inTransaction(pool, (db) =>
    kind === 'subscription' ? markSubscription(db, id as SubscriptionId, at) : markPayment(db, id as PaymentId, at),
  );
}

async function markSubscription(db: Db, subscriptionId: SubscriptionId, at: Instant): Promise<boolean> {
  const row = await queryOne<{ subscription_id: string }>(
    db,
    `update subscriptions s set attention = array_append(attention, $2)
     where subscription_id = $1 and not $2 = any (attention) and ${IS_LIVE}
     returning subscription_id`,
    [subscriptionId, ORPHANED],
  );
  if (row === null) return false;
  await insertEvent(db, { subscriptionId, at, actor: DUEDAY, type: 'subscription.orphaned', data: {} });
  return true;
}

async function markPayment(db: Db, paymentId: PaymentId, at: Instant): Promise<boolean> {
  const row = await queryOne<{ payment_id: string }>(
    db,
    `update payments set orphaned_at = $2
     where payment_id = $1 and orphaned_at is null and status in ('pending_consent', 'authorized', 'partly_captured')
     returning payment_id`,
    [paymentId, instantToColumn(at)],
  );
  if (row === null) return false;
  await insertEvent(db, { subscriptionId: null, paymentId, at, actor: DUEDAY, type: 'payment.orphaned', data: {} });
  return true;
}

/** A workflow runs for it again. */
export async function unmarkOrphaned(db: Db, { kind, id }: SubjectRef): Promise<void> {
  await (kind === 'subscription'
    ? db.query('update subscriptions set attention = array_remove(attention, $2) where subscription_id = $1', [
        id,
        ORPHANED,
      ])
    : db.query('update payments set orphaned_at = null where payment_id = $1', [id]));
}

/** A one-time payment for which people are told that no workflow runs. */
export interface OrphanedPayment extends CreationPlace {
  readonly paymentId: PaymentId;
  readonly status: PaymentStatus;
  readonly orphanedAt: Instant;
}

/** Newest first; those created at one instant by their own id, descending. */
export async function listOrphanedPayments(db: Db, page: Page): Promise<PageOf<OrphanedPayment>> {
  const place = readCreationCursor(page.cursor);
  const { rows } = await db.query<OrphanedPaymentRow>(
    `select payment_id, request_id, status, created_at, orphaned_at from payments
     where orphaned_at is not null and ($1::timestamptz is null or (created_at, request_id) < ($1, $2))
     order by created_at desc, request_id desc limit $3`,
    [instantToColumn(place?.createdAt ?? null), place?.id ?? null, page.limit + 1],
  );
  return toPage(rows.map(toOrphanedPayment), page.limit, ({ createdAt, id }) => [createdAt, id]);
}

const MOST_NOTICES = 500;

/** Notices with workflows of their own that are not delivered, created in a span of business time that is long past. */
export async function readNoticesWaiting(
  db: Db,
  { from, before }: { readonly from: Instant; readonly before: Instant },
): Promise<readonly NoticeId[]> {
  const { rows } = await db.query<{ notice_id: string }>(
    `select notice_id from notices
     where state = 'pending' and type not in ('payment.failed', 'payment.increase_announced')
       and created_at >= $1 and created_at < $2
     order by created_at, notice_id limit $3`,
    [instantToColumn(from), instantToColumn(before), MOST_NOTICES],
  );
  return rows.map((row) => row.notice_id as NoticeId);
}

interface LiveRow {
  kind: LiveSubject['kind'];
  id: string;
  workflow_id: string;
  is_marked: boolean;
  place: string;
}

/** What else a one-time payment's workflow goes on with; `transit` is null for one created before it was kept. */
export interface PaymentMemory {
  readonly transit: number | null;
  /** Whether the merchant has been told of the capture deadline. */
  readonly deadlineTold: boolean;
}

/** @throws where the ledger has no such payment. */
export async function readPaymentMemory(db: Db, paymentId: PaymentId): Promise<PaymentMemory> {
  const row = await queryOne<{ transit: number | null; deadline_told: boolean }>(
    db,
    `select transit, exists (
       select from notices n where n.payment_id = p.payment_id and n.type = 'capture.deadline_near'
     ) as deadline_told
     from payments p where payment_id = $1`,
    [paymentId],
  );
  if (row === null) throw new Error(`the ledger has no payment ${paymentId}`);
  return { transit: row.transit, deadlineTold: row.deadline_told };
}

interface OrphanedPaymentRow {
  payment_id: string;
  request_id: string;
  status: PaymentStatus;
  created_at: Instant;
  orphaned_at: Instant;
}

function toOrphanedPayment(row: OrphanedPaymentRow): OrphanedPayment {
  return {
    paymentId: row.payment_id as PaymentId,
    id: row.request_id,
    status: row.status,
    createdAt: row.created_at,
    orphanedAt: row.orphaned_at,
  };
}
