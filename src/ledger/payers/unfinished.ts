import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { MINUTE } from '../../domain/time';
import { type Db, instantToColumn, readRecords } from '../sql/statements';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';
import { IS_LIVE_PAYMENT } from '../rows/payment';
import { IS_NOT_FINAL } from '../rows/any-send';

/**
 * Something of a payer that has not ended and prevents an erasure: it may still need an address, or an operator who knows whom it
 * is about.
 */
export interface Unfinished {
  readonly kind: 'subscription' | 'payment' | 'draft' | 'attempt' | 'order' | 'notice' | 'attention' | 'event' | 'job';
  readonly subscriptionId: SubscriptionId | null;
  /** Set for a one-time payment. */
  readonly paymentId: PaymentId | null;
  /** Its status, state, kind or type. */
  readonly state: string;
}

/** Maximum number of records in a response. */
const MAX_NAMED = 100;

/** Real time in which a payment request may be on its way, including all repetitions; after that its process has died. */
export const DRAFT_LIFE = 10 * MINUTE;

/** Everything of these payers that has not ended (rule 29), at most {@link MAX_NAMED}. Takes no locks. */
export function readUnfinished(db: Db, payerIds: readonly string[], realNow: number): Promise<readonly Unfinished[]> {
  return readRecords<Unfinished>(db, UNFINISHED, [payerIds, instantToColumn(realNow - DRAFT_LIFE), MAX_NAMED]);
}

/** An event has not ended while an enabled endpoint is due to receive it; without one, nothing delivers it. */
const UNFINISHED = `
  with s as (select * from subscriptions where payer_id = any ($1)),
    p as (select * from payments where payer_id = any ($1)),
    w as (select * from webhook_endpoints where enabled and endpoint_id <> 'env'),
    e as (
      select * from merchant_events where subscription_id in (select subscription_id from s)
      union all
      select * from merchant_events where payment_id in (select payment_id from p)
    )
  select kind, subscription_id, payment_id, state from (
    select 1 as rank, case status when 'draft' then 'draft' else 'subscription' end as kind, subscription_id,
      null as payment_id, status as state
    from s where status ${IS_LIVE_SUBSCRIPTION} or (status = 'draft' and drafted_real_at >= $2)
    union all
    select 2, case status when 'draft' then 'draft' else 'payment' end, null, payment_id, status
    from p where status ${IS_LIVE_PAYMENT} or (status = 'draft' and drafted_real_at >= $2)
    union all
    select 3, 'attempt', subscription_id, null, state
    from attempts where subscription_id in (select subscription_id from s)
      and state ${IS_NOT_FINAL}
    union all
    select 4, 'order', o.subscription_id, case when o.subscription_id is null then o.payment_id end, o.kind
    from open_orders join orders o using (order_id)
    where o.payment_id in (select payment_id from s union all select payment_id from p)
    union all
    select 5, 'notice', subscription_id, payment_id, type
    from notices where state = 'pending'
      and (subscription_id in (select subscription_id from s) or payment_id in (select payment_id from p))
    union all
    select 6, 'attention', subscription_id, case when subscription_id is null then payment_id end, kind
    from attention_items where closed_real_at is null
      and (subscription_id in (select subscription_id from s) or payment_id in (select payment_id from p))
    union all
    select 7, 'event', subscription_id, payment_id, type
    from e where (position is null and exists (select from w))
      or position > (select min(fanned_out) from w)
      or exists (
        select from webhook_deliveries d join w using (endpoint_id) where d.event_id = e.event_id and d.state = 'pending'
      )
    union all
    select 8, 'job', subscription_id, null, j.state
    from job_items join jobs j using (job_id)
    where j.state = 'running' and subscription_id in (select subscription_id from s)
  ) as unfinished
  order by rank, subscription_id, payment_id, state limit $3`;
