-- Up Migration

create table refunds (
  refund_id text collate "C" primary key check (refund_id like 'ref\_%'),
  subscription_id text collate "C" not null,
  cycle integer not null,
  payment_id text collate "C" not null,
  capture_id text collate "C" not null,
  amount integer not null check (amount > 0),
  reason text,
  actor text not null,
  created_at timestamptz(3) not null,
  created_real_at timestamptz(3) not null,
  unique (refund_id, payment_id),
  foreign key (subscription_id, cycle) references cycles
);
comment on table refunds is 'What was ordered to be given back, once and for ever the same. How it stands is in refund_sends.';
comment on column refunds.refund_id is 'Ours; follows from the API key and the Idempotency-Key of the order.';

create index refunds_of_cycle on refunds (subscription_id, cycle, created_at);
create index refunds_by_age on refunds (created_real_at);

create table refund_sends (
  refund_id text collate "C" not null,
  send integer not null check (send >= 0),
  payment_id text collate "C" not null,
  state text not null check (
    state in ('sending', 'pending', 'unknown', 'unresolved', 'successful', 'failed', 'not_sent')
  ),
  at timestamptz(3) not null,
  sending_real_at timestamptz(3) not null,
  unknown_since_real timestamptz(3),
  absent_looks integer not null default 0 check (absent_looks >= 0),
  known_ids text[] not null default '{}',
  service_refund_id text collate "C",
  service_created_at timestamptz(3),
  detail text,
  description text,
  reason text,
  owner text not null,
  outcome_at timestamptz(3),
  primary key (refund_id, send),
  foreign key (refund_id, payment_id) references refunds (refund_id, payment_id),
  constraint refund_sends_known_is_named check (
    state not in ('pending', 'successful') or service_refund_id is not null
  ),
  constraint refund_sends_final_at_an_instant check (
    (state in ('successful', 'failed', 'not_sent')) = (outcome_at is not null)
  )
);
comment on table refund_sends is 'Every POST of a refund, committed as sending before it leaves. The service has no idempotency key: this table is the only thing between one refund and two.';
comment on column refund_sends.send is '0, and one more after each send that never arrived.';
comment on column refund_sends.known_ids is 'Ids of the refunds that the service showed right before sending.';
comment on column refund_sends.at is 'Business time of sending.';

-- The double refund stops here, whatever the programs believe.
create unique index refund_sends_one_in_doubt_per_payment on refund_sends (payment_id)
  where state in ('sending', 'unknown', 'unresolved');
create unique index refund_sends_one_live_or_final_per_refund on refund_sends (refund_id) where state <> 'not_sent';
create unique index refund_sends_service_refund on refund_sends (service_refund_id) where service_refund_id is not null;
create index refund_sends_by_payment on refund_sends (payment_id);

create function guard_refund() returns trigger language plpgsql as $$
declare
  captured bigint;
  refunded bigint;
begin
  -- Of two orders at once the second waits here, and then sees the first.
  perform from subscriptions where subscription_id = new.subscription_id for update;
  select a.amount into captured
    from attempts a
    join cycles c on (c.subscription_id, c.cycle) = (a.subscription_id, a.cycle)
    where (a.subscription_id, a.cycle, a.payment_id, a.capture_id)
        = (new.subscription_id, new.cycle, new.payment_id, new.capture_id)
      and a.state = 'successful' and c.status = 'collected';
  if captured is null then
    raise exception 'refund %: capture % collected nothing of cycle %', new.refund_id, new.capture_id, new.cycle
      using errcode = 'integrity_constraint_violation';
  end if;
  select coalesce(sum(r.amount), 0) into refunded
    from refunds r
    where r.capture_id = new.capture_id and (r.subscription_id, r.cycle) = (new.subscription_id, new.cycle)
      and not exists (select from refund_sends s where s.refund_id = r.refund_id and s.state = 'failed');
  if refunded + new.amount > captured then
    raise exception 'refund %: % cents are more than is left of %, % being refunded already',
      new.refund_id, new.amount, captured, refunded
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;
comment on function guard_refund is 'The sum of the refunds of a capture, but for the failed ones, is at most what it captured.';

create trigger refunds_guarded before insert on refunds
  for each row execute function guard_refund();
create trigger refunds_kept before update or delete on refunds
  for each row execute function refuse_change();
create trigger refunds_never_emptied before truncate on refunds
  for each statement execute function refuse_change();

create function refund_send_may_become(old_state text, new_state text) returns boolean
language sql immutable as $$
  select case old_state
    when 'sending' then new_state in (
      'sending', 'pending', 'unknown', 'unresolved', 'successful', 'failed', 'not_sent'
    )
    when 'pending' then new_state in ('pending', 'successful', 'failed')
    when 'unknown' then new_state in ('unknown', 'unresolved', 'pending', 'successful', 'failed', 'not_sent')
    when 'unresolved' then new_state in ('unresolved', 'pending', 'successful', 'failed', 'not_sent')
    else false
  end
$$;
comment on function refund_send_may_become is 'Final states become nothing else; not_sent is never said of a send that the service knows.';

create function guard_refund_send() returns trigger language plpgsql as $$
declare
  send constant text := format('refund send %s/%s', new.refund_id, new.send);
begin
  if tg_op = 'INSERT' then
    if new.state <> 'sending' then
      raise exception '%: begins as sending, not as %', send, new.state
        using errcode = 'integrity_constraint_violation';
    end if;
    return new;
  end if;
  if not refund_send_may_become(old.state, new.state) then
    raise exception '%: % to % is refused', send, old.state, new.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if row(
    new.refund_id, new.send, new.payment_id, new.at, new.sending_real_at, new.known_ids, new.owner
  ) is distinct from row(
    old.refund_id, old.send, old.payment_id, old.at, old.sending_real_at, old.known_ids, old.owner
  ) then
    raise exception '%: what was sent does not change', send
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

create trigger refund_sends_guarded before insert or update on refund_sends
  for each row execute function guard_refund_send();
create trigger refund_sends_kept before delete on refund_sends
  for each row execute function refuse_change();
create trigger refund_sends_never_emptied before truncate on refund_sends
  for each statement execute function refuse_change();

-- Down Migration

drop table refund_sends;
drop function guard_refund_send();
drop function refund_send_may_become(text, text);
drop table refunds;
drop function guard_refund();
