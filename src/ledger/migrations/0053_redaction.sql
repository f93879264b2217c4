-- Up Migration

-- Besides the words that name a payer who is erased, a person can have any words of an entry removed.
create function redacted_text() returns text language sql immutable parallel safe
  return '[redacted]';
comment on function redacted_text is 'Stands in place of words that a person had removed.';

create or replace function is_removed_text(said text) returns boolean language sql immutable parallel safe
  return said in (erased_text(), redacted_text());

create function redact_words(said jsonb) returns jsonb language sql immutable parallel safe
  return (
    select coalesce(jsonb_object_agg(f.field, case
      when holds_words(f.field, f.said) and not is_removed_text(f.said #>> '{}') then to_jsonb(redacted_text())
      else f.said end), '{}')
    from jsonb_each(said) as f (field, said)
  );
comment on function redact_words is 'The same object, without any words.';

create or replace function erases_only(was jsonb, becomes jsonb) returns boolean language sql immutable parallel safe
  return (select count(*) from jsonb_object_keys(was)) = (select count(*) from jsonb_object_keys(becomes))
    and not exists (
      select from jsonb_each(was) as f (field, said)
      where f.said is distinct from becomes -> f.field
        and not (holds_words(f.field, f.said) and jsonb_typeof(becomes -> f.field) = 'string' and is_removed_text(becomes ->> f.field))
    );

create or replace function keep_order() returns trigger language plpgsql as $$
declare
  unerased orders%rowtype;
begin
  if tg_op = 'UPDATE' and old.reason is not null and is_removed_text(new.reason) then
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

-- What a person said of an attempt is its description, too.
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
  if old.evidence is not null and is_removed_text(new.evidence) then
    unerased := new;
    unerased.evidence := old.evidence;
    if old.description = old.evidence and new.description = new.evidence then
      unerased.description := old.description;
    end if;
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

-- Down Migration

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

create or replace function keep_order() returns trigger language plpgsql as $$
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

create or replace function erases_only(was jsonb, becomes jsonb) returns boolean language sql immutable parallel safe
  return (select count(*) from jsonb_object_keys(was)) = (select count(*) from jsonb_object_keys(becomes))
    and not exists (
      select from jsonb_each(was) as f (field, said)
      where f.said is distinct from becomes -> f.field
        and not (holds_words(f.field, f.said) and becomes -> f.field = to_jsonb(erased_text()))
    );

drop function redact_words(jsonb);
create or replace function is_removed_text(said text) returns boolean language sql immutable parallel safe
  return said in (erased_text());
drop function redacted_text();
