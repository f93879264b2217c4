-- Up Migration

-- What became of a draft that was not opened: the caller who waits for it reads the answer here.
alter table subscriptions
  add column draft_answer jsonb,
  add column draft_sent_real_at timestamptz(3),
  add column adoption jsonb;
comment on column subscriptions.draft_answer is 'Why the service did not open the consent session, or has not the mandate as the import says.';
comment on column subscriptions.draft_sent_real_at is 'Set before POST /payments: it is sent once.';
comment on column subscriptions.adoption is 'Of an import: what its line says of the mandate beside the terms.';

alter table changes drop column notice_ids;
drop table steering_requests;

-- Down Migration

create table steering_requests (request_id uuid primary key);
alter table changes add column notice_ids text[] not null default '{}';
alter table subscriptions drop column adoption, drop column draft_sent_real_at, drop column draft_answer;
