-- Up Migration

-- Collections are summed from the index alone, without their rows.
create index concurrently cycles_sums_by_due on cycles (due_at) include (status, amount);

-- Down Migration

drop index cycles_sums_by_due;
