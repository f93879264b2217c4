-- Up Migration

-- People's words may name a payer. They can be erased, and nothing else of what is kept for ever can be changed.
create function erased_text() returns text language sql immutable parallel safe
  return '[erased]';
comment on function erased_text is 'Stands in place of words that named a payer.';

create function holds_words(field text, said jsonb) returns boolean language sql immutable parallel safe
  return field in ('reason', 'evidence', 'note', 'message', 'description', 'error') and jsonb_typeof(said) = 'string';
comment on function holds_words is 'Whether a field of an entry of the trail, or of a notice''s evidence, may hold a person''s own words.';

create function in_words(said text) returns text language sql immutable strict parallel safe
  return ' ' || btrim(regexp_replace(in_one_case(said), '[' || word_signs() || ']+', ' ', 'g')) || ' ';

create function names_any(said text, terms text[]) returns boolean language sql immutable parallel safe
  return exists (select from unnest(terms) as term where position(in_words(term) in in_words(said)) > 0);
comment on function names_any is 'Whether one of the terms stands in a text, as whole words, in any case. Never of null.';

create function erase_words(said jsonb, terms text[]) returns jsonb language sql immutable parallel safe
  return (
    select coalesce(jsonb_object_agg(f.field, case
      when holds_words(f.field, f.said) and names_any(f.said #>> '{}', terms) then to_jsonb(erased_text()) else f.said end), '{}')
    from jsonb_each(said) as f (field, said)
  );
comment on function erase_words is 'The same object, with the words erased that name one of the terms.';

create function erases_only(was jsonb, becomes jsonb) returns boolean language sql immutable parallel safe
  return (select count(*) from jsonb_object_keys(was)) = (select count(*) from jsonb_object_keys(becomes))
    and not exists (
      select from jsonb_each(was) as f (field, said)
      where f.said is distinct from becomes -> f.field
        and not (holds_words(f.field, f.said) and becomes -> f.field = to_jsonb(erased_text()))
    );
comment on function erases_only is 'Whether nothing differs but that words were erased.';

create function keep_event() returns trigger language plpgsql as $$
declare
  unerased events%rowtype;
begin
  if tg_op = 'UPDATE' then
    unerased := new;
    unerased.data := old.data;
    if unerased is not distinct from old and erases_only(old.data, new.data) then
      return new;
    end if;
  end if;
  raise exception '% on % is refused: its rows are kept for ever', lower(tg_op), tg_table_name
    using errcode = 'integrity_constraint_violation';
end
$$;
drop trigger events_append_only on events;
create trigger events_append_only before update or delete on events
  for each row execute function keep_event();
comment on table events is 'The trail: every decision and every change, in the order they were made. Append-only, but that a person''s words can be erased. Without personal data otherwise.';

create function keep_order() returns trigger language plpgsql as $$
declare
  unerased orders%rowtype;
begin
  if tg_op = 'UPDATE' and old.reason is not null and new.reason = erased_text() then
    unerased := new;
    unerased.reason := old.reason;
    if unerased is not distinct from old then
      return new;
    end if;
  end if;
  raise exception '% on % is refused: its rows are kept for ever', lower(tg_op), tg_table_name
    using errcode = 'integrity_constraint_violation';
end
$$;
drop trigger orders_kept on orders;
create trigger orders_kept before update or delete on orders
  for each row execute function keep_order();

create or replace function guard_attempt() returns trigger language plpgsql as $$
declare
  send constant text := format('attempt %s/%s/%s/%s', new.subscription_id, new.cycle, new.attempt, new.send);
  unerased attempts%rowtype;
begin
  if tg_op = 'INSERT' then
    if new.state <> 'sending' then
      raise exception '%: begins as sending, not as %', send, new.state
        using errcode = 'integrity_constraint_violation';
    end if;
    return new;
  end if;
  if old.evidence is not null and new.evidence = erased_text() then
    unerased := new;
    unerased.evidence := old.evidence;
    if unerased is not distinct from old then
      return new;
    end if;
  end if;
  if not attempt_may_become(old.state, new.state) then
    raise exception '%: % to % is refused', send, old.state, new.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if row(
    new.subscription_id, new.cycle, new.attempt, new.send, new.payment_id, new.amount, new.due_at,
    new.at, new.sending_real_at, new.known_ids, new.owner
  ) is distinct from row(
    old.subscription_id, old.cycle, old.attempt, old.send, old.payment_id, old.amount, old.due_at,
    old.at, old.sending_real_at, old.known_ids, old.owner
  ) then
    raise exception '%: what was sent does not change', send
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

-- An address to come back to can name the payer who does.
alter table payments alter column return_url drop not null;
comment on column payments.return_url is 'Null once its payer is erased.';

alter table payers drop constraint payers_erased_is_blank;
alter table payers add constraint payers_erased_is_blank check (
  erased_at is null
  or num_nonnulls(name, email, reference, language, billing_address, shipping_address) = 0
);
comment on table payers is 'Personal data, and, but for the words to find it by, nowhere else. Erased by the payer''s reference; whatever concerns money stays in the other tables.';

-- Down Migration

comment on table payers is 'Personal data, and, but for the words to find it by, nowhere else. Blanked per payer; whatever concerns money stays in the other tables.';
alter table payers drop constraint payers_erased_is_blank;
alter table payers add constraint payers_erased_is_blank check (
  erased_at is null
  or num_nonnulls(name, email, reference, billing_address, shipping_address) = 0
);
update payments set return_url = '' where return_url is null;
alter table payments alter column return_url set not null;
comment on column payments.return_url is null;

create or replace function guard_attempt() returns trigger language plpgsql as $$
declare
  send constant text := format('attempt %s/%s/%s/%s', new.subscription_id, new.cycle, new.attempt, new.send);
begin
  if tg_op = 'INSERT' then
    if new.state <> 'sending' then
      raise exception '%: begins as sending, not as %', send, new.state
        using errcode = 'integrity_constraint_violation';
    end if;
    return new;
  end if;
  if not attempt_may_become(old.state, new.state) then
    raise exception '%: % to % is refused', send, old.state, new.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if row(
    new.subscription_id, new.cycle, new.attempt, new.send, new.payment_id, new.amount, new.due_at,
    new.at, new.sending_real_at, new.known_ids, new.owner
  ) is distinct from row(
    old.subscription_id, old.cycle, old.attempt, old.send, old.payment_id, old.amount, old.due_at,
    old.at, old.sending_real_at, old.known_ids, old.owner
  ) then
    raise exception '%: what was sent does not change', send
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

drop trigger orders_kept on orders;
create trigger orders_kept before update or delete on orders
  for each row execute function refuse_change();
drop trigger events_append_only on events;
create trigger events_append_only before update or delete on events
  for each row execute function refuse_change();
comment on table events is 'The trail: every decision and every change, in the order they were made. Append-only, without personal data.';
drop function keep_order();
drop function keep_event();
drop function erases_only(jsonb, jsonb);
drop function erase_words(jsonb, text[]);
drop function names_any(text, text[]);
drop function in_words(text);
drop function holds_words(text, jsonb);
drop function erased_text();
