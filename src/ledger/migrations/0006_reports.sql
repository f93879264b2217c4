-- Up Migration

create index cycles_by_due on cycles (due_at);
create index cycles_open_by_deadline on cycles (least(retry_until, collect_by), subscription_id, due_at)
  where status in ('collecting', 'dunning', 'unresolved');
create index cycles_skipped on cycles (subscription_id, due_at) where status = 'skipped';

-- Down Migration

drop index cycles_skipped;
drop index cycles_open_by_deadline;
drop index cycles_by_due;
