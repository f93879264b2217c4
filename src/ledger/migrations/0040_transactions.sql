-- Up Migration

-- Movements of money are listed out of the rows that hold them, in the order in which they began, which never changes.
create index attempts_by_time on attempts (at, subscription_id);
create index orders_by_time on orders (created_at, order_id);
create index payments_by_debit on payments (authorization_created_at, request_id)
  where plan = 'SINGLE' and authorization_id is not null;
comment on index attempts_by_time is 'The debits of subscriptions, as GET /v1/transactions lists them.';
comment on index orders_by_time is 'Captures and refunds, as GET /v1/transactions lists them.';
comment on index payments_by_debit is 'Debits of Single Immediate, as GET /v1/transactions lists them.';

-- What was booked in a span may have begun long before it: by these the first of it is found.
create index attempts_by_booking on attempts (outcome_at) include (at) where state = 'successful';
create index order_sends_by_booking on order_sends (outcome_at) include (order_id) where state = 'successful';

create index payers_by_reference on payers (reference) where reference is not null;

-- Down Migration

drop index payers_by_reference;
drop index order_sends_by_booking;
drop index attempts_by_booking;
drop index payments_by_debit;
drop index orders_by_time;
drop index attempts_by_time;
