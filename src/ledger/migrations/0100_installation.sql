-- Up Migration

create table installation (
  is_only boolean primary key default true check (is_only),
  settings_key text not null default gen_random_uuid()::text || gen_random_uuid()::text,
  temporal_namespace_id text,
  sending_since timestamptz(3),
  closed_before_real timestamptz(3),
  copied_real_at timestamptz(3),
  copy_waits boolean not null default false
);
comment on table installation is 'One row: what this ledger knows of the installation that works on it.';
comment on column installation.settings_key is 'Random, since the first migration: the key under which settings are hashed in used_settings.';
comment on column installation.temporal_namespace_id is 'The id of the Temporal namespace in which the workflows of this ledger run. Null until the first process has started.';
comment on column installation.sending_since is 'Business time at which sending was last allowed again. Null if it was never halted.';
comment on column installation.closed_before_real is 'Real time up to which workflows that closed were looked for.';
comment on column installation.copied_real_at is 'Real time at which an admin declared this ledger a copy. Null if it is none.';
comment on column installation.copy_waits is 'It is a copy, and no process has started yet with settings of its own: nothing is sent.';
insert into installation default values;

create table used_settings (
  name text not null,
  hash text not null,
  is_refused boolean not null default false,
  primary key (name, hash)
);
comment on table used_settings is 'Credentials and addresses with which processes have worked on this ledger, by name of the variable.';
comment on column used_settings.hash is 'HMAC-SHA256 of the value under installation.settings_key, in hex.';
comment on column used_settings.is_refused is 'They belong to the ledger of which this one is a copy: no process starts with them.';

create or replace function ledger_identity() returns text language sql volatile
  return case when not pg_is_in_recovery() then format(
    '%s/%s/%s/%s',
    (select system_identifier from pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (select oid from pg_database where datname = current_database()),
    'restore_guard'::regclass::oid
  ) end;
comment on function ledger_identity is 'Cluster, timeline, database and table: another one after a recovery to a point in time, a promotion, the loading of a dump, or a copy of the database. Null on a standby.';
update restore_guard set identity = ledger_identity()
  where noticed_at is null and ledger_identity() like split_part(identity, '/', 1) || '/' || split_part(identity, '/', 2) || '/%/' || split_part(identity, '/', 3);

alter table event_feed add column restores bigint not null default 0 check (restores >= 0);
comment on column event_feed.restores is 'How often the ledger was accepted after a restore. Sequences continue 1,000 higher each time.';
alter table event_sequences add column restores bigint not null default 0 check (restores >= 0);
comment on column event_sequences.restores is 'Of event_feed, when a number was last given.';

-- Down Migration

alter table event_sequences drop column restores;
alter table event_feed drop column restores;
create or replace function ledger_identity() returns text language sql volatile
  return case when not pg_is_in_recovery() then format(
    '%s/%s/%s',
    (select system_identifier from pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8),
    'restore_guard'::regclass::oid
  ) end;
comment on function ledger_identity is 'Cluster, timeline and table: another one after a recovery to a point in time, a promotion, or the loading of a dump. Null on a standby.';
update restore_guard set identity = ledger_identity()
  where noticed_at is null and ledger_identity() = split_part(identity, '/', 1) || '/' || split_part(identity, '/', 2) || '/' || split_part(identity, '/', 4);
drop table used_settings;
drop table installation;
