-- Up Migration

-- What the service has said counts (rules 36 to 41): a refused attempt may be followed again, one made elsewhere is adopted.
alter table attempts
  add column adopted boolean not null default false,
  add column refused_as text check (refused_as in ('rejected', 'rejected_retryable')),
  add column authorized boolean not null default false,
  add column reported_real_at timestamptz(3),
  add column unlisted_since_real timestamptz(3),
  add column contradicted_since_real timestamptz(3),
  add column accepted_answer text;
comment on column attempts.adopted is 'Whether another system made it: the service listed it before dueday had sent anything for the cycle.';
comment on column attempts.refused_as is 'Its refusal, if the service has listed the refused authorization as pending or successful since. Null if it has not.';
comment on column attempts.authorized is 'Whether the service has ever reported its authorization as successful, before its capture was final.';
comment on column attempts.reported_real_at is 'Real time at which the service reported its authorization as pending or successful. Null if it never did.';
comment on column attempts.unlisted_since_real is 'Real time since which the service has not listed its pending authorization. Null while it does.';
comment on column attempts.contradicted_since_real is 'Real time since which a successful capture has been seen under its refused authorization.';
comment on column attempts.accepted_answer is 'An accepted answer that could not be stored as it came, as JSON text: the send was made, whatever lists say.';

alter table order_sends
  add column reported_real_at timestamptz(3),
  add column accepted_answer text;
comment on column order_sends.reported_real_at is 'As of attempts.';
comment on column order_sends.accepted_answer is 'As of attempts.';

create or replace function attempt_may_become(old_state text, new_state text) returns boolean
language sql immutable as $$
  select case old_state
    when 'sending' then new_state in (
      'sending', 'pending', 'unknown', 'unresolved',
      'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    when 'pending' then new_state in ('pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed')
    when 'unknown' then new_state in (
      'unknown', 'unresolved', 'pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    when 'unresolved' then new_state in (
      'unresolved', 'pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    when 'rejected' then new_state = 'pending'
    when 'rejected_retryable' then new_state = 'pending'
    else false
  end
$$;
comment on function attempt_may_become is 'Of final states a refusal alone may be followed again, as the service lists its authorization; not_sent is never said of a send that the service knows.';

-- A refused attempt that is followed again may be so beside a later one: then the service itself contradicts its refusal.
drop index attempts_one_live_or_won_per_cycle;
create unique index attempts_one_live_or_won_per_cycle on attempts (subscription_id, cycle)
  where state in ('sending', 'pending', 'unknown', 'unresolved', 'successful', 'capture_failed') and refused_as is null;
create index attempts_reopened on attempts (subscription_id, cycle) where state = 'pending' and refused_as is not null;

-- A retry may be answered with the authorization that was refused before: then it is that one, open again.
drop index attempts_authorization;
create unique index attempts_authorization on attempts (payment_id, authorization_id)
  where authorization_id is not null and state not in ('rejected', 'rejected_retryable');
create index attempts_by_authorization on attempts (payment_id, authorization_id) where authorization_id is not null;

-- The last POSTs of the whole installation, newest first: while none is answered, few are sent.
create index attempts_by_sending on attempts (sending_real_at);
create index order_sends_by_sending on order_sends (sending_real_at);

-- Down Migration

drop index order_sends_by_sending;
drop index attempts_by_sending;
drop index attempts_by_authorization;
drop index attempts_authorization;
create unique index attempts_authorization on attempts (payment_id, authorization_id) where authorization_id is not null;
drop index attempts_reopened;
drop index attempts_one_live_or_won_per_cycle;
create unique index attempts_one_live_or_won_per_cycle on attempts (subscription_id, cycle)
  where state in ('sending', 'pending', 'unknown', 'unresolved', 'successful', 'capture_failed');
create or replace function attempt_may_become(old_state text, new_state text) returns boolean
language sql immutable as $$
  select case old_state
    when 'sending' then new_state in (
      'sending', 'pending', 'unknown', 'unresolved',
      'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    when 'pending' then new_state in ('pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed')
    when 'unknown' then new_state in (
      'unknown', 'unresolved', 'pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    when 'unresolved' then new_state in (
      'unresolved', 'pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
    else false
  end
$$;
alter table order_sends drop column accepted_answer, drop column reported_real_at;
alter table attempts
  drop column accepted_answer,
  drop column contradicted_since_real,
  drop column unlisted_since_real,
  drop column reported_real_at,
  drop column authorized,
  drop column refused_as,
  drop column adopted;
