-- Up Migration

create table api_keys (
  key_id uuid primary key,
  name text not null,
  role text not null check (role in ('viewer', 'operator', 'admin')),
  hash bytea not null unique check (octet_length(hash) = 32),
  created_real_at timestamptz(3) not null,
  revoked_real_at timestamptz(3),
  last_used_real_at timestamptz(3)
);
comment on table api_keys is 'Keys of the admin API. Revoked ones stay: the trail names them.';
comment on column api_keys.hash is 'SHA-256 of the key. A slow hash protects secrets that people choose; these are 256 random bits, which nobody can try through, and a plain one can be looked up by index.';

create table idempotency_keys (
  api_key_id text collate "C" not null,
  key text collate "C" not null,
  method_path text not null,
  body_hash bytea not null,
  state text not null default 'running' check (state in ('running', 'done')),
  status integer,
  body json,
  headers jsonb,
  created_real_at timestamptz(3) not null,
  primary key (api_key_id, key),
  constraint idempotency_keys_done_with_answer check ((state = 'done') = (status is not null))
);
comment on table idempotency_keys is 'First answers, given again to the same request for 24 hours of real time. body is json, not jsonb, to keep the order of its fields.';

create index idempotency_keys_oldest on idempotency_keys (created_real_at);

-- Down Migration

drop table idempotency_keys;
drop table api_keys;
