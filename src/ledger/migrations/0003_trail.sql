-- Up Migration

create table events (
  id bigserial primary key,
  subscription_id text collate "C",
  change_key text collate "C",
  ordinal integer not null default 0,
  at timestamptz(3) not null,
  recorded_at timestamptz(3) not null default now(),
  actor text not null,
  type text not null,
  data jsonb not null default '{}',
  unique (subscription_id, change_key, ordinal)
);
comment on table events is 'The trail: every decision and every change, in the order they were made. Append-only, without personal data.';
comment on column events.at is 'Business time; recorded_at is real time.';

create index events_of_subscription on events (subscription_id, id desc);

create trigger events_append_only before update or delete on events
  for each row execute function refuse_change();
create trigger events_never_emptied before truncate on events
  for each statement execute function refuse_change();

create table notices (
  notice_id text collate "C" primary key check (notice_id like 'msg\_%'),
  subscription_id text collate "C" not null references subscriptions,
  change_key text collate "C",
  type text not null check (
    type in (
      'payment.failed', 'payment.increase_announced',
      'subscription.paused', 'subscription.resumed', 'subscription.cancelled', 'subscription.completed',
      'consent.failed', 'cycle.missed', 'cycle.failed', 'cycle.unresolved', 'capture.deadline_near'
    )
  ),
  cycle integer,
  attempt integer,
  data jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'undeliverable')),
  deliveries integer not null default 0 check (deliveries >= 0),
  created_at timestamptz(3) not null,
  delivered_at timestamptz(3),
  delivered_real_at timestamptz(3),
  channel text,
  evidence jsonb,
  last_error text,
  constraint notices_delivered_with_evidence check (
    (state = 'delivered') = (num_nulls(delivered_at, delivered_real_at, channel, evidence) = 0)
  ),
  constraint notices_failure_names_its_attempt check (
    type <> 'payment.failed' or (cycle is not null and attempt is not null)
  )
);
comment on table notices is 'What payers and the merchant are told. The payer is added on delivery; no personal data is stored here.';
comment on column notices.evidence is 'Why it counts as delivered: the webhook''s status, the mail server''s answer. A retry stands on it.';

create unique index notices_ordered_once
  on notices (subscription_id, change_key, type, coalesce(cycle, -1), coalesce(attempt, -1))
  where change_key is not null;
create unique index notices_one_per_failure on notices (subscription_id, cycle, attempt) where type = 'payment.failed';
create index notices_waiting on notices (created_at, notice_id) where state = 'pending';

create table changes (
  subscription_id text collate "C" not null references subscriptions,
  change_key text collate "C" not null,
  at timestamptz(3) not null,
  notice_ids text[] not null default '{}',
  primary key (subscription_id, change_key)
);
comment on table changes is 'Keys of the changes already written, so that a repeated one is answered and not written again.';

-- Down Migration

drop table changes;
drop table notices;
drop table events;
