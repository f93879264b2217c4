import { reversalColumns, REVERSALS } from './reversals';

/**
 * The transactions after a position. Each source is read by its own index in the order of the list, and no more rows of each
 * than fit on the page; details are read only for the rows of the page, where each `limit 1` keeps the planner from scanning
 * another table. A separate table would have to be written with each attempt; this costs only two index entries for each
 * collection.
 *
 * | value | |
 * | --- | --- |
 * | $1 | instant of the position |
 * | $2 to $5 | key of the attempt after which its source continues |
 * | $6, $7 | the same for Single Immediate payments, and for orders |
 * | $8, $9 | range of creation times that is read |
 * | $10, $11 | `from` and `to`, by booking time, or by creation time if not booked |
 * | $12 to $14 | type, subscription, payments |
 * | $15, $16 | states of attempts, statuses |
 * | $17 | maximum number of rows |
 * | $18 | whether the debit was given back without an order of dueday; null for both |
 */
export const TRANSACTIONS = `
  with page as (
    ${branch(
      0,
      `attempts m
        where ($12::text is null or $12 = 'debit')
          and (m.at, m.subscription_id, m.cycle, m.attempt, m.send) > ($1::timestamptz, $2::text, $3::integer, $4::integer, $5::integer)
          and m.state = any ($15::text[])
          and ($13::text is null or m.subscription_id = $13)`,
      {
        created: 'm.at',
        booked: `case when m.state = 'successful' then m.outcome_at end`,
        key: 'm.subscription_id',
        debit: 'm.capture_id',
        id: `concat_ws('.', 'attempt', m.subscription_id, m.cycle, m.attempt, m.send)`,
        sends: 'm.cycle as send_cycle, m.attempt as send_attempt, m.send',
        inOrder: 'm.at, m.subscription_id, m.cycle, m.attempt, m.send',
        rest: `'debit' as type,
          case m.state when 'successful' then 'successful'
            when 'rejected_retryable' then 'failed' when 'rejected' then 'failed' when 'capture_failed' then 'failed'
            else 'pending' end as status,
          m.amount, m.subscription_id, m.payment_id, m.cycle, m.attempt, m.authorization_id as own_authorization_id, m.capture_id,
          null as order_id, null as service_refund_id, m.detail`,
      },
    )}
    union all
    ${branch(
      1,
      `(select *, case when booking_state is not null then booking_state
            when authorization_state = 'failed' then 'failed' else 'pending' end as status_now
          from payments where plan = 'SINGLE' and authorization_id is not null) m
        where ($12::text is null or $12 = 'debit')
          and (m.authorization_created_at, m.request_id) > ($1::timestamptz, $6::text)
          and m.status_now = any ($16::text[])
          and $13::text is null`,
      {
        created: 'm.authorization_created_at',
        booked: `case when m.booking_state = 'successful' then m.booking_created_at end`,
        id: `'payment.' || m.request_id`,
        key: 'm.request_id',
        debit: 'm.booking_id',
        sends: '0 as send_cycle, 0 as send_attempt, 0 as send',
        inOrder: 'm.authorization_created_at, m.request_id',
        rest: `'debit' as type, m.status_now as status, m.amount, null as subscription_id, m.payment_id,
          null::integer as cycle, null::integer as attempt, m.authorization_id as own_authorization_id, m.booking_id as capture_id,
          null as order_id, null as service_refund_id, m.authorization_detail as detail`,
      },
    )}
    union all
    ${branch(
      2,
      `orders m
        left join lateral (
          select s.state, s.service_id, s.outcome_at, s.detail from order_sends s
          where s.order_id = m.order_id order by s.send desc limit 1
        ) s on true
        where ($12::text is null or $12 = m.kind)
          and (m.created_at, m.order_id) > ($1::timestamptz, $7::text)
          and case when s.state in ('successful', 'failed') then s.state else 'pending' end = any ($16::text[])
          and ($13::text is null or m.subscription_id = $13)`,
      {
        created: 'm.created_at',
        booked: `case when s.state = 'successful' then s.outcome_at end`,
        id: `'order.' || m.order_id`,
        key: 'm.order_id',
        debit: `case m.kind when 'capture' then s.service_id end`,
        sends: '0 as send_cycle, 0 as send_attempt, 0 as send',
        inOrder: 'm.created_at, m.order_id',
        rest: `m.kind as type, case when s.state in ('successful', 'failed') then s.state else 'pending' end as status,
          m.amount, m.subscription_id, m.payment_id, m.cycle, null::integer as attempt, null as own_authorization_id,
          case m.kind when 'capture' then s.service_id else m.capture_id end as capture_id, m.order_id,
          case m.kind when 'refund' then s.service_id end as service_refund_id, s.detail`,
      },
    )}
    order by created_at, source, key, send_cycle, send_attempt, send
    limit $17
  )
  select page.transaction_id, page.type, page.status, page.amount, page.created_at, page.booked_at,
    coalesce(o.plan, 'SUBSCRIPTION') as plan, page.subscription_id, page.payment_id, page.cycle, page.attempt,
    coalesce(page.own_authorization_id, o.authorization_id, given_back.authorization_id) as authorization_id,
    page.capture_id, case page.type when 'refund' then page.order_id end as refund_id, page.service_refund_id,
    case page.type when 'capture' then page.order_id end as order_id, page.detail, y.reference,
    coalesce(b.metadata, o.metadata) as metadata, v.reversed_at, v.reversed_amount, v.reversed_as
  from page
  left join lateral (select * from subscriptions where subscription_id = page.subscription_id limit 1) b on true
  left join lateral (
    select * from payments where page.subscription_id is null and payment_id = page.payment_id limit 1
  ) o on true
  left join lateral (select * from payers where payer_id = coalesce(b.payer_id, o.payer_id) limit 1) y on true
  left join lateral (
    select a.authorization_id from attempts a
    where page.type = 'refund' and (a.subscription_id, a.cycle, a.capture_id) = (page.subscription_id, page.cycle, page.capture_id)
    limit 1
  ) given_back on true
  left join lateral (
    select ${reversalColumns('page.amount')} from ${REVERSALS}
      and page.type <> 'refund' and page.booked_at is not null
      and (i.payment_id, i.capture_id) = (page.payment_id, page.capture_id)
    having count(*) > 0
  ) v on true
  order by page.created_at, page.source, page.key, page.send_cycle, page.send_attempt, page.send`;

interface TransactionSource {
  readonly created: string;
  /** Null unless it is successful. */
  readonly booked: string;
  /** The id of the transaction, in the form that `readTransactionId` parses. */
  readonly id: string;
  readonly key: string;
  /** The service's id of the capture that took the money; null for a refund. */
  readonly debit: string;
  readonly sends: string;
  readonly inOrder: string;
  readonly rest: string;
}

function branch(
  source: number,
  from: string,
  { created, booked, id, key, debit, sends, inOrder, rest }: TransactionSource,
): string {
  const counted = `coalesce(${booked}, ${created})`;
  return `(
      select ${source} as source, ${key} as key, ${sends}, ${id} as transaction_id, ${created} as created_at,
        ${booked} as booked_at, ${rest}
      from ${from}
        and ${created} >= $8 and ${created} < $9
        and ($10::timestamptz is null or ${counted} >= $10) and ($11::timestamptz is null or ${counted} < $11)
        and ($14::text[] is null or m.payment_id = any ($14))
        and ($18::boolean is null or $18 = (
          ${booked} is not null
          and exists (select from ${REVERSALS} and (i.payment_id, i.capture_id) = (m.payment_id, ${debit}))
        ))
      order by ${inOrder}
      limit $17
    )`;
}
