-- Up Migration

alter table subscriptions add column metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object');
alter table payments add column metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object');
comment on column subscriptions.metadata is 'The merchant''s own pairs of key and value, both text. No personal data: it stays when the payer is erased.';
comment on column payments.metadata is 'As that of subscriptions.';

-- Found beside the tables, as words are: an index on rows that change with every collection would be written with each.
alter table subscription_words add column metadata jsonb not null default '{}';
alter table payment_words add column metadata jsonb not null default '{}';
comment on column subscription_words.metadata is 'The subscription''s metadata once more, to find it by.';
comment on column payment_words.metadata is 'The payment''s metadata once more, to find it by.';

create index subscription_words_by_metadata on subscription_words using gin (metadata jsonb_path_ops) with (fastupdate = off);
create index payment_words_by_metadata on payment_words using gin (metadata jsonb_path_ops) with (fastupdate = off);

create or replace function keep_subscription_words() returns trigger language plpgsql as $$
begin
  insert into subscription_words (subscription_id, words, metadata)
  select new.subscription_id,
    words_of(concat_ws(' ', new.subscription_id, new.payment_id, payer.name, payer.email, payer.reference)), new.metadata
  from (select * from payers where payer_id = new.payer_id for share) as payer
  on conflict (subscription_id) do update set words = excluded.words, metadata = excluded.metadata;
  return null;
end
$$;
create or replace trigger subscriptions_found after insert or update of payment_id, payer_id, metadata on subscriptions
  for each row execute function keep_subscription_words();

create or replace function keep_payment_words() returns trigger language plpgsql as $$
begin
  insert into payment_words (request_id, words, metadata)
  select new.request_id,
    words_of(concat_ws(' ', new.request_id, new.payment_id, payer.name, payer.email, payer.reference)), new.metadata
  from (select * from payers where payer_id = new.payer_id for share) as payer
  on conflict (request_id) do update set words = excluded.words, metadata = excluded.metadata;
  return null;
end
$$;
create or replace trigger payments_found after insert or update of payment_id, payer_id, metadata on payments
  for each row execute function keep_payment_words();

-- Down Migration

create or replace trigger payments_found after insert or update of payment_id, payer_id on payments
  for each row execute function keep_payment_words();
create or replace function keep_payment_words() returns trigger language plpgsql as $$
begin
  insert into payment_words (request_id, words)
  select new.request_id,
    words_of(concat_ws(' ', new.request_id, new.payment_id, payer.name, payer.email, payer.reference))
  from (select * from payers where payer_id = new.payer_id for share) as payer
  on conflict (request_id) do update set words = excluded.words;
  return null;
end
$$;
create or replace trigger subscriptions_found after insert or update of payment_id, payer_id on subscriptions
  for each row execute function keep_subscription_words();
create or replace function keep_subscription_words() returns trigger language plpgsql as $$
begin
  insert into subscription_words (subscription_id, words)
  select new.subscription_id,
    words_of(concat_ws(' ', new.subscription_id, new.payment_id, payer.name, payer.email, payer.reference))
  from (select * from payers where payer_id = new.payer_id for share) as payer
  on conflict (subscription_id) do update set words = excluded.words;
  return null;
end
$$;
drop index payment_words_by_metadata;
drop index subscription_words_by_metadata;
alter table payment_words drop column metadata;
alter table subscription_words drop column metadata;
alter table payments drop column metadata;
alter table subscriptions drop column metadata;
