-- Up Migration

alter table subscriptions
  add column collect_from timestamptz(3),
  add column collected_elsewhere boolean,
  add constraint subscriptions_imported_whole check ((collect_from is null) = (collected_elsewhere is null));
comment on column subscriptions.collect_from is 'Of a subscription whose consent was granted elsewhere: nothing due before it is collected here. Null for one that was created here.';
comment on column subscriptions.collected_elsewhere is 'Whether a cycle had been collected before the import.';

-- Down Migration

alter table subscriptions
  drop constraint subscriptions_imported_whole,
  drop column collected_elsewhere,
  drop column collect_from;
