-- Up Migration

alter table events add column key_id uuid;
comment on column events.key_id is 'Of the API key that acted, or whose session did; null where none of them did, and in entries of older releases. The bootstrap key is none of api_keys.';

create index events_by_key on events (key_id, id desc) where key_id is not null;

alter table payments add column key_id uuid;
comment on column payments.key_id is 'Of the API key that asked for it: the trail names it once the service has answered.';

alter table jobs add column acting_key_id text;
comment on column jobs.acting_key_id is 'Of the API key that has begun it, which the trail names with each call; key_id is the first of its line.';

-- Down Migration

alter table jobs drop column acting_key_id;
alter table payments drop column key_id;
drop index events_by_key;
alter table events drop column key_id;
