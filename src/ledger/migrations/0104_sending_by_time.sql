-- Up Migration

-- Sends without any outcome are found without reading the attempts that have one.
create index concurrently attempts_sending on attempts (sending_real_at, subscription_id) where state = 'sending';

-- Down Migration

drop index attempts_sending;
