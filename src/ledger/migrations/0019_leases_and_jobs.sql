-- Up Migration

alter table idempotency_keys add column run_id uuid, add column leased_until timestamptz(3);
comment on column idempotency_keys.run_id is 'The run that has the key: a new one with each take-over. Null in rows of an older release.';
comment on column idempotency_keys.leased_until is 'By the clock of PostgreSQL. Renewed while the request runs; a run whose lease is over has died with its process. Null where it is done, and in rows of an older release.';

alter table reconciliation_runs drop constraint reconciliation_runs_state_check;
alter table reconciliation_runs add constraint reconciliation_runs_state_check
  check (state in ('running', 'compared', 'service_unavailable', 'stopped'));

alter table subscriptions add column request_id text collate "C";
comment on column subscriptions.request_id is 'Follows from API key, Idempotency-Key and body of the request that created it: the same request, repeated, meets what it made. Null where no key came.';

-- Down Migration

alter table subscriptions drop column request_id;
update reconciliation_runs set state = 'service_unavailable', reason = coalesce(reason, 'stopped') where state = 'stopped';
alter table reconciliation_runs drop constraint reconciliation_runs_state_check;
alter table reconciliation_runs add constraint reconciliation_runs_state_check
  check (state in ('running', 'compared', 'service_unavailable'));
alter table idempotency_keys drop column leased_until, drop column run_id;
