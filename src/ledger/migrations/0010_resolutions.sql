-- Up Migration

alter table attempts
  add column resolved_by text,
  add column evidence text,
  drop constraint attempts_debit_is_named,
  add constraint attempts_debit_is_named check (
    state not in ('pending', 'successful', 'capture_failed') or authorization_id is not null or resolved_by is not null
  ),
  add constraint attempts_resolved_with_evidence check ((resolved_by is null) = (evidence is null));
comment on column attempts.resolved_by is 'The person who decided what became of it, where the service could not be asked or its answer fitted nothing.';

-- Down Migration

alter table attempts
  drop constraint attempts_resolved_with_evidence,
  drop constraint attempts_debit_is_named,
  drop column resolved_by,
  drop column evidence,
  add constraint attempts_debit_is_named check (
    state not in ('pending', 'successful', 'capture_failed') or authorization_id is not null
  );
