-- Up Migration

-- The last POSTs of the whole installation: while none is answered, few are sent.
create index concurrently attempts_by_sending on attempts (sending_real_at);

-- Down Migration

drop index attempts_by_sending;
