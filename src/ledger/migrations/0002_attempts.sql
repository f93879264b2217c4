-- Up Migration

create table cycles (
  subscription_id text collate "C" not null references subscriptions,
  cycle integer not null check (cycle >= 0),
  due_at timestamptz(3) not null,
  collect_by timestamptz(3) not null check (collect_by > due_at),
  amount integer not null check (amount > 0),
  status text not null check (
    status in ('scheduled', 'collecting', 'dunning', 'collected', 'failed', 'skipped', 'missed', 'unresolved')
  ),
  reason text,
  collected_at timestamptz(3),
  next_attempt_at timestamptz(3),
  retries_left integer not null default 0 check (retries_left between 0 and 3),
  retry_until timestamptz(3),
  primary key (subscription_id, cycle),
  constraint cycles_collected_at_an_instant check ((status = 'collected') = (collected_at is not null))
);
comment on table cycles is 'One due date each, from the first word about it on. The amount is frozen with the first attempt.';

create table attempts (
  subscription_id text collate "C" not null,
  cycle integer not null,
  attempt integer not null check (attempt between 0 and 3),
  send integer not null check (send >= 0),
  payment_id text collate "C" not null,
  amount integer not null check (amount > 0),
  due_at timestamptz(3) not null,
  state text not null check (
    state in (
      'sending', 'pending', 'unknown', 'unresolved',
      'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
  ),
  at timestamptz(3) not null,
  sending_real_at timestamptz(3) not null,
  unknown_since_real timestamptz(3),
  absent_looks integer not null default 0 check (absent_looks >= 0),
  known_ids text[] not null default '{}',
  authorization_id text collate "C",
  capture_id text collate "C",
  authorization_created_at timestamptz(3),
  detail text,
  description text,
  reason text,
  owner text not null,
  outcome_at timestamptz(3),
  primary key (subscription_id, cycle, attempt, send),
  foreign key (subscription_id, cycle) references cycles,
  constraint attempts_debit_is_named check (
    state not in ('pending', 'successful', 'capture_failed') or authorization_id is not null
  ),
  constraint attempts_final_at_an_instant check (
    (state in ('successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent')) = (outcome_at is not null)
  )
);
comment on table attempts is 'Every POST that may move money, committed as sending before it leaves. The service has no idempotency key: this table is the only thing between one debit and two.';
comment on column attempts.attempt is '0 is the first, 1 to 3 are retries.';
comment on column attempts.send is '0, and one more after each send that never arrived.';
comment on column attempts.known_ids is 'Ids of the authorizations that the service showed right before sending.';
comment on column attempts.at is 'Business time of sending.';

-- The double debit stops here, whatever the programs believe.
create unique index attempts_one_in_doubt_per_payment on attempts (payment_id)
  where state in ('sending', 'unknown', 'unresolved');
create unique index attempts_one_live_or_won_per_cycle on attempts (subscription_id, cycle)
  where state in ('sending', 'pending', 'unknown', 'unresolved', 'successful', 'capture_failed');
create unique index attempts_authorization on attempts (authorization_id) where authorization_id is not null;
create index attempts_by_payment on attempts (payment_id);

create function attempt_may_become(old_state text, new_state text) returns boolean
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
comment on function attempt_may_become is 'Final states become nothing else; not_sent is never said of a send that the service knows.';

create function guard_attempt() returns trigger language plpgsql as $$
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

create trigger attempts_guarded before insert or update on attempts
  for each row execute function guard_attempt();
create trigger attempts_kept before delete on attempts
  for each row execute function refuse_change();
create trigger attempts_never_emptied before truncate on attempts
  for each statement execute function refuse_change();

-- Down Migration

drop table attempts;
drop function guard_attempt();
drop function attempt_may_become(text, text);
drop table cycles;
