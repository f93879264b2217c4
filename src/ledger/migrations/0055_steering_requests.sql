-- Up Migration

create table steering_requests (
  request_id text collate "C" primary key,
  subscription_id text collate "C" not null,
  verb text not null,
  argument_hash bytea not null check (octet_length(argument_hash) = 32),
  actor text not null,
  key_id uuid,
  made_real_at timestamptz(3) not null default now(),
  used_real_at timestamptz(3),
  used_for text,
  constraint steering_requests_used_for_a_change check ((used_real_at is null) = (used_for is null))
);
comment on table steering_requests is 'What the admin API asks the workflow of a subscription, before it asks: what the workflow writes for an update has to name one, and uses it up. Removed after a month.';
comment on column steering_requests.request_id is 'Drawn by the API; the update carries it.';
comment on column steering_requests.subscription_id is 'No reference: a draft that is discarded takes no request along.';
comment on column steering_requests.verb is 'What is asked, as the trail names it.';
comment on column steering_requests.argument_hash is 'SHA-256 of the canonical argument of the update: of a request only this is kept.';
comment on column steering_requests.actor is 'The name of the key that asks.';
comment on column steering_requests.key_id is 'Of the API key that asks; null where none does. The bootstrap key is none of api_keys.';
comment on column steering_requests.made_real_at is 'Real time.';
comment on column steering_requests.used_real_at is 'Real time at which the workflow wrote what was asked; null until then. It is good for no other change.';
comment on column steering_requests.used_for is 'The key of that change.';

create index steering_requests_oldest on steering_requests (made_real_at);

-- Down Migration

drop table steering_requests;
