-- Up Migration

create function key_name(said text) returns text language sql immutable strict parallel safe
  return lower(btrim(regexp_replace(said, '\s+', ' ', 'g')));
comment on function key_name is 'What two names have in common that a person takes for one.';

alter table api_keys
  add column name_key text collate "C" unique,
  add column holder text,
  add column prefix text,
  add column scopes text[] not null default '{}',
  add column refund_per_day_amount integer check (refund_per_day_amount > 0),
  add column change_per_call_amount integer check (change_per_call_amount > 0),
  add column expires_real_at timestamptz(3),
  add column replaces uuid references api_keys,
  add column first_key_id uuid references api_keys,
  add constraint api_keys_of_a_line check ((replaces is null) = (first_key_id is null));
comment on column api_keys.name is 'By which the trail tells who acts. Taken for ever, also by revoked keys; a key that replaces another one has its name.';
comment on column api_keys.name_key is 'See key_name. Null for a key that replaces another one, and for one of an older release whose name another has.';
comment on column api_keys.holder is 'The person who has it.';
comment on column api_keys.prefix is 'How the key begins, by which it is told from others; null for one of an older release.';
comment on column api_keys.scopes is 'What of its role it may do; empty: all of it.';
comment on column api_keys.refund_per_day_amount is 'Cents that may be refunded with it in 24 hours of real time; null: any.';
comment on column api_keys.change_per_call_amount is 'Cents by which one call may change what is collected; null: any.';
comment on column api_keys.replaces is 'The key in whose place it came, while that one ends.';
comment on column api_keys.first_key_id is 'The first of the keys that have replaced one another; it answers for all of them. Null for the first itself.';

create index api_keys_replacing on api_keys (replaces) where replaces is not null;

update api_keys k set name_key = first.name
from (select distinct on (key_name(name)) key_id, key_name(name) as name from api_keys order by key_name(name), created_real_at, key_id) first
where k.key_id = first.key_id;

-- Down Migration

alter table api_keys
  drop constraint api_keys_of_a_line,
  drop column first_key_id,
  drop column replaces,
  drop column expires_real_at,
  drop column change_per_call_amount,
  drop column refund_per_day_amount,
  drop column scopes,
  drop column prefix,
  drop column holder,
  drop column name_key;
drop function key_name(text);
