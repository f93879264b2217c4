-- Up Migration

-- Retries that are late are found without reading the cycles that are not in dunning.
create index concurrently cycles_to_retry on cycles (next_attempt_at, subscription_id) where status = 'dunning';

-- Down Migration

drop index cycles_to_retry;
