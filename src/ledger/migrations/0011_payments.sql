-- Up Migration

-- A capture is ordered, sent and asked about as a refund is: one table of orders, one of sends, one table of states.
alter table refunds rename to orders;
alter table orders rename column refund_id to order_id;
alter table orders drop constraint refunds_refund_id_check;
alter table orders add column kind text not null default 'refund' check (kind in ('refund', 'capture'));
alter table orders alter column kind drop default;
alter table orders alter column subscription_id drop not null;
alter table orders alter column cycle drop not null;
alter table orders alter column capture_id drop not null;
alter table orders add column final_capture boolean;
alter table orders add constraint orders_id_names_its_kind check (
  order_id like case kind when 'refund' then 'ref\_%' else 'cap\_%' end
);
alter table orders add constraint orders_of_a_cycle_or_of_a_payment check (
  num_nonnulls(subscription_id, cycle) in (0, 2) and (kind = 'refund' or cycle is null)
);
alter table orders add constraint orders_refund_names_its_capture check ((kind = 'refund') = (capture_id is not null));
alter table orders add constraint orders_capture_says_whether_final check (
  (kind = 'capture') = (final_capture is not null)
);
alter index refunds_pkey rename to orders_pkey;
alter index refunds_of_cycle rename to orders_of_cycle;
alter index refunds_by_age rename to orders_by_age;
create index orders_of_payment on orders (payment_id, kind);
alter table orders rename constraint refunds_refund_id_payment_id_key to orders_order_id_payment_id_key;
alter trigger refunds_guarded on orders rename to orders_guarded;
alter trigger refunds_kept on orders rename to orders_kept;
alter trigger refunds_never_emptied on orders rename to orders_never_emptied;
comment on table orders is 'What was ordered to be captured or given back, once and for ever the same. How it stands is in order_sends.';
comment on column orders.order_id is 'Ours; follows from the API key and the Idempotency-Key of the order.';
comment on column orders.subscription_id is 'Null for an order of a one-time payment.';
comment on column orders.capture_id is 'The capture that a refund gives back.';

alter table refund_sends rename to order_sends;
alter table order_sends rename column refund_id to order_id;
alter table order_sends rename column service_refund_id to service_id;
alter table order_sends rename constraint refund_sends_known_is_named to order_sends_known_is_named;
alter table order_sends rename constraint refund_sends_final_at_an_instant to order_sends_final_at_an_instant;
alter index refund_sends_pkey rename to order_sends_pkey;
alter index refund_sends_one_in_doubt_per_payment rename to order_sends_one_in_doubt_per_payment;
alter index refund_sends_one_live_or_final_per_refund rename to order_sends_one_live_or_final_per_order;
alter index refund_sends_service_refund rename to order_sends_service_id;
alter index refund_sends_by_payment rename to order_sends_by_payment;
alter trigger refund_sends_guarded on order_sends rename to order_sends_guarded;
alter trigger refund_sends_kept on order_sends rename to order_sends_kept;
alter trigger refund_sends_never_emptied on order_sends rename to order_sends_never_emptied;
alter function refund_send_may_become(text, text) rename to order_send_may_become;
alter function guard_refund_send() rename to guard_order_send;
alter function guard_refund() rename to guard_order;
comment on table order_sends is 'Every POST of a capture or a refund, committed as sending before it leaves. The service has no idempotency key: this table is the only thing between one and two.';
comment on column order_sends.known_ids is 'Ids of the payment''s captures, or refunds, that the service showed right before sending.';
comment on column order_sends.service_id is 'The service''s own id of the capture or the refund.';

create or replace function guard_order_send() returns trigger language plpgsql as $$
declare
  send constant text := format('send %s/%s', new.order_id, new.send);
begin
  if tg_op = 'INSERT' then
    if new.state <> 'sending' then
      raise exception '%: begins as sending, not as %', send, new.state
        using errcode = 'integrity_constraint_violation';
    end if;
    return new;
  end if;
  if not order_send_may_become(old.state, new.state) then
    raise exception '%: % to % is refused', send, old.state, new.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if row(
    new.order_id, new.send, new.payment_id, new.at, new.sending_real_at, new.known_ids, new.owner
  ) is distinct from row(
    old.order_id, old.send, old.payment_id, old.at, old.sending_real_at, old.known_ids, old.owner
  ) then
    raise exception '%: what was sent does not change', send
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

