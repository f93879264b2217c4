-- Up Migration

-- What is ordered and not final, however old: looked at again and again, beside any number of orders that are closed.
create table open_orders (
  order_id text collate "C" primary key,
  created_real_at timestamptz(3) not null,
  begun boolean not null default false
);
comment on table open_orders is 'Orders that are neither made nor failed. Kept by triggers on orders and order_sends, whichever program writes these.';
comment on column open_orders.order_id is 'Of orders, whose rows are never deleted.';
comment on column open_orders.created_real_at is 'As of the order.';
comment on column open_orders.begun is 'Whether anything was ever sent.';

create index open_orders_by_age on open_orders (created_real_at, order_id);
create index open_orders_not_begun on open_orders (created_real_at, order_id) where not begun;

create function open_order() returns trigger language plpgsql as $$
begin
  insert into open_orders (order_id, created_real_at) values (new.order_id, new.created_real_at);
  return null;
end
$$;

create function advance_open_order() returns trigger language plpgsql as $$
begin
  if new.state in ('successful', 'failed') then
    delete from open_orders where order_id = new.order_id;
  else
    update open_orders set begun = true where order_id = new.order_id and not begun;
  end if;
  return null;
end
$$;
comment on function advance_open_order is 'A send that never arrived leaves its order open: another follows.';

create trigger orders_opened after insert on orders
  for each row execute function open_order();
create trigger order_sends_advance after insert or update of state on order_sends
  for each row execute function advance_open_order();

insert into open_orders (order_id, created_real_at, begun)
  select o.order_id, o.created_real_at, exists (select from order_sends s where s.order_id = o.order_id)
  from orders o
  where not exists (
    select from order_sends s where s.order_id = o.order_id and s.state in ('successful', 'failed')
  );

create index reconciliation_differences_of_debits on reconciliation_differences (payment_id, capture_id, number)
  where kind = 'debit_unknown';

-- A debit that nothing of ours explains may be given back, of a one-time payment as of a subscription.
create function unexplained_debit(of_subscription text, of_payment text, of_capture text) returns bigint
language sql stable as $$
  select d.service_amount
    from reconciliation_differences d
    where d.kind = 'debit_unknown' and d.service_state = 'successful'
      and d.subscription_id is not distinct from of_subscription
      and (d.payment_id, d.capture_id) = (of_payment, of_capture)
    order by d.number desc limit 1
$$;
comment on function unexplained_debit is 'What the last reconciliation that found this debit said of it, in cents; null where none did. The first argument is null for a one-time payment.';

create or replace function guard_order() returns trigger language plpgsql as $$
declare
  captured bigint;
  refunded bigint;
  own_state text;
  wanted constant text := format('%s %s', new.kind, new.order_id);
  payment payments%rowtype;
begin
  -- Of two orders at once the second waits here, and then sees the first.
  if new.subscription_id is not null then
    perform from subscriptions where subscription_id = new.subscription_id for update;
    select a.amount into captured
      from attempts a
      join cycles c on (c.subscription_id, c.cycle) = (a.subscription_id, a.cycle)
      where (a.subscription_id, a.cycle, a.payment_id, a.capture_id)
          = (new.subscription_id, new.cycle, new.payment_id, new.capture_id)
        and a.state = 'successful' and c.status = 'collected';
    if captured is null then
      captured := unexplained_debit(new.subscription_id, new.payment_id, new.capture_id);
    end if;
    if captured is null then
      raise exception '%: capture % collected nothing of cycle %', wanted, new.capture_id, new.cycle
        using errcode = 'integrity_constraint_violation';
    end if;
  else
    select * into payment from payments where payment_id = new.payment_id for update;
    if not found then
      raise exception '%: there is no payment %', wanted, new.payment_id
        using errcode = 'integrity_constraint_violation';
    end if;
    if new.kind = 'capture' then
      if payment.authorization_state is distinct from 'successful' then
        raise exception '%: payment % is not authorized', wanted, new.payment_id
          using errcode = 'integrity_constraint_violation';
      end if;
      perform guard_capture(new, payment);
      return new;
    end if;
    select c.amount, c.state into captured, own_state from payment_captures c
      where (c.payment_id, c.capture_id) = (new.payment_id, new.capture_id);
    if own_state is null then
      captured := unexplained_debit(new.subscription_id, new.payment_id, new.capture_id);
    elsif own_state <> 'successful' then
      captured := null;
    end if;
    if captured is null then
      raise exception '%: capture % of payment % debited nothing', wanted, new.capture_id, new.payment_id
        using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  select coalesce(sum(o.amount), 0) into refunded
    from orders o
    where o.kind = 'refund' and (o.payment_id, o.capture_id) = (new.payment_id, new.capture_id)
      and not exists (select from order_sends s where s.order_id = o.order_id and s.state = 'failed');
  if refunded + new.amount > captured then
    raise exception '%: % cents are more than is left of %, % being refunded already',
      wanted, new.amount, captured, refunded
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;
comment on function guard_order is 'Refunds of a capture come to what it captured at most, captures of a payment to what was authorized; failed ones do not count.';

