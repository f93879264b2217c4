-- Up Migration

alter table subscriptions add column upcoming_for timestamptz(3);
comment on column subscriptions.upcoming_for is 'The due date of the cycle that was announced last as upcoming. Null where none was since the column was added: the trail may have it.';

alter table event_feed add column epoch bigint not null default 0 check (epoch >= 0);
comment on column event_feed.epoch is 'Raised with each restore that is noticed: a restored ledger gives positions anew to other events, and takes no cursor of an earlier epoch.';

-- Down Migration

alter table event_feed drop column epoch;
alter table subscriptions drop column upcoming_for;
