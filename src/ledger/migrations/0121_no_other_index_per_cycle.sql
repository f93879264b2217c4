-- Up Migration

-- attempts_one_own_per_cycle stands for it.
drop index concurrently if exists attempts_one_live_or_won_per_cycle;

-- Down Migration

create unique index attempts_one_live_or_won_per_cycle on attempts (subscription_id, cycle)
  where state in ('sending', 'pending', 'unknown', 'unresolved', 'successful', 'capture_failed');
