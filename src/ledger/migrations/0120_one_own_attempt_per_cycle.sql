-- Up Migration

-- A refused attempt that is followed again may be so beside a later one: then the service itself contradicts its refusal.
create unique index concurrently attempts_one_own_per_cycle on attempts (subscription_id, cycle)
  where state in ('sending', 'pending', 'unknown', 'unresolved', 'successful', 'capture_failed') and refused_as is null;

-- Down Migration

drop index attempts_one_own_per_cycle;
