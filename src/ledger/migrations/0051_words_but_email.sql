-- Up Migration

-- Who may not see an e-mail must not find out about it by searching for its beginnings, one letter after the other.
alter table subscription_words add column words_but_email tsvector not null default '';
alter table payment_words add column words_but_email tsvector not null default '';
comment on column subscription_words.words_but_email is 'What it is found by where the e-mail is not shown: words without those of the e-mail.';
comment on column payment_words.words_but_email is 'As that of subscription_words.';

create or replace function keep_subscription_words() returns trigger language plpgsql as $$
begin
  insert into subscription_words (subscription_id, words, words_but_email, metadata)
  select new.subscription_id,
    words_of(concat_ws(' ', new.subscription_id, new.payment_id, payer.name, payer.email, payer.reference)),
    words_of(concat_ws(' ', new.subscription_id, new.payment_id, payer.name, payer.reference)), new.metadata
  from (select * from payers where payer_id = new.payer_id for share) as payer
  on conflict (subscription_id) do update set words = excluded.words, words_but_email = excluded.words_but_email,
    metadata = excluded.metadata;
  return null;
end
$$;

create or replace function keep_payment_words() returns trigger language plpgsql as $$
begin
  insert into payment_words (request_id, words, words_but_email, metadata)
  select new.request_id,
    words_of(concat_ws(' ', new.request_id, new.payment_id, payer.name, payer.email, payer.reference)),
    words_of(concat_ws(' ', new.request_id, new.payment_id, payer.name, payer.reference)), new.metadata
  from (select * from payers where payer_id = new.payer_id for share) as payer
  on conflict (request_id) do update set words = excluded.words, words_but_email = excluded.words_but_email,
    metadata = excluded.metadata;
  return null;
end
$$;

create or replace function keep_payer_words() returns trigger language plpgsql as $$
begin
  update subscription_words w
  set words = words_of(concat_ws(' ', s.subscription_id, s.payment_id, new.name, new.email, new.reference)),
    words_but_email = words_of(concat_ws(' ', s.subscription_id, s.payment_id, new.name, new.reference))
  from subscriptions s
  where s.payer_id = new.payer_id and w.subscription_id = s.subscription_id;
  update payment_words w
  set words = words_of(concat_ws(' ', p.request_id, p.payment_id, new.name, new.email, new.reference)),
    words_but_email = words_of(concat_ws(' ', p.request_id, p.payment_id, new.name, new.reference))
  from payments p
  where p.payer_id = new.payer_id and w.request_id = p.request_id;
  return null;
end
$$;

update subscription_words w set words_but_email = words_of(concat_ws(' ', s.subscription_id, s.payment_id, p.name, p.reference))
from subscriptions s join payers p using (payer_id) where s.subscription_id = w.subscription_id;
update payment_words w set words_but_email = words_of(concat_ws(' ', m.request_id, m.payment_id, p.name, p.reference))
from payments m join payers p using (payer_id) where m.request_id = w.request_id;

create index subscription_words_but_email on subscription_words using gin (words_but_email) with (fastupdate = off);
create index payment_words_but_email on payment_words using gin (words_but_email) with (fastupdate = off);

-- Down Migration

drop index payment_words_but_email;
drop index subscription_words_but_email;
create or replace function keep_payer_words() returns trigger language plpgsql as $$
begin
  update subscription_words w
  set words = words_of(concat_ws(' ', s.subscription_id, s.payment_id, new.name, new.email, new.reference))
  from subscriptions s
  where s.payer_id = new.payer_id and w.subscription_id = s.subscription_id;
  update payment_words w
  set words = words_of(concat_ws(' ', p.request_id, p.payment_id, new.name, new.email, new.reference))
  from payments p
  where p.payer_id = new.payer_id and w.request_id = p.request_id;
  return null;
end
$$;
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
alter table payment_words drop column words_but_email;
alter table subscription_words drop column words_but_email;
