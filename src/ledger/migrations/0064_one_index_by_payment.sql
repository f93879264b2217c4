-- Up Migration

-- merchant_events_by_payment stands for it.
drop index concurrently if exists merchant_events_of_payment;

-- Down Migration

create index merchant_events_of_payment on merchant_events (payment_id, position)
  where position is not null and payment_id is not null;
