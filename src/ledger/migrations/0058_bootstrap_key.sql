-- Up Migration

alter table api_keys add column is_bootstrap boolean not null default false;
comment on column api_keys.is_bootstrap is 'Configured by ADMIN_BOOTSTRAP_KEY, and good only while it is. It ends once there is another admin key, or another one is configured.';
comment on column events.key_id is 'Of the API key that acted, or whose session did; null where none of them did, and in entries of older releases.';
comment on column steering_requests.key_id is 'Of the API key that asks; null where none does.';

-- Down Migration

delete from sessions where key_id in (select key_id from api_keys where is_bootstrap);
delete from api_keys where is_bootstrap;
alter table api_keys drop column is_bootstrap;
comment on column events.key_id is 'Of the API key that acted, or whose session did; null where none of them did, and in entries of older releases. The bootstrap key is none of api_keys.';
comment on column steering_requests.key_id is 'Of the API key that asks; null where none does. The bootstrap key is none of api_keys.';
