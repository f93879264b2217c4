-- Up Migration

-- What was announced is not read again, every few seconds, until it is due.
create index concurrently subscriptions_to_announce on subscriptions (next_due_at)
  where status = 'active' and hold is null and upcoming_for is distinct from next_due_at;

-- Down Migration

drop index subscriptions_to_announce;
