import type { Pool } from 'pg';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { ORPHANED } from '../../domain/subscription/attention-items';
import type { Money } from '../../domain/money';
import type { Instant } from '../../domain/time';
import { followStanding, IS_MARKED_ORPHANED, openItem, readAttention } from '../rows/attention-item';
import { inTransaction } from '../sql/database';
import { instantToColumn, type Db, readRecord, readRecords } from '../sql/statements';
import { insertAttentionEvents } from '../audit/emission';
import { DUEDAY, insertEvent } from '../audit/entries';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';
import { IS_LIVE_PAYMENT } from '../rows/payment';
import { IS_NOT_FINAL } from '../rows/any-send';

/** A subscription or a one-time payment that has not ended: something is still to be done or polled. */
export interface LiveSubject {
  readonly kind: 'subscription' | 'payment';
  /** The id of the subscription or the payment. */
  readonly id: string;
  readonly workflowId: string;
  /** Whether it is already marked as orphaned. */
  readonly isMarked: boolean;
  /** Orders subscriptions before payments, each by id. */
  readonly position: string;
}

/** Identifies a subject. */
export type SubjectRef = Pick<LiveSubject, 'kind' | 'id'>;

/**
 * Live subjects after a position, drafted before an instant of real time, in order of position. Those whose workflow has not been
 * started yet are left out: they are no orphans.
 */
export async function readLive(
  db: Db,
  after: string,
  draftedBeforeReal: number,
  limit: number,
): Promise<readonly LiveSubject[]> {
  return readRecords(
    db,
    `select * from ((
       select 'subscription' as kind, subscription_id as id, workflow_id, ${IS_MARKED_ORPHANED} as is_marked,
         '0' || subscription_id as position
       from subscriptions s
       where $1::text collate "C" < '1' and subscription_id > substr($1, 2) and drafted_real_at < $2 and payment_id is not null
         and ${IS_LIVE} and not exists (select from workflow_starts w where w.subscription_id = s.subscription_id)
       order by subscription_id limit $3
     ) union all (
       select 'payment', payment_id, workflow_id, orphaned_at is not null, '1' || payment_id
       from payments
       where payment_id > case when left($1, 1) = '1' then substr($1, 2) else '' end and drafted_real_at < $2
         and status ${IS_LIVE_PAYMENT}
       order by payment_id limit $3
     )) as live
     order by position collate "C" limit $3`,
    [after, instantToColumn(draftedBeforeReal), limit],
  );
}

/**
 * A terminal subscription is live until its attempts are final, and its cycles and the due date pending when its consent ended are
 * closed.
 */
const IS_LIVE = `status <> 'draft' and (
  status ${IS_LIVE_SUBSCRIPTION}
  or exists (select from attempts a where a.subscription_id = s.subscription_id
    and a.state ${IS_NOT_FINAL})
  or s.end_seen_at is not null
  or exists (select from cycles c where c.subscription_id = s.subscription_id
    and c.status in ('collecting', 'dunning', 'unresolved'))
)`;

/** Marks a subject whose workflow an operator has to restart. @returns false if it has ended, or was already marked */
export async function markOrphaned(pool: Pool, { kind, id }: SubjectRef, at: Instant): Promise<boolean> {
  return inTransaction(pool, (db) =>
    kind === 'subscription' ? markSubscription(db, id as SubscriptionId, at) : markPayment(db, id as PaymentId, at),
  );
}

async function markSubscription(db: Db, subscriptionId: SubscriptionId, at: Instant): Promise<boolean> {
  const live = await readRecord(
    db,
    `select from subscriptions s where subscription_id = $1 and ${IS_LIVE} for update`,
    [subscriptionId],
  );
  const attention = await readAttention(db, subscriptionId);
  if (live === null || attention.includes(ORPHANED)) return false;
  await followStanding(db, subscriptionId, [...attention, ORPHANED], at);
  await insertEvent(db, { subscriptionId, at, actor: DUEDAY, type: 'subscription.orphaned', data: {} });
  return true;
}

async function markPayment(db: Db, paymentId: PaymentId, at: Instant): Promise<boolean> {
  const orphaned = await readRecord<{ amount: Money; captureBy: Instant | null }>(
    db,
    `update payments set orphaned_at = $2
     where payment_id = $1 and orphaned_at is null and status ${IS_LIVE_PAYMENT}
     returning amount, capture_by`,
    [paymentId, instantToColumn(at)],
  );
  if (orphaned === null) return false;
  const item = { source: 'payment', kind: ORPHANED, paymentId, amount: orphaned.amount } as const;
  await openItem(db, { key: `payment/${paymentId}/${ORPHANED}`, ...item, deadline: orphaned.captureBy }, at);
  await insertEvent(db, { subscriptionId: null, paymentId, at, actor: DUEDAY, type: 'payment.orphaned', data: {} });
  return true;
}

const MAX_MARKED = 500;

/** Marked subscriptions and payments that have ended and need no workflow. There are few: those that no operator has restarted. */
export async function readMarkedAtEnd(db: Db): Promise<readonly SubjectRef[]> {
  return readRecords(
    db,
    `(
       select 'subscription' as kind, s.subscription_id as id
       from attention_items i join subscriptions s using (subscription_id)
       where i.source = 'standing' and i.kind = '${ORPHANED}' and i.closed_real_at is null and not (${IS_LIVE})
       order by i.number limit $1
     ) union all (
       select 'payment', payment_id
       from payments where orphaned_at is not null and not status ${IS_LIVE_PAYMENT}
       order by created_at, request_id limit $1
     )`,
    [MAX_MARKED],
  );
}

/** Removes the mark: a workflow runs for the subject again, or it needs none. */
export async function unmarkOrphaned(pool: Pool, { kind, id }: SubjectRef, at: Instant): Promise<void> {
  await inTransaction(pool, (db) =>
    kind === 'subscription' ? unmarkSubscription(db, id as SubscriptionId, at) : unmarkPayment(db, id as PaymentId, at),
  );
}

async function unmarkSubscription(db: Db, subscriptionId: SubscriptionId, at: Instant): Promise<void> {
  await db.query('select from subscriptions where subscription_id = $1 for update', [subscriptionId]);
  const attention = await readAttention(db, subscriptionId);
  const left = attention.filter((each) => each !== ORPHANED);
  if (left.length < attention.length) await followStanding(db, subscriptionId, left, at);
}

async function unmarkPayment(db: Db, paymentId: PaymentId, at: Instant): Promise<void> {
  const { rowCount } = await db.query(UNMARK_PAYMENT, [paymentId, `payment/${paymentId}/${ORPHANED}`]);
  if (rowCount === 0) return;
  await insertAttentionEvents(db, { subscriptionId: null, paymentId }, at, { was: [ORPHANED], is: [] });
}

const UNMARK_PAYMENT = `with ended as (
  update attention_items set closed_real_at = clock_timestamp() where item_id = attention_id($2) and closed_real_at is null
)
  update payments set orphaned_at = null where payment_id = $1 and orphaned_at is not null`;
