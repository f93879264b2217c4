-- Up Migration

create table approvals (
  approval_id uuid primary key,
  request_hash bytea not null check (octet_length(request_hash) = 32),
  part_hashes bytea check (octet_length(part_hashes) % 32 = 0),
  operation text not null,
  call text not null,
  subscription_id text collate "C",
  payment_id text collate "C",
  amount integer check (amount > 0),
  facts jsonb not null,
  key_id text collate "C" not null,
  requested_by text not null,
  holder text not null,
  created_real_at timestamptz(3) not null,
  expires_real_at timestamptz(3) not null,
  decision text check (decision in ('approved', 'rejected')),
  decided_by text,
  decided_holder text,
  decided_real_at timestamptz(3),
  used_real_at timestamptz(3),
  used_for text,
  constraint approvals_end_after_they_begin check (expires_real_at > created_real_at),
  constraint approvals_decided_by_a_key check (
    (decision is null) = (decided_by is null) and (decision is null) = (decided_real_at is null)
  ),
  constraint approvals_of_another_holder check (
    decision is distinct from 'approved' or (decided_holder is not null and decided_holder <> holder)
  ),
  constraint approvals_used_once_approved check (used_real_at is null or decision is not distinct from 'approved'),
  constraint approvals_used_for_a_request check (used_for is null or used_real_at is not null)
);
comment on table approvals is 'Requests that wait for a second person, or waited. Of the request itself only its hash is kept: no personal data.';
comment on column approvals.request_hash is 'SHA-256 of the key that asks, method, path and canonical body: the approval is good for this request alone.';
comment on column approvals.part_hashes is 'SHA-256 of each part of a streamed body, one after the other; null where the body is not streamed.';
comment on column approvals.call is 'Method and path, for the person who decides.';
comment on column approvals.amount is 'What it is about, in cents; null where no one amount is.';
comment on column approvals.facts is 'What else the person who decides has to know, as the trail has it.';
comment on column approvals.key_id is 'The first of the keys that have replaced one another, of the key that asks; the bootstrap key has no row.';
comment on column approvals.requested_by is 'The name of the key that asks.';
comment on column approvals.holder is 'The person who has the key that asks.';
comment on column approvals.decided_by is 'The name of the key that decided.';
comment on column approvals.decided_holder is 'The person who has the key that decided; null where a key that nobody has has rejected.';
comment on column approvals.used_real_at is 'When the request that it permits was begun. It permits no other one.';
comment on column approvals.used_for is 'By which that request, repeated for want of an answer, is known; null where it had no Idempotency-Key.';

create index approvals_by_request on approvals (request_hash, created_real_at);
create index approvals_newest on approvals (created_real_at desc, approval_id desc);

-- Down Migration

drop table approvals;
