-- Up Migration

-- A retry may be answered with the authorization that was refused before: then it is that one, open again.
create unique index concurrently attempts_authorization_in_use on attempts (payment_id, authorization_id)
  where authorization_id is not null and state not in ('rejected', 'rejected_retryable');

-- Down Migration

drop index attempts_authorization_in_use;