-- Down Migration

create or replace function guard_order() returns trigger language plpgsql as $$
declare
  captured bigint;
  refunded bigint;
  wanted constant text := format('%s %s', new.kind, new.order_id);
  payment payments%rowtype;
begin
  -- Of two orders at once the second waits here, and then sees the first.
  if new.subscription_id is not null then
    perform from subscriptions where subscription_id = new.subscription_id for update;
    select a.amount into captured
      from attempts a
      join cycles c on (c.subscription_id, c.cycle) = (a.subscription_id, a.cycle)
      where (a.subscription_id, a.cycle, a.payment_id, a.capture_id)
          = (new.subscription_id, new.cycle, new.payment_id, new.capture_id)
        and a.state = 'successful' and c.status = 'collected';
    if captured is null then
      -- A debit that nothing of ours explains may be given back all the same.
      select d.service_amount into captured
        from reconciliation_differences d
        where d.kind = 'debit_unknown' and d.service_state = 'successful'
          and (d.subscription_id, d.payment_id, d.capture_id) = (new.subscription_id, new.payment_id, new.capture_id)
        order by d.number desc limit 1;
    end if;
    if captured is null then
      raise exception '%: capture % collected nothing of cycle %', wanted, new.capture_id, new.cycle
        using errcode = 'integrity_constraint_violation';
    end if;
  else
    select * into payment from payments where payment_id = new.payment_id for update;
    if payment.authorization_state is distinct from 'successful' then
      raise exception '%: payment % is not authorized', wanted, new.payment_id
        using errcode = 'integrity_constraint_violation';
    end if;
    if new.kind = 'capture' then
      perform guard_capture(new, payment);
      return new;
    end if;
    select c.amount into captured from payment_captures c
      where (c.payment_id, c.capture_id, c.state) = (new.payment_id, new.capture_id, 'successful');
    if captured is null then
      raise exception '%: capture % of payment % debited nothing', wanted, new.capture_id, new.payment_id
        using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  select coalesce(sum(o.amount), 0) into refunded
    from orders o
    where o.kind = 'refund' and (o.payment_id, o.capture_id) = (new.payment_id, new.capture_id)
      and not exists (select from order_sends s where s.order_id = o.order_id and s.state = 'failed');
  if refunded + new.amount > captured then
    raise exception '%: % cents are more than is left of %, % being refunded already',
      wanted, new.amount, captured, refunded
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;
comment on function guard_order is 'Refunds of a capture come to what it captured at most, captures of a payment to what was authorized; failed ones do not count.';
drop function unexplained_debit(text, text, text);
drop index reconciliation_differences_of_debits;
drop trigger order_sends_advance on order_sends;
drop trigger orders_opened on orders;
drop function advance_open_order();
drop function open_order();
drop table open_orders;
