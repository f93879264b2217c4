-- Up Migration

-- A payer's events are found by it, those without a place too.
create index concurrently merchant_events_by_subscription on merchant_events (subscription_id, position)
  where subscription_id is not null;

-- Down Migration

drop index merchant_events_by_subscription;
