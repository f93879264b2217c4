-- Up Migration

create table merchant_events (
  number bigint generated always as identity primary key,
  event_id text collate "C" not null default 'evt_' || replace(gen_random_uuid()::text, '-', ''),
  type text not null,
  subscription_id text collate "C",
  payment_id text collate "C",
  at timestamptz(3) not null,
  recorded_real_at timestamptz(3) not null default clock_timestamp(),
  is_test boolean not null default false,
  data jsonb not null,
  position bigint,
  sequence bigint,
  constraint merchant_events_of_one_subject check (num_nonnulls(subscription_id, payment_id) <= 1),
  constraint merchant_events_in_order_once_placed check (
    (sequence is not null) = (position is not null and num_nonnulls(subscription_id, payment_id) = 1)
  )
);
comment on table merchant_events is 'What the merchant''s systems are told: facts of the trail, written in the transaction of the change. Without personal data; the payer''s reference is added where it leaves.';
comment on column merchant_events.number is 'The order of writing; a transaction that commits late leaves a gap for a while.';
comment on column merchant_events.event_id is 'The webhook-id, the same over repetitions and replays.';
comment on column merchant_events.subscription_id is 'Null for an event of a one-time payment, and of neither.';
comment on column merchant_events.payment_id is 'Of a one-time payment; null for an event of a subscription.';
comment on column merchant_events.at is 'Business time; recorded_real_at is real time by the clock of PostgreSQL.';
comment on column merchant_events.is_test is 'For one endpoint only, and in no list: it has no position.';
comment on column merchant_events.position is 'Its place among all events, given after commit by one process at a time, without gaps. Null until then.';
comment on column merchant_events.sequence is 'Rises by one within a subscription or a one-time payment; given with the position.';

create unique index merchant_events_by_id on merchant_events (event_id);
create index merchant_events_to_place on merchant_events (number) where position is null and not is_test;
create unique index merchant_events_placed on merchant_events (position) where position is not null;
create index merchant_events_of_subscription on merchant_events (subscription_id, position)
  where position is not null and subscription_id is not null;
create index merchant_events_of_payment on merchant_events (payment_id, position)
  where position is not null and payment_id is not null;
create index merchant_events_by_type on merchant_events (type, position) where position is not null;

create table event_sequences (
  subject text collate "C" primary key,
  last bigint not null check (last > 0)
);
comment on table event_sequences is 'The sequence given last, by subject: subscription/<id> or payment/<id>. It outlives the events.';

create table event_feed (
  is_only boolean primary key default true check (is_only),
  placed bigint not null default 0 check (placed >= 0),
  purged bigint not null default 0 check (purged >= 0)
);
insert into event_feed default values;
comment on table event_feed is 'One row: the position given last, and the last one whose event is gone. Whoever gives positions locks it.';

-- Down Migration

drop table event_feed;
drop table event_sequences;
drop table merchant_events;
