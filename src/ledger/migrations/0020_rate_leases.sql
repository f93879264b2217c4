-- Up Migration

create table rate_leases (
  lease_id uuid primary key,
  joined_at timestamptz(3) not null,
  renewed_at timestamptz(3) not null
);
comment on table rate_leases is 'Processes that share the capped calls to the payment service. Real time by the clock of PostgreSQL.';
comment on column rate_leases.lease_id is 'A new one where a process was late to renew it.';

-- Down Migration

drop table rate_leases;