-- One-time payments: Single Immediate and Event Dependent.
create table payments (
  request_id text collate "C" primary key check (request_id like 'pay\_%'),
  payer_id uuid not null references payers,
  payment_id text collate "C" unique,
  workflow_id text not null,
  plan text not null check (plan in ('SINGLE', 'EVENT_DEPENDENT')),
  amount integer not null check (amount > 0),
  currency text not null default 'EUR' check (currency = 'EUR'),
  return_url text not null,
  time_to_capture integer check (time_to_capture between 1 and 864000),
  partial_capture boolean not null,
  multiple_capture boolean not null,
  merchant_category_code text,
  actor text not null,
  status text not null default 'draft' check (
    status in (
      'draft', 'pending_consent', 'consent_failed', 'authorized', 'partly_captured', 'captured',
      'released', 'expired', 'failed', 'refunded'
    )
  ),
  consent_status text check (consent_status in ('pending', 'successful', 'failed', 'cancelled')),
  consent_reason text,
  consent_redirect_url text,
  consent_checked_at timestamptz(3),
  consent_requested_real_at timestamptz(3),
  authorization_id text collate "C" unique,
  authorization_state text check (authorization_state in ('pending', 'successful', 'failed')),
  authorization_created_at timestamptz(3),
  authorization_detail text,
  authorization_description text,
  capture_by timestamptz(3),
  booking_id text collate "C" unique,
  booking_state text check (booking_state in ('pending', 'successful', 'failed')),
  booking_created_at timestamptz(3),
  release_ordered_at timestamptz(3),
  released_at timestamptz(3),
  expired_at timestamptz(3),
  created_at timestamptz(3) not null,
  drafted_real_at timestamptz(3) not null,
  constraint payments_named_by_the_service check (status = 'draft' or payment_id is not null),
  constraint payments_time_to_capture_of_event_dependent check (
    (plan = 'EVENT_DEPENDENT') = (time_to_capture is not null)
  ),
  constraint payments_authorization_whole check (
    num_nulls(authorization_id, authorization_state, authorization_created_at) in (0, 3)
  ),
  constraint payments_booking_whole check (num_nulls(booking_id, booking_state, booking_created_at) in (0, 3)),
  constraint payments_ended_once check (released_at is null or expired_at is null)
);
comment on table payments is 'One-time payments. A draft is one whose consent the service has not been asked for yet; nobody sees it.';
comment on column payments.request_id is 'Ours, from before the service names the payment.';
comment on column payments.booking_id is 'The capture that the service makes by itself, of a Single Immediate payment.';
comment on column payments.capture_by is 'Captures are taken strictly before it: the authorization''s createdAt and timeToCapture.';
comment on column payments.drafted_real_at is 'Real time, as is consent_requested_real_at; every other instant of this table is business time.';

create index payments_newest on payments (created_at desc, request_id desc) where status <> 'draft';
create index payments_by_status on payments (status, created_at desc, request_id desc);
create index payments_by_payer on payments (payer_id);
create index payments_being_released on payments (release_ordered_at)
  where release_ordered_at is not null and released_at is null and expired_at is null;

create or replace function guard_order() returns trigger language plpgsql as $$
declare
  captured bigint;
  refunded bigint;
  wanted constant text := format('%s %s', new.kind, new.order_id);
  payment payments%rowtype;
begin
  -- Of two orders at once the second waits here, and then sees the first.
  if new.subscription_id is not null then
    perform from subscriptions where subscription_id = new.subscription_id for update;
    select a.amount into captured
      from attempts a
      join cycles c on (c.subscription_id, c.cycle) = (a.subscription_id, a.cycle)
      where (a.subscription_id, a.cycle, a.payment_id, a.capture_id)
          = (new.subscription_id, new.cycle, new.payment_id, new.capture_id)
        and a.state = 'successful' and c.status = 'collected';
    if captured is null then
      -- A debit that nothing of ours explains may be given back all the same.
      select d.service_amount into captured
        from reconciliation_differences d
        where d.kind = 'debit_unknown' and d.service_state = 'successful'
          and (d.subscription_id, d.payment_id, d.capture_id) = (new.subscription_id, new.payment_id, new.capture_id)
        order by d.number desc limit 1;
    end if;
    if captured is null then
      raise exception '%: capture % collected nothing of cycle %', wanted, new.capture_id, new.cycle
        using errcode = 'integrity_constraint_violation';
    end if;
  else
    select * into payment from payments where payment_id = new.payment_id for update;
    if payment.authorization_state is distinct from 'successful' then
      raise exception '%: payment % is not authorized', wanted, new.payment_id
        using errcode = 'integrity_constraint_violation';
    end if;
    if new.kind = 'capture' then
      perform guard_capture(new, payment);
      return new;
    end if;
    select c.amount into captured from payment_captures c
      where (c.payment_id, c.capture_id, c.state) = (new.payment_id, new.capture_id, 'successful');
    if captured is null then
      raise exception '%: capture % of payment % debited nothing', wanted, new.capture_id, new.payment_id
        using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  select coalesce(sum(o.amount), 0) into refunded
    from orders o
    where o.kind = 'refund' and (o.payment_id, o.capture_id) = (new.payment_id, new.capture_id)
      and not exists (select from order_sends s where s.order_id = o.order_id and s.state = 'failed');
  if refunded + new.amount > captured then
    raise exception '%: % cents are more than is left of %, % being refunded already',
      wanted, new.amount, captured, refunded
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;
comment on function guard_order is 'Refunds of a capture come to what it captured at most, captures of a payment to what was authorized; failed ones do not count.';

create function guard_capture(wanted orders, payment payments) returns void language plpgsql as $$
declare
  ordered bigint;
  earlier bigint;
  closed boolean;
