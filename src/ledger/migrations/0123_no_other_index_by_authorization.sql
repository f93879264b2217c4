-- Up Migration

-- attempts_authorization_in_use stands for it.
drop index concurrently if exists attempts_authorization;

-- Down Migration

create unique index attempts_authorization on attempts (payment_id, authorization_id) where authorization_id is not null;
