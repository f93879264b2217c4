-- Up Migration

-- Who is to take a subscription's place is asked as its workflow is begun anew.
create index concurrently subscriptions_replacing on subscriptions (replaces) where replaces is not null;

-- Down Migration

drop index subscriptions_replacing;