begin
  select coalesce(sum(o.amount), 0), count(*), coalesce(bool_or(o.final_capture), false)
    into ordered, earlier, closed
    from orders o
    where o.kind = 'capture' and o.payment_id = wanted.payment_id
      and not exists (select from order_sends s where s.order_id = o.order_id and s.state = 'failed');
  if payment.plan <> 'EVENT_DEPENDENT' or payment.release_ordered_at is not null or payment.expired_at is not null
    or closed or (earlier > 0 and not (payment.partial_capture and payment.multiple_capture))
    or (wanted.amount < payment.amount and not payment.partial_capture)
    or ordered + wanted.amount > payment.amount
  then
    raise exception 'capture %: payment % does not take it', wanted.order_id, wanted.payment_id
      using errcode = 'integrity_constraint_violation';
  end if;
end
$$;

create view payment_captures as
  select p.payment_id, null as order_id, p.booking_id as capture_id, p.booking_state as state, p.amount,
    true as final_capture, p.booking_created_at as created_at, null::timestamptz(3) as created_real_at,
    null as detail, null as description
  from payments p where p.booking_id is not null
  union all
  select o.payment_id, o.order_id, s.service_id, s.state, o.amount, o.final_capture, o.created_at, o.created_real_at,
    s.detail, s.description
  from orders o
  left join lateral (select * from order_sends where order_id = o.order_id order by send desc limit 1) s on true
  where o.kind = 'capture';
comment on view payment_captures is 'Captures of one-time payments: booked by the service itself, or ordered here, with how their last send stands.';

-- The trail and the notices of one-time payments.
alter table events add column payment_id text collate "C";
create unique index events_of_payment_once on events (payment_id, change_key, ordinal) where payment_id is not null;
create index events_of_payment on events (payment_id, id desc) where payment_id is not null;

alter table notices alter column subscription_id drop not null;
alter table notices add column payment_id text collate "C" references payments (payment_id);
alter table notices add constraint notices_of_one_subject check (num_nonnulls(subscription_id, payment_id) = 1);
create unique index notices_of_payment_once on notices (payment_id, change_key, type) where payment_id is not null;

alter table reconciliation_differences alter column subscription_id drop not null;
alter table reconciliation_differences
  drop constraint reconciliation_differences_run_id_subscription_id_differenc_key;
alter table reconciliation_differences
  add constraint reconciliation_differences_once unique (run_id, payment_id, difference_key);
comment on column reconciliation_differences.subscription_id is 'Null for a one-time payment.';
comment on column reconciliation_runs.place is 'The payment compared last: a subscription''s id, or ~ and that of a one-time payment. A run that was interrupted goes on behind it.';

create index orders_captured_by_day on orders (created_at) where kind = 'capture';
create index payments_booked_by_day on payments (booking_created_at) where booking_id is not null;

-- Down Migration

drop index orders_captured_by_day;
alter table reconciliation_differences drop constraint reconciliation_differences_once;
delete from reconciliation_differences where subscription_id is null;
alter table reconciliation_differences
  add constraint reconciliation_differences_run_id_subscription_id_differenc_key unique (run_id, subscription_id, difference_key);
alter table reconciliation_differences alter column subscription_id set not null;
comment on column reconciliation_runs.place is 'The subscription compared last; a run that was interrupted goes on behind it.';
drop index notices_of_payment_once;
alter table notices drop constraint notices_of_one_subject;
alter table notices drop column payment_id;
drop index events_of_payment;
drop index events_of_payment_once;
alter table events drop column payment_id;
drop view payment_captures;
drop function guard_capture(orders, payments);
drop table payments;

alter trigger order_sends_never_emptied on order_sends rename to refund_sends_never_emptied;
alter trigger order_sends_kept on order_sends rename to refund_sends_kept;
alter trigger order_sends_guarded on order_sends rename to refund_sends_guarded;
alter function guard_order() rename to guard_refund;
alter function guard_order_send() rename to guard_refund_send;
alter function order_send_may_become(text, text) rename to refund_send_may_become;
alter index order_sends_by_payment rename to refund_sends_by_payment;
alter index order_sends_service_id rename to refund_sends_service_refund;
alter index order_sends_one_live_or_final_per_order rename to refund_sends_one_live_or_final_per_refund;
alter index order_sends_one_in_doubt_per_payment rename to refund_sends_one_in_doubt_per_payment;
alter index order_sends_pkey rename to refund_sends_pkey;
alter table order_sends rename column service_id to service_refund_id;
alter table order_sends rename column order_id to refund_id;
alter table order_sends rename to refund_sends;
alter trigger orders_never_emptied on orders rename to refunds_never_emptied;
alter trigger orders_kept on orders rename to refunds_kept;
alter trigger orders_guarded on orders rename to refunds_guarded;
drop index orders_of_payment;
alter index orders_by_age rename to refunds_by_age;
alter index orders_of_cycle rename to refunds_of_cycle;
alter index orders_pkey rename to refunds_pkey;
alter table orders drop column final_capture cascade;
alter table orders drop column kind cascade;
alter table orders rename column order_id to refund_id;
alter table orders rename to refunds;
