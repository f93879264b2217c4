-- Up Migration

create table jobs (
  job_id uuid primary key,
  kind text not null,
  state text not null default 'proposed' check (state in ('proposed', 'running', 'finished', 'stopped')),
  work jsonb not null,
  actor text not null,
  key_id text not null,
  role text not null,
  token_hash bytea unique,
  token_until_real timestamptz(3),
  begun_at timestamptz(3),
  created_real_at timestamptz(3) not null,
  ended_real_at timestamptz(3),
  constraint jobs_ended check ((state in ('finished', 'stopped')) = (ended_real_at is not null)),
  constraint jobs_begun check ((state = 'proposed') = (begun_at is null))
);
comment on table jobs is 'Long work that was ordered and that any process goes on with. Comparisons with the payment service are in reconciliation_runs.';
comment on column jobs.kind is 'bulk: one call for each of many subscriptions.';
comment on column jobs.state is 'proposed is a dry run: nothing of it is done before its token comes back.';
comment on column jobs.work is 'What is to be done. Of a bulk: action, parameters, and the filter that selects.';
comment on column jobs.actor is 'The name of the API key that ordered it; the trail names it with each call.';
comment on column jobs.key_id is 'Of that key: no other may start what it has proposed.';
comment on column jobs.role is 'Of that key when it asked; its calls are made with it.';
comment on column jobs.token_hash is 'SHA-256 of the token that a dry run gave, valid until token_until_real (real time) and once.';
comment on column jobs.begun_at is 'Business time.';

create index jobs_running on jobs (created_real_at) where state = 'running';
create index jobs_by_age on jobs (created_real_at);

create table job_items (
  job_id uuid not null references jobs on delete cascade,
  number integer not null check (number > 0),
  subscription_id text collate "C" not null,
  seen jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  problem jsonb,
  tries integer not null default 0 check (tries >= 0),
  leased_until timestamptz(3),
  done_at timestamptz(3),
  primary key (job_id, number),
  constraint job_items_refused_with_a_problem check ((state = 'refused') = (problem is not null)),
  constraint job_items_done_at_an_instant check ((state = 'waiting') = (done_at is null))
);
comment on table job_items is 'Each call that a job makes, and what became of it.';
comment on column job_items.seen is 'How the subscription stood in the dry run.';
comment on column job_items.problem is 'Why it was refused, as RFC 9457 problem details.';
comment on column job_items.leased_until is 'By the clock of PostgreSQL. Until then the process that has taken the item is at it; later, another one takes it.';
comment on column job_items.done_at is 'Business time.';

create index job_items_waiting on job_items (job_id, number) where state = 'waiting';

-- Down Migration

drop table job_items;
drop table jobs;
