-- Up Migration

create table reconciliation_runs (
  run_id text collate "C" primary key,
  span_from timestamptz(3) not null,
  span_to timestamptz(3) not null,
  actor text not null,
  state text not null default 'running' check (state in ('running', 'compared', 'service_unavailable')),
  place text collate "C" not null default '',
  payments integer not null default 0 check (payments >= 0),
  reason text,
  begun_at timestamptz(3) not null,
  begun_real_at timestamptz(3) not null,
  ended_real_at timestamptz(3),
  constraint reconciliation_runs_span check (span_to > span_from),
  constraint reconciliation_runs_ended check ((state = 'running') = (ended_real_at is null))
);
comment on table reconciliation_runs is 'One comparison of the ledger with the payment service each.';
comment on column reconciliation_runs.place is 'The subscription compared last; a run that was interrupted goes on behind it.';
comment on column reconciliation_runs.begun_at is 'Business time.';

create index reconciliation_runs_by_age on reconciliation_runs (begun_real_at);

create table reconciliation_differences (
  run_id text collate "C" not null references reconciliation_runs on delete cascade,
  number bigserial,
  subscription_id text collate "C" not null,
  payment_id text collate "C" not null,
  difference_key text collate "C" not null,
  kind text not null,
  cycle integer,
  authorization_id text collate "C",
  capture_id text collate "C",
  refund_id text collate "C",
  service_refund_id text collate "C",
  ledger_state text,
  ledger_amount bigint,
  ledger_at timestamptz(3),
  service_state text,
  service_amount bigint,
  service_at timestamptz(3),
  reason text,
  primary key (run_id, number),
  unique (run_id, subscription_id, difference_key),
  constraint reconciliation_differences_ledger_whole check (num_nulls(ledger_state, ledger_amount, ledger_at) in (0, 3)),
  constraint reconciliation_differences_service_whole check (num_nulls(service_state, service_amount, service_at) in (0, 3))
);
comment on table reconciliation_differences is 'What a run found to differ. Without personal data.';

-- Down Migration

drop table reconciliation_differences;
drop table reconciliation_runs;
