-- Up Migration

create table webhook_endpoints (
  endpoint_id text collate "C" primary key,
  url text,
  description text,
  types text[] not null check (cardinality(types) > 0),
  enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('asked_for', 'gone', 'failing')),
  was_disabled boolean not null default false,
  secret text,
  previous_secret text,
  previous_until_real timestamptz(3),
  failing_since_real timestamptz(3),
  fanned_out bigint not null default 0,
  created_real_at timestamptz(3) not null default clock_timestamp(),
  constraint webhook_endpoints_whole check ((endpoint_id = 'env') = (num_nulls(url, secret) = 2)),
  constraint webhook_endpoints_disabled_for_a_reason check (enabled = (disabled_reason is null)),
  constraint webhook_endpoints_overlap_whole check (num_nulls(previous_secret, previous_until_real) in (0, 2))
);
insert into webhook_endpoints (endpoint_id, types)
  values ('env', '{consent.failed,cycle.missed,cycle.failed,cycle.unresolved,capture.deadline_near}');
comment on table webhook_endpoints is 'Where events are posted. env is EVENT_WEBHOOK_URL: its address and secret are in the environment, its notices go their own way.';
comment on column webhook_endpoints.types is 'Types, *, or all of a subject such as cycle.*.';
comment on column webhook_endpoints.secret is 'whsec_…, encrypted where SECRETS_KEYS is set.';
comment on column webhook_endpoints.previous_secret is 'Signs beside the new one until previous_until_real.';
comment on column webhook_endpoints.was_disabled is 'For failing or by 410, and nothing has been delivered since.';
comment on column webhook_endpoints.failing_since_real is 'The first failed try after which none was delivered. Real time, as all instants of this table.';
comment on column webhook_endpoints.fanned_out is 'The position up to which deliveries were made of the events that it wants.';

create table event_replays (
  job_id uuid primary key,
  endpoint_id text collate "C" not null references webhook_endpoints on delete cascade,
  types text[] not null,
  since timestamptz(3) not null,
  until timestamptz(3),
  only_failed boolean not null,
  place bigint not null,
  last bigint not null,
  total bigint not null,
  state text not null default 'running' check (state in ('running', 'queued', 'stopped')),
  actor text not null,
  begun_at timestamptz(3) not null,
  created_real_at timestamptz(3) not null default clock_timestamp()
);
create index event_replays_to_queue on event_replays (created_real_at) where state = 'running';
comment on table event_replays is 'Events to be delivered again. Running until each has a delivery; how these fare is in webhook_deliveries.';
comment on column event_replays.since is 'Business time of the events, inclusive; until is exclusive.';
comment on column event_replays.place is 'The position queued last; last is that of the last event.';

create table webhook_deliveries (
  delivery_id bigint generated always as identity primary key,
  endpoint_id text collate "C" not null references webhook_endpoints on delete cascade,
  event_id text collate "C" not null references merchant_events (event_id) on delete cascade,
  subject text collate "C" not null,
  again boolean not null default false,
  place bigint not null,
  job_id uuid references event_replays on delete set null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  tries integer not null default 0 check (tries >= 0),
  next_try_real_at timestamptz(3) not null default clock_timestamp(),
  created_real_at timestamptz(3) not null default clock_timestamp(),
  ended_real_at timestamptz(3),
  last_status integer,
  constraint webhook_deliveries_ended check ((state = 'pending') = (ended_real_at is null))
);
create unique index webhook_deliveries_once on webhook_deliveries (endpoint_id, event_id) where not again;
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, subject, again, place, delivery_id)
  where state = 'pending';
create index webhook_deliveries_dead on webhook_deliveries (endpoint_id, delivery_id) where state = 'dead';
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, delivery_id desc);
create index webhook_deliveries_of_event on webhook_deliveries (event_id);
create index webhook_deliveries_of_job on webhook_deliveries (job_id) where job_id is not null;
comment on table webhook_deliveries is 'One event on its way to one endpoint. A replay or a resend is one of its own.';
comment on column webhook_deliveries.subject is 'What goes one at a time: a subscription, a payment, or the event itself where it is of neither.';
comment on column webhook_deliveries.again is 'A replay or a resend: behind all that is live.';
comment on column webhook_deliveries.place is 'The event''s sequence within the subject.';
comment on column webhook_deliveries.next_try_real_at is 'Real time by the clock of PostgreSQL, as all instants of this table.';

create table webhook_queues (
  endpoint_id text collate "C" not null references webhook_endpoints on delete cascade,
  subject text collate "C" not null,
  again boolean not null,
  next_try_real_at timestamptz(3) not null,
  claim_id uuid,
  claimed_until timestamptz(3),
  primary key (endpoint_id, subject)
);
create index webhook_queues_due on webhook_queues (endpoint_id, again, next_try_real_at);
comment on table webhook_queues is 'Subjects that have something pending at an endpoint. Whoever adds a delivery or ends one locks this row, and whoever sends claims it.';
comment on column webhook_queues.next_try_real_at is 'Of the delivery whose turn it is; again says whether that one is a replay.';
comment on column webhook_queues.claimed_until is 'By the clock of PostgreSQL. A claim that is over was that of a process that is gone.';

create table webhook_tries (
  delivery_id bigint not null references webhook_deliveries on delete cascade,
  try integer not null,
  real_at timestamptz(3) not null,
  status integer,
  ms integer not null,
  error text,
  answer text,
  primary key (delivery_id, try)
);
create index webhook_tries_answered on webhook_tries (real_at) where answer is not null;
comment on table webhook_tries is 'Each try of a delivery.';
comment on column webhook_tries.answer is 'The first 2 kB of the answer''s body, as text, for 7 days.';

-- Down Migration

drop table webhook_tries;
drop table webhook_queues;
drop table webhook_deliveries;
drop table event_replays;
drop table webhook_endpoints;
