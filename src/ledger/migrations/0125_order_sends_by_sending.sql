-- Up Migration

-- As attempts_by_sending.
create index concurrently order_sends_by_sending on order_sends (sending_real_at);

-- Down Migration

drop index order_sends_by_sending;
