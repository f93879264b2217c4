-- Up Migration

create table trail_chain (
  position bigint primary key check (position > 0),
  entry_id bigint not null unique,
  words jsonb not null,
  hash bytea not null check (octet_length(hash) = 32)
);
comment on table trail_chain is 'The hash chain over the trail: a link for each entry, appended after commit by one process at a time. src/domain/trail/chain.ts says what is hashed.';
comment on column trail_chain.position is 'From 1 on, without gaps, in the order of chaining: an entry that is committed late comes behind those that were chained before.';
comment on column trail_chain.entry_id is 'Of events. No foreign key: an entry that is gone is for dueday audit verify to find.';
comment on column trail_chain.words is 'By field of the entry''s data that may hold words: their salted digest, and the salt, which goes with the words where they are removed.';
comment on column trail_chain.hash is 'SHA-256 over the hash before, the position, the entry without its words, and their digests.';

create table trail_head (
  is_only boolean primary key default true check (is_only),
  position bigint not null default 0 check (position >= 0),
  hash bytea not null default decode(repeat('00', 32), 'hex') check (octet_length(hash) = 32),
  settled bigint not null default 0 check (settled >= 0),
  published_at timestamptz(3)
);
insert into trail_head default values;
comment on table trail_head is 'One row: the last link of the chain. Whoever appends, or removes words, locks it.';
comment on column trail_head.settled is 'Every entry up to this id that there will ever be has its link; the ids without one were rolled back.';
comment on column trail_head.published_at is 'Business time at which the head last left as audit.head; at first, when the days began to be counted.';

create function is_removed_text(said text) returns boolean language sql immutable parallel safe
  return said in (erased_text());
comment on function is_removed_text is 'Whether a text stands in place of words that were removed.';

create function forget_salts(words jsonb, said jsonb) returns jsonb language sql immutable parallel safe
  return (
    select coalesce(jsonb_object_agg(w.field, case
      when is_removed_text(said ->> w.field) then w.seal - 'salt' else w.seal end), '{}')
    from jsonb_each(words) as w (field, seal)
  );
comment on function forget_salts is 'The same seals, without the salt of words that were removed from what is said.';

create function keep_link() returns trigger language plpgsql as $$
declare
  unsealed trail_chain%rowtype;
begin
  if tg_op = 'UPDATE' then
    unsealed := new;
    unsealed.words := old.words;
    if unsealed is not distinct from old and new.words = (
      select coalesce(jsonb_object_agg(w.field, case
        when new.words -> w.field ? 'salt' then w.seal else w.seal - 'salt' end), '{}')
      from jsonb_each(old.words) as w (field, seal)
    ) then
      return new;
    end if;
  end if;
  raise exception '% on % is refused: its rows are kept for ever', lower(tg_op), tg_table_name
    using errcode = 'integrity_constraint_violation';
end
$$;
comment on function keep_link is 'Lets nothing of a link change but that salts are removed.';
create trigger trail_chain_append_only before update or delete on trail_chain
  for each row execute function keep_link();
create trigger trail_chain_never_emptied before truncate on trail_chain
  for each statement execute function refuse_change();

create function forget_words() returns trigger language plpgsql as $$
begin
  perform from trail_head for update;
  update trail_chain set words = forget_salts(words, new.data) where entry_id = new.id;
  return null;
end
$$;
comment on function forget_words is 'Words that are removed from an entry take their salts with them. Whoever is appending ends first, so that no salt is written afterwards.';
create trigger events_forget_words after update on events
  for each row execute function forget_words();

-- Down Migration

drop trigger events_forget_words on events;
drop function forget_words();
drop table trail_head;
drop table trail_chain;
drop function keep_link();
drop function forget_salts(jsonb, jsonb);
drop function is_removed_text(text);
