-- Up Migration

-- cycles_sums_by_due stands for it.
drop index concurrently if exists cycles_by_due;

-- Down Migration

create index cycles_by_due on cycles (due_at);
