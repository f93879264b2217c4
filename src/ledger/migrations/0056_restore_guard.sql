-- Up Migration

create table restore_guard (
  is_only boolean primary key default true check (is_only),
  identity text not null,
  accepted_real_at timestamptz(3) not null default now(),
  noticed_identity text,
  noticed_at timestamptz(3),
  noticed_real_at timestamptz(3),
  reason text,
  constraint restore_guard_noticed_as_a_whole check (num_nulls(noticed_identity, noticed_at, noticed_real_at, reason) in (0, 4))
);
comment on table restore_guard is 'One row: the database in which the ledger was accepted last. Where it is another one, or a restore was noticed, nothing is sent.';
comment on column restore_guard.identity is 'What ledger_identity() answered when the ledger was made, or when a comparison with the payment service passed after a restore.';
comment on column restore_guard.accepted_real_at is 'Real time of that, by PostgreSQL''s clock. What was seen of the trail earlier proves no restore any more.';
comment on column restore_guard.noticed_identity is 'What ledger_identity() answered when a restore was noticed. Null, as the three columns behind it, where none stands.';
comment on column restore_guard.noticed_at is 'Business time.';
comment on column restore_guard.noticed_real_at is 'Real time: a comparison that began earlier proves nothing.';
comment on column restore_guard.reason is 'What was seen.';

create function ledger_identity() returns text language sql volatile
  return case when not pg_is_in_recovery() then format(
    '%s/%s/%s',
    (select system_identifier from pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8),
    'restore_guard'::regclass::oid
  ) end;
comment on function ledger_identity is 'Cluster, timeline and table: another one after a recovery to a point in time, a promotion, or the loading of a dump. Null on a standby.';

insert into restore_guard (identity) values (ledger_identity());

-- Down Migration

drop function ledger_identity();
drop table restore_guard;
