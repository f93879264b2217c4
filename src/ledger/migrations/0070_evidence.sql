-- Up Migration

-- What the service has said counts (rules 36 to 41): a refused attempt may be followed again, one made elsewhere is adopted.
alter table attempts
  add column adopted boolean not null default false,
  add column refused_as text check (refused_as in ('rejected', 'rejected_retryable')),
  add column authorized boolean not null default false,
  add column reported_real_at timestamptz(3),
  add column unlisted_since_real timestamptz(3),
  add column contradicted_since_real timestamptz(3),
  add column accepted_answer text;
comment on column attempts.adopted is 'Whether another system made it: the service listed it before dueday had sent anything for the cycle.';
comment on column attempts.refused_as is 'Its refusal, if the service has listed the refused authorization as pending or successful since. Null if it has not.';
comment on column attempts.authorized is 'Whether the service has ever reported its authorization as successful, before its capture was final.';
comment on column attempts.reported_real_at is 'Real time at which the service reported its authorization as pending or successful. Null if it never did.';
comment on column attempts.unlisted_since_real is 'Real time since which the service has not listed its pending authorization. Null while it does.';
comment on column attempts.contradicted_since_real is 'Real time since which a successful capture has been seen under its refused authorization.';
comment on column attempts.accepted_answer is 'An accepted answer that could not be stored as it came, as JSON text: the send was made, whatever lists say.';

alter table order_sends
  add column reported_real_at timestamptz(3),
  add column accepted_answer text;
comment on column order_sends.reported_real_at is 'As of attempts.';
comment on column order_sends.accepted_answer is 'As of attempts.';

create or replace function attempt_may_become(old_state text, new_state text) returns boolean
language sql immutable as $$
  select case old_state
    when 'sending' then new_state in (
      'sending', 'pending', 'unknown', 'unresolved',
      'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    when 'pending' then new_state in ('pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed')
    when 'unknown' then new_state in (
      'unknown', 'unresolved', 'pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    when 'unresolved' then new_state in (
      'unresolved', 'pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    when 'rejected' then new_state = 'pending'
    when 'rejected_retryable' then new_state = 'pending'
    else false
  end
$$;
comment on function attempt_may_become is 'Of final states a refusal alone may be followed again, as the service lists its authorization; not_sent is never said of a send that the service knows.';

-- What is followed again keeps its refusal.
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
create or replace function attempt_may_become(old_state text, new_state text) returns boolean
language sql immutable as $$
  select case old_state
    when 'sending' then new_state in (
      'sending', 'pending', 'unknown', 'unresolved',
      'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    when 'pending' then new_state in ('pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed')
    when 'unknown' then new_state in (
      'unknown', 'unresolved', 'pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    when 'unresolved' then new_state in (
      'unresolved', 'pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    else false
  end
$$;
alter table order_sends drop column accepted_answer, drop column reported_real_at;
alter table attempts
  drop column accepted_answer,
  drop column contradicted_since_real,
  drop column unlisted_since_real,
  drop column reported_real_at,
  drop column authorized,
  drop column refused_as,
  drop column adopted;
