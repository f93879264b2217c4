-- Up Migration

create function attention_id(item_key text) returns text language sql immutable strict parallel safe
  return 'att_' || left(encode(sha256(convert_to(item_key, 'UTF8')), 'hex'), 24);
comment on function attention_id is 'The same matter has the same id, however often it comes back.';

create table attention_items (
  item_id text collate "C" primary key,
  number bigint generated always as identity unique,
  source text not null,
  kind text not null,
  subscription_id text collate "C",
  payment_id text collate "C",
  cycle integer,
  order_id text collate "C",
  amount bigint check (amount >= 0),
  since timestamptz(3) not null,
  deadline timestamptz(3),
  ledger jsonb,
  service jsonb,
  assignee text,
  note text,
  closed_real_at timestamptz(3),
  closed_by text,
  close_reason text,
  constraint attention_items_closed_with_a_reason check (num_nulls(closed_by, close_reason) in (0, 2))
);
comment on table attention_items is 'What waits, or has waited, for a person. Written in the transaction of what it is about.';
comment on column attention_items.number is 'The order in which they came, for those that are alike in what they are sorted by.';
comment on column attention_items.source is 'standing: of a subscription''s attention; payment, order, difference, halt.';
comment on column attention_items.kind is 'Of a standing its matter without the cycle; of a difference that of the comparison.';
comment on column attention_items.amount is 'Cents that it is about; null where it is about no money.';
comment on column attention_items.since is 'Business time.';
comment on column attention_items.deadline is 'Until when a person can still change something; null where nothing ends.';
comment on column attention_items.ledger is 'What the ledger says of a difference or an order: state, amount, at, id, detail.';
comment on column attention_items.service is 'What the payment service says of it.';
comment on column attention_items.closed_real_at is 'Real time; null while it waits.';
comment on column attention_items.close_reason is 'Of a person, who is closed_by. Null where the matter has ended.';

create index attention_items_by_age on attention_items (since, number) where closed_real_at is null;
create index attention_items_by_deadline on attention_items
  (coalesce(deadline, timestamptz '9999-12-31 23:59:59.999+00'), number) where closed_real_at is null;
create index attention_items_by_amount on attention_items (coalesce(amount, 0), number) where closed_real_at is null;
create index attention_items_of_subscription on attention_items (subscription_id) where closed_real_at is null;
create index attention_items_of_payment on attention_items (payment_id) where closed_real_at is null;

insert into attention_items (item_id, source, kind, subscription_id, cycle, amount, since)
  select attention_id(format('subscription/%s/%s', subscription_id, matter)), 'standing', split_part(matter, ':', 1),
    subscription_id, substring(matter from ':(\d{1,6})$')::integer, amount, now()
  from subscriptions, unnest(attention) as matter
  on conflict do nothing;
insert into attention_items (item_id, source, kind, payment_id, amount, since, deadline)
  select attention_id(format('payment/%s/orphaned', payment_id)), 'payment', 'orphaned', payment_id, amount, orphaned_at, capture_by
  from payments where orphaned_at is not null;
insert into attention_items (item_id, source, kind, subscription_id, payment_id, cycle, order_id, amount, since, ledger)
  select attention_id(format('order/%s', o.order_id)), 'order', o.kind || '_unresolved', o.subscription_id, o.payment_id,
    o.cycle, o.order_id, o.amount, s.at, jsonb_build_object('state', s.state, 'detail', s.reason)
  from order_sends s join orders o using (order_id) where s.state = 'unresolved';
insert into attention_items (item_id, source, kind, since)
  select attention_id('halt'), 'halt', 'sending_halted', since from halt;

-- Down Migration

drop table attention_items;
drop function attention_id(text);
