-- Up Migration

-- merchant_events_by_subscription stands for it.
drop index concurrently if exists merchant_events_of_subscription;

-- Down Migration

create index merchant_events_of_subscription on merchant_events (subscription_id, position)
  where position is not null and subscription_id is not null;
