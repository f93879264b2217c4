-- Up Migration

-- Signs part words: ASCII's and general punctuation. Every other character is a letter or a digit, whatever the locale of
-- the database.
create function word_signs() returns text language sql immutable parallel safe
  return '\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f';

create function in_one_case(said text) returns text language sql immutable strict parallel safe
  return lower(normalize(said, nfkc) collate "und-x-icu");

create function words_of(said text) returns tsvector language plpgsql immutable strict parallel safe as $$
declare
  rest text;
  words text[] := '{}';
begin
  foreach rest in array regexp_split_to_array(in_one_case(said), '\s+') loop
    rest := regexp_replace(rest, '^[' || word_signs() || ']+', '');
    while rest <> '' loop
      words := words || left(rest, 200);
      rest := regexp_replace(rest, '^[^' || word_signs() || ']+[' || word_signs() || ']*', '');
    end loop;
  end loop;
  return array_to_tsvector(words);
end
$$;
comment on function words_of is 'What a text is found by: each word with all that follows it up to the next blank. Of ada@example.org that is ada@example.org, example.org and org.';

create function words_sought(said text) returns tsquery language plpgsql immutable strict parallel safe as $$
declare
  term text;
  terms text[] := '{}';
begin
  foreach term in array regexp_split_to_array(in_one_case(said), '\s+') loop
    term := regexp_replace(term, '^[' || word_signs() || ']+', '');
    if term <> '' then
      terms := terms || format('''%s'':*', replace(replace(left(term, 200), '\', '\\'), '''', ''''''));
    end if;
  end loop;
  return nullif(array_to_string(terms, ' & '), '')::tsquery;
end
$$;
comment on function words_sought is 'Every term must be the beginning of something in words_of. Null, which finds nothing, where the text has no letter and no digit.';

-- Beside the tables and not in them: rows of subscriptions change with every collection, their words hardly ever.
create table subscription_words (
  subscription_id text collate "C" primary key references subscriptions on delete cascade,
  words tsvector not null
);
create table payment_words (
  request_id text collate "C" primary key references payments on delete cascade,
  words tsvector not null
);
comment on table subscription_words is 'What a subscription is found by: its ids, and its payer''s name, e-mail and reference. Kept by triggers, so that what is blanked in payers is gone from here too.';
comment on table payment_words is 'What a one-time payment is found by, as subscription_words.';
comment on table payers is 'Personal data, and, but for the words to find it by, nowhere else. Blanked per payer; whatever concerns money stays in the other tables.';

-- The payer is locked: an erasure at the same time is waited for, and what it blanks is not written again.
create function keep_subscription_words() returns trigger language plpgsql as $$
begin
  insert into subscription_words (subscription_id, words)
  select new.subscription_id,
    words_of(concat_ws(' ', new.subscription_id, new.payment_id, payer.name, payer.email, payer.reference))
  from (select * from payers where payer_id = new.payer_id for share) as payer
  on conflict (subscription_id) do update set words = excluded.words;
  return null;
end
$$;
create trigger subscriptions_found after insert or update of payment_id, payer_id on subscriptions
  for each row execute function keep_subscription_words();

create function keep_payment_words() returns trigger language plpgsql as $$
begin
  insert into payment_words (request_id, words)
  select new.request_id,
    words_of(concat_ws(' ', new.request_id, new.payment_id, payer.name, payer.email, payer.reference))
  from (select * from payers where payer_id = new.payer_id for share) as payer
  on conflict (request_id) do update set words = excluded.words;
  return null;
end
$$;
create trigger payments_found after insert or update of payment_id, payer_id on payments
  for each row execute function keep_payment_words();

create function keep_payer_words() returns trigger language plpgsql as $$
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
create trigger payers_found after update of name, email, reference on payers
  for each row execute function keep_payer_words();

insert into subscription_words (subscription_id, words)
  select s.subscription_id, words_of(concat_ws(' ', s.subscription_id, s.payment_id, p.name, p.email, p.reference))
  from subscriptions s join payers p using (payer_id);
insert into payment_words (request_id, words)
  select m.request_id, words_of(concat_ws(' ', m.request_id, m.payment_id, p.name, p.email, p.reference))
  from payments m join payers p using (payer_id);

-- Without a list of entries to be sorted in later: it would be read through by every search.
create index subscription_words_by_word on subscription_words using gin (words) with (fastupdate = off);
create index payment_words_by_word on payment_words using gin (words) with (fastupdate = off);

create index events_by_type on events (type, id desc);
create index events_by_actor on events (actor, id desc);
create index events_by_time on events (at);

-- Down Migration

drop index events_by_time;
drop index events_by_actor;
drop index events_by_type;
drop trigger payers_found on payers;
drop function keep_payer_words();
drop trigger payments_found on payments;
drop function keep_payment_words();
drop trigger subscriptions_found on subscriptions;
drop function keep_subscription_words();
comment on table payers is 'Personal data, and nowhere else. Blanked per payer; whatever concerns money stays in the other tables.';
drop table payment_words;
drop table subscription_words;
drop function words_sought(text);
drop function words_of(text);
drop function in_one_case(text);
drop function word_signs();
