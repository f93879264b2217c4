-- Up Migration

create table schema_floor (
  is_only boolean primary key default true check (is_only),
  migration text not null
);
comment on table schema_floor is
  'One row: what a program must know to run on this schema. A release runs on the schema of the next one, which only adds.';
comment on column schema_floor.is_only is 'True: there is no second row.';
comment on column schema_floor.migration is
  'Name of the newest migration that a program must know. One that takes away what an older release uses sets it to its own name, or to that of a migration of the release that stopped using it.';
insert into schema_floor (migration) values ('0057_schema_floor');

-- Down Migration

drop table schema_floor;
