-- Up Migration

-- The service's ids are unique within their payment and kind; nothing may rely on more (decisions 34).
drop index attempts_authorization;
create unique index attempts_authorization on attempts (payment_id, authorization_id) where authorization_id is not null;

-- The first letters of our own id say whether it is a capture or a refund: orders_id_names_its_kind.
drop index order_sends_service_id;
create unique index order_sends_service_id on order_sends (payment_id, left(order_id, 4), service_id)
  where service_id is not null;

-- A payment has one authorization and one booking, so that within it there is nothing to keep apart.
alter table payments drop constraint payments_authorization_id_key;
alter table payments drop constraint payments_booking_id_key;

-- What was sent in vain, for alerts that look every few seconds.
create index attempts_not_found on attempts (subscription_id, cycle)
  where unknown_since_real is not null and state in ('unknown', 'unresolved', 'not_sent');
create index order_sends_not_found on order_sends (order_id)
  where unknown_since_real is not null and state in ('unknown', 'unresolved', 'not_sent');

comment on column attempts.known_ids is 'Ids of the authorizations that the service showed right before sending, but for those that an earlier send of the payment had seen or made.';
comment on column order_sends.known_ids is 'Ids of the payment''s captures, or refunds, that the service showed right before sending, but for those that an earlier send of the payment and kind had seen or made.';

-- Down Migration

comment on column order_sends.known_ids is 'Ids of the payment''s captures, or refunds, that the service showed right before sending.';
comment on column attempts.known_ids is 'Ids of the authorizations that the service showed right before sending.';
drop index order_sends_not_found;
drop index attempts_not_found;
alter table payments add constraint payments_booking_id_key unique (booking_id);
alter table payments add constraint payments_authorization_id_key unique (authorization_id);
drop index order_sends_service_id;
create unique index order_sends_service_id on order_sends (service_id) where service_id is not null;
drop index attempts_authorization;
create unique index attempts_authorization on attempts (authorization_id) where authorization_id is not null;
