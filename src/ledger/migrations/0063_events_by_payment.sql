-- Up Migration

-- A payer's events are found by it, those without a place too.
create index concurrently merchant_events_by_payment on merchant_events (payment_id, position)
  where payment_id is not null;

-- Down Migration

drop index merchant_events_by_payment;
