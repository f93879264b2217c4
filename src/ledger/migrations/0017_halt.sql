-- Up Migration

create table halt (
  is_halted boolean primary key default true check (is_halted),
  since timestamptz(3) not null,
  halted_by text not null,
  reason text not null
);
comment on table halt is 'One row while all sending of the installation is halted, else none. The trail keeps those that were lifted.';
comment on column halt.since is 'Business time.';
comment on column halt.halted_by is 'The name of the API key.';

-- Down Migration

drop table halt;
