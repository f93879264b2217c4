-- Up Migration

-- 244 random bits: PostgreSQL's own, without an extension.
alter table restore_guard add column mark_secret bytea not null
  default sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
  constraint restore_guard_mark_secret_of_32_bytes check (octet_length(mark_secret) = 32);
comment on column restore_guard.mark_secret is 'Key of the MAC of positions in the audit log that workflows carry. Created once and never changed: a restored ledger has the same one.';

-- Down Migration

alter table restore_guard drop column mark_secret;
