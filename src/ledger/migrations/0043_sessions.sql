-- Up Migration

create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  key_id uuid not null,
  created_real_at timestamptz(3) not null,
  used_real_at timestamptz(3) not null,
  ends_real_at timestamptz(3) not null,
  constraint sessions_end_after_they_begin check (ends_real_at > created_real_at)
);
comment on table sessions is 'People who signed in to the console with an API key. In the ledger, so that every process of the API knows them.';
comment on column sessions.token_hash is 'SHA-256 of the token that only the browser holds: 256 random bits, as of an API key.';
comment on column sessions.key_id is 'Of the API key that was exchanged, or of the bootstrap key, which has no row. The session ends with it.';
comment on column sessions.used_real_at is 'The last request that a person made, to within a thirtieth of the idle time.';
comment on column sessions.ends_real_at is 'Whatever happens, it has ended then.';

create index sessions_by_end on sessions (ends_real_at);

-- Down Migration

drop table sessions;
