-- Up Migration

-- The lists of subscriptions and payments in the order of what falls due, from any place on.
create index subscriptions_in_due_order on subscriptions (next_due_at, subscription_id) where next_due_at is not null;
drop index subscriptions_by_due;
create index payments_in_deadline_order on payments (capture_by, request_id) where capture_by is not null;

-- Down Migration

drop index payments_in_deadline_order;
create index subscriptions_by_due on subscriptions (next_due_at) where next_due_at is not null;
drop index subscriptions_in_due_order;
