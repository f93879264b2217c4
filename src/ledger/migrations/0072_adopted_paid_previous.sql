-- Up Migration

-- A debit that another system made may turn out to have paid the cycle before the one that took it (rule 40). Of all final
-- outcomes this one alone is taken back, once a send of the cycle before was entered that takes the debit over.
create function is_debit_released(was attempts, becomes attempts) returns boolean language sql stable as $$
  select was.adopted and was.state = 'successful' and becomes.state = 'rejected'
    and becomes.detail = 'PAID_PREVIOUS_CYCLE' and becomes.resolved_by is not null and becomes.evidence is not null
    and becomes.authorization_id is null and becomes.capture_id is null
    and exists (
      select from attempts paid
      where paid.subscription_id = was.subscription_id and paid.cycle = was.cycle - 1
        and paid.adopted and paid.state = 'sending' and paid.amount = was.amount and paid.payment_id = was.payment_id
    )
$$;
comment on function is_debit_released is 'Whether an operator gives the debit of an adopted attempt to the cycle before.';

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
  if not attempt_may_become(old.state, new.state) and not is_debit_released(old, new) then
    raise exception '%: % to % is refused', send, old.state, new.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if new.state = 'pending' and old.state in ('rejected', 'rejected_retryable')
    and new.refused_as is distinct from old.state
  then
    raise exception '%: % to % is refused, as its refusal is not kept', send, old.state, new.state
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
  if new.state = 'pending' and old.state in ('rejected', 'rejected_retryable')
    and new.refused_as is distinct from old.state
  then
    raise exception '%: % to % is refused, as its refusal is not kept', send, old.state, new.state
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

drop function is_debit_released(attempts, attempts);
