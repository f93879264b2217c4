-- Up Migration

-- What a workflow decides by, so that it can be begun anew from here.
alter table subscriptions
  add column revision integer not null default 0 check (revision >= 0),
  add column heard_revision integer not null default 0 check (heard_revision >= 0),
  add column retry_policy jsonb,
  add column spread integer check (spread >= 0),
  add column pauses jsonb not null default '[]',
  add column skips integer[] not null default '{}',
  add column replacements jsonb not null default '[]',
  add column current_amount integer check (current_amount > 0),
  add column cancellation jsonb;
comment on column subscriptions.revision is 'Raised by every steering change. A workflow that knows an older one sends nothing, and continues from here.';
comment on column subscriptions.heard_revision is 'The newest revision that the workflow has heard of.';
comment on column subscriptions.retry_policy is 'Offsets and transit margin in ms, frozen when it was created; null for one created before they were kept.';
comment on column subscriptions.spread is 'Ms after a due date before its first attempt; null as for retry_policy.';
comment on column subscriptions.pauses is 'Pauses in which a cycle that is not final may lie, oldest first, as epoch ms.';
comment on column subscriptions.skips is 'Cycles to come that a person has skipped.';
comment on column subscriptions.replacements is 'Subscriptions that are to take its place, while their payers are asked.';
comment on column subscriptions.current_amount is 'Cents that were collected last; null: the consent''s, or as imported.';
comment on column subscriptions.cancellation is 'Who asked to cancel, when and why, as soon as it was accepted.';

create index subscriptions_to_be_told on subscriptions (subscription_id) where heard_revision < revision;

alter table cycles add column retry_now boolean not null default false;
comment on column cycles.retry_now is 'A person asked for the next retry now; until it begins.';

alter table payments
  add column transit integer check (transit >= 0),
  add column orphaned_at timestamptz(3);
comment on column payments.transit is 'Ms before the capture deadline from which on nothing is sent; null for one created before it was kept.';
comment on column payments.orphaned_at is 'When it was found that no workflow runs for it, though it is not over.';
create index payments_orphaned on payments (orphaned_at) where orphaned_at is not null;
create index payments_live on payments (payment_id) where status in ('pending_consent', 'authorized', 'partly_captured');
create index subscriptions_live on subscriptions (subscription_id) where status in ('pending_consent', 'active', 'paused');
create index attempts_open on attempts (subscription_id) where state in ('sending', 'pending', 'unknown', 'unresolved');

update subscriptions s set
  pauses = jsonb_build_array(jsonb_build_object(
    'since', (select round(extract(epoch from e.at) * 1000)::bigint from events e
      where e.subscription_id = s.subscription_id and e.type = 'subscription.paused' order by e.id desc limit 1),
    'until', round(extract(epoch from s.paused_until) * 1000)::bigint))
where s.status = 'paused';

update subscriptions s set
  cancellation = (select jsonb_build_object(
      'at', round(extract(epoch from e.at) * 1000)::bigint, 'actor', e.actor, 'reason', e.data ->> 'reason')
    from events e where e.subscription_id = s.subscription_id and e.type = 'subscription.cancel_requested'
    order by e.id desc limit 1)
where s.hold = 'cancel';

update subscriptions s set skips = found.cycles
from (
  select c.subscription_id, array_agg(c.cycle order by c.cycle) as cycles
  from cycles c
  where c.status = 'skipped' and c.reason = 'skipped_by_request' and not exists (
    select from cycles later where later.subscription_id = c.subscription_id and later.cycle > c.cycle
      and later.status <> 'skipped')
  group by c.subscription_id
) found
where found.subscription_id = s.subscription_id and s.status in ('active', 'paused');

update subscriptions s set current_amount = (
  select a.amount from attempts a
  where a.subscription_id = s.subscription_id and a.state in ('successful', 'capture_failed')
  order by a.cycle desc limit 1);

-- Down Migration

drop index attempts_open;
drop index subscriptions_live;
drop index payments_live;
alter table payments drop column orphaned_at, drop column transit;
alter table cycles drop column retry_now;
drop index subscriptions_to_be_told;
alter table subscriptions
  drop column revision,
  drop column heard_revision,
  drop column retry_policy,
  drop column spread,
  drop column pauses,
  drop column skips,
  drop column replacements,
  drop column current_amount,
  drop column cancellation;
