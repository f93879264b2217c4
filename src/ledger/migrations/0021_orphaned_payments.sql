-- Up Migration

-- Attention lists them beside subscriptions, newest first.
drop index payments_orphaned;
create index payments_orphaned on payments (created_at, request_id) where orphaned_at is not null;

-- Down Migration

drop index payments_orphaned;
create index payments_orphaned on payments (orphaned_at) where orphaned_at is not null;
