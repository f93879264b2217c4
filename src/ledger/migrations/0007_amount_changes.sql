-- Up Migration

alter table subscriptions
  add column pending_change jsonb,
  add column last_increase_at timestamptz(3);
comment on column subscriptions.pending_change is 'An accepted change of amount that no cycle has collected yet.';
comment on column subscriptions.last_increase_at is 'createdAt of the first successful authorization at the last increase that the six-month rule counts.';

-- Down Migration

alter table subscriptions drop column pending_change, drop column last_increase_at;
