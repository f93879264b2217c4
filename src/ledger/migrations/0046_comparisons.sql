-- Up Migration

create table comparisons (
  place text collate "C" primary key,
  payment_id text collate "C" not null,
  waits_since timestamptz(3) not null,
  newest_entry bigint not null,
  compared_entry bigint not null default 0,
  run_id text collate "C"
);
comment on table comparisons is 'Payments that are held against the service day by day, and how far that has come.';
comment on column comparisons.place is 'The subscription''s id; of a one-time payment its request_id behind a ~, so that these come last.';
comment on column comparisons.waits_since is 'Business time: when it was compared last; of one never compared, when it was created.';
comment on column comparisons.newest_entry is 'Of its trail, as far as that has been read.';
comment on column comparisons.compared_entry is 'newest_entry as it was when it was compared last: a newer one is a change to compare.';
comment on column comparisons.run_id is 'The daily run that compared it last.';

create index comparisons_by_age on comparisons (waits_since, place);
create index comparisons_changed on comparisons (place) where newest_entry > compared_entry;

create table daily_looks (
  look text primary key check (look in ('payments', 'consents', 'workflows')),
  finished_at timestamptz(3),
  entry bigint not null default 0
);
comment on table daily_looks is 'How the work of each day gets on.';
comment on column daily_looks.finished_at is 'Business time at which one last came to its end.';
comment on column daily_looks.entry is 'Of payments: the trail has been read up to it.';

alter table subscriptions add column consent_looked_for timestamptz(3);
comment on column subscriptions.consent_looked_for is 'The due date for which the daily look has asked for the consent, and found it standing.';
create index subscriptions_consents_to_look_at on subscriptions (next_due_at, subscription_id)
  where status in ('active', 'paused') and payment_id is not null and consent_looked_for is distinct from next_due_at;

-- Down Migration

drop index subscriptions_consents_to_look_at;
alter table subscriptions drop column consent_looked_for;
drop table daily_looks;
drop table comparisons;
