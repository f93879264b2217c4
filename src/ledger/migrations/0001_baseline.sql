-- The whole schema of dueday 1.0, by subject. Each later change is a separate file.
--
-- An instant with "real" in its name is real time; any other is business time, unless a comment says otherwise. Amounts are in
-- cents. dueday migrate grants the privileges to the role in DATABASE_ROLE: src/ledger/sql/grants.ts.

-- Payers

create table payers (
  payer_id uuid primary key,
  reference text,
  name text,
  email text,
  language text check (language in ('en', 'de', 'fr', 'nl')),
  billing_address jsonb,
  shipping_address jsonb,
  former_terms text[] not null default '{}',
  erased_at timestamptz(3),
  constraint payers_erased_is_blank check (
    erased_at is null
    or num_nonnulls(name, email, reference, language, billing_address, shipping_address) = 0 and former_terms = '{}'
  )
);
comment on table payers is 'Personal data. The only copies are the search words in subscription_words and payment_words. A payer is erased by reference; records of money are in other tables and remain.';
comment on column payers.former_terms is 'Former names, e-mail addresses and references; an erasure also searches for these. Maintained by a trigger.';
comment on column payers.language is 'Language of notices to the payer. Null: English.';

create index payers_by_reference on payers (reference) where reference is not null;

-- Subscriptions and their cycles

create table subscriptions (
  subscription_id text collate "C" primary key,
  request_id text collate "C",
  workflow_id text not null,
  payment_id text collate "C" unique,
  payer_id uuid not null references payers,
  status text not null default 'draft' check (
    status in ('draft', 'pending_consent', 'consent_failed', 'active', 'paused', 'cancelled', 'completed')
  ),
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  created_at timestamptz(3) not null,
  drafted_real_at timestamptz(3) not null,
  draft_sent_real_at timestamptz(3),
  draft_answer jsonb,

  -- Agreed terms
  repetition text not null check (repetition in ('WEEKLY', 'MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY')),
  consent_amount integer not null check (consent_amount > 0),
  currency text not null default 'EUR' check (currency = 'EUR'),
  start_at timestamptz(3) not null,
  first_payment_at timestamptz(3) not null,
  end_at timestamptz(3) check (end_at > first_payment_at),
  on_exhausted text not null check (on_exhausted in ('continue', 'pause', 'cancel')),
  return_url text,
  retry_policy jsonb not null,
  spread integer not null check (spread >= 0),
  collect_from timestamptz(3),
  collected_elsewhere boolean,

  -- The consent
  consent_status text check (consent_status in ('pending', 'successful', 'failed', 'cancelled')),
  consent_reason text,
  consent_redirect_url text,
  consent_checked_at timestamptz(3),
  consent_requested_real_at timestamptz(3),
  consent_checked_for timestamptz(3),
  consent_unreadable_real_at timestamptz(3),
  consent_deleting_real_at timestamptz(3),
  merchant_deleted_consent boolean not null default false,
  end_seen_at timestamptz(3),

  -- Collection
  amount integer not null check (amount > 0),
  current_amount integer check (current_amount > 0),
  pending_change jsonb,
  last_increase_at timestamptz(3),
  next_due_at timestamptz(3),
  upcoming_for timestamptz(3),
  payer_notified_for timestamptz(3),
  cycles_collected integer not null default 0 check (cycles_collected >= 0),
  warnings jsonb not null default '[]',

  -- Standing
  needs_attention boolean not null default false,
  dunning boolean not null default false,
  past_due boolean not null default false,
  standing text not null generated always as (
    case
      when needs_attention then 'needs_attention'
      when dunning then 'dunning'
      when past_due then 'past_due'
      else 'good'
    end
  ) stored,

  -- State from which the next step of the workflow is decided, and from which the workflow can be restarted
  revision integer not null default 0 check (revision >= 0),
  acknowledged_revision integer not null default 0 check (acknowledged_revision >= 0),
  stopped_by text check (stopped_by in ('pause', 'cancel')),
  paused_until timestamptz(3),
  pauses jsonb not null default '[]',
  skips integer[] not null default '{}',
  cancellation jsonb,
  cancelled_by text check (cancelled_by in ('payer', 'merchant')),
  replacements jsonb not null default '[]',
  replaces text collate "C",
  replaced_by text collate "C",

  constraint subscriptions_payment_is_named check (
    status in ('draft', 'consent_failed', 'cancelled') or payment_id is not null
  ),
  constraint subscriptions_imported_whole check ((collect_from is null) = (collected_elsewhere is null))
);
comment on table subscriptions is 'The agreed terms and the current state. A draft is a subscription whose consent has not yet been requested from the service; the API does not show it.';
comment on column subscriptions.request_id is 'Derived from the API key, the Idempotency-Key and the body of the request that created it, so that the same request, repeated, finds it. Null if the request had no Idempotency-Key.';
comment on column subscriptions.metadata is 'Key-value pairs of text that belong to the merchant. They must not contain personal data: they remain when the payer is erased.';
comment on column subscriptions.drafted_real_at is 'Real time at which the draft was stored.';
comment on column subscriptions.draft_sent_real_at is 'Real time just before the consent session was requested; it is requested only once.';
comment on column subscriptions.draft_answer is 'Why the draft will not be opened: returned to the caller, who is waiting. Null for any other draft.';
comment on column subscriptions.retry_policy is 'Retry offsets, transit margin and minimum time between two attempts, in ms; frozen at creation.';
comment on column subscriptions.spread is 'Delay of the first attempt after each due date, in ms.';
comment on column subscriptions.collect_from is 'For an imported subscription, whose consent was granted elsewhere: no earlier due date is collected. Null for a subscription created here.';
comment on column subscriptions.collected_elsewhere is 'Whether a cycle had been collected before the import. Null for a subscription created here.';
comment on column subscriptions.consent_checked_for is 'The due date for which the daily check last found the consent still granted.';
comment on column subscriptions.consent_unreadable_real_at is 'Real time since which checks of the consent have failed: it could not be read, or a granted consent was read as pending. Null if the last check succeeded.';
comment on column subscriptions.consent_deleting_real_at is 'Real time of the first DELETE of the consent. Null if there was none, or if the consent was granted in spite of it.';
comment on column subscriptions.merchant_deleted_consent is 'Whether a DELETE sent by dueday may have ended the consent. False if none was sent, or if the service has refused every one.';
comment on column subscriptions.end_seen_at is 'When the end of the consent was noticed, as long as a due date that was pending at that time is not closed; null otherwise. Needed to restart the workflow.';
comment on column subscriptions.needs_attention is 'Whether an attention item with the source standing or the kind unrecordable is open. Maintained by a trigger on attention_items.';
comment on column subscriptions.amount is 'The amount of the next cycle, in cents.';
comment on column subscriptions.current_amount is 'The amount that was authorized last, in cents. Null if none was: first_current() then has the amount.';
comment on column subscriptions.pending_change is 'An accepted change of the amount that has not been collected yet.';
comment on column subscriptions.last_increase_at is 'The last increase that counts for the six-month rule: createdAt of its first successful authorization, or as determined by the import. Null if there was none.';
comment on column subscriptions.upcoming_for is 'The due date of the cycle last announced to the merchant''s systems as upcoming. Null if none was.';
comment on column subscriptions.payer_notified_for is 'The due date of the cycle for which a payment.upcoming notice was last ordered. Null if none was, or if a pause prevented its delivery.';
comment on column subscriptions.revision is 'Raised by every steering change. A workflow that has acted on an older revision sends nothing and continues from the row.';
comment on column subscriptions.acknowledged_revision is 'The newest revision that the workflow has acknowledged.';
comment on column subscriptions.stopped_by is 'Set before a pause or a cancellation is answered. No attempt starts while it is set.';
comment on column subscriptions.pauses is 'Pauses that may contain a cycle that is not final, oldest first; instants are epoch ms.';
comment on column subscriptions.skips is 'Future cycles that an operator has skipped.';
comment on column subscriptions.cancellation is 'Who requested the cancellation, when and why; set once it is accepted.';
comment on column subscriptions.replacements is 'Subscriptions that will replace this one once their payers grant consent.';

create index subscriptions_newest on subscriptions (created_at desc, subscription_id desc) where status <> 'draft';
create index subscriptions_by_status on subscriptions (status, created_at desc, subscription_id desc);
create index subscriptions_by_standing on subscriptions (standing, created_at desc, subscription_id desc);
create index subscriptions_by_payer on subscriptions (payer_id);
create index subscriptions_failing on subscriptions (subscription_id) where past_due or dunning;
-- Serves the list by due date, from any cursor.
create index subscriptions_in_due_order on subscriptions (next_due_at, subscription_id) where next_due_at is not null;
create index subscriptions_live on subscriptions (subscription_id) where status in ('pending_consent', 'active', 'paused');
create index subscriptions_unacknowledged on subscriptions (subscription_id) where acknowledged_revision < revision;
create index subscriptions_consents_to_check on subscriptions (next_due_at, subscription_id)
  where status in ('active', 'paused') and payment_id is not null and consent_checked_for is distinct from next_due_at;
-- Excludes due dates that have been announced: the job that announces runs every few seconds.
create index subscriptions_to_announce on subscriptions (next_due_at)
  where status = 'active' and stopped_by is null and upcoming_for is distinct from next_due_at;
create index subscriptions_to_notify on subscriptions (repetition, next_due_at)
  where status = 'active' and stopped_by is null and payer_notified_for is distinct from next_due_at;
-- Finds the subscriptions that replace a subscription, or will replace it once consent is granted.
create index subscriptions_replacing on subscriptions (replaces) where replaces is not null;

create table cycles (
  subscription_id text collate "C" not null references subscriptions,
  cycle integer not null check (cycle >= 0),
  due_at timestamptz(3) not null,
  collect_by timestamptz(3) not null check (collect_by > due_at),
  amount integer not null check (amount > 0),
  status text not null check (
    status in ('scheduled', 'collecting', 'dunning', 'collected', 'failed', 'skipped', 'missed', 'unresolved')
  ),
  reason text,
  collected_at timestamptz(3),
  next_attempt_at timestamptz(3),
  retries_left integer not null default 0 check (retries_left between 0 and 3),
  retry_until timestamptz(3),
  retry_from timestamptz(3),
  postponed_until timestamptz(3),
  primary key (subscription_id, cycle),
  constraint cycles_collected_at_an_instant check ((status = 'collected') = (collected_at is not null))
);
comment on table cycles is 'One row per due date, from its first audit entry on. The first attempt freezes the amount.';
comment on column cycles.retry_from is 'The earliest instant of the next retry, as requested by an operator. Null once the retry has started.';
comment on column cycles.postponed_until is 'The instant, within the collection window, to which an operator has postponed the first attempt at the payer''s request.';

-- Covers the sums of collections: an index-only scan.
create index cycles_sums_by_due on cycles (due_at) include (status, amount);
create index cycles_open_by_deadline on cycles (least(retry_until, collect_by), subscription_id, due_at)
  where status in ('collecting', 'dunning', 'unresolved');
-- Finds late retries without reading the cycles that are not in dunning.
create index cycles_to_retry on cycles (next_attempt_at, subscription_id) where status = 'dunning';
create index cycles_postponed on cycles (subscription_id) where status = 'scheduled' and postponed_until is not null;
create index cycles_skipped on cycles (subscription_id, due_at) where status = 'skipped';

-- Outcomes of cycles by the hour of their due date, so that the report of a month reads no cycle that has ended. The collecting
-- transaction only appends to collection_changes; its rows are added to the sums after the commit.

create table collection_sums (
  hour timestamptz(3) not null,
  status text not null check (status in ('collected', 'failed', 'skipped', 'missed', 'refunded')),
  count bigint not null,
  amount bigint not null,
  primary key (hour, status)
);
comment on table collection_sums is 'Ended cycles by the hour of their due date and status, and successful refunds by the hour in which the refunded cycle was due. Excludes what is still in collection_changes.';
comment on column collection_sums.amount is 'Cents.';

create table collection_changes (
  number bigint generated always as identity primary key,
  due_at timestamptz(3) not null,
  status text not null,
  count integer not null,
  amount bigint not null
);
comment on table collection_changes is 'Amounts and counts to be added to collection_sums; negative when a cycle leaves a status. Written by triggers on cycles and order_sends, so that every program''s changes are included.';

create table failed_checks (
  subscription_id text collate "C" primary key,
  real_at timestamptz(3) not null
);
comment on table failed_checks is 'When the payment service last could not be reached for a subscription, or gave no readable answer, before or after an attempt. Accurate to a minute.';

create table back_offs (
  key text collate "C" primary key,
  since_real_at timestamptz(3) not null,
  noted_real_at timestamptz(3) not null,
  again_real_at timestamptz(3) not null,
  stop text not null,
  reason text not null
);
comment on table back_offs is 'When to check an attempt or an order again that could not proceed. Outlives the activity that recorded it.';
comment on column back_offs.key is '<subscription>/<cycle>/<attempt>, or the id of an order.';
comment on column back_offs.since_real_at is 'Since when it could not proceed; the intervals between checks grow with this time.';
comment on column back_offs.noted_real_at is 'When this was recorded. If the clock now shows an earlier time, it was set back, and again_real_at is ignored.';
comment on column back_offs.stop is 'The explanation that the activity shows to operators meanwhile.';

create table changes (
  subscription_id text collate "C" not null references subscriptions,
  change_key text collate "C" not null,
  at timestamptz(3) not null,
  primary key (subscription_id, change_key)
);
comment on table changes is 'Executed steering requests, by action and id: a repeated request changes nothing.';

-- Attempts and their sends

create table attempts (
  subscription_id text collate "C" not null,
  cycle integer not null,
  attempt integer not null check (attempt between 0 and 3),
  send integer not null check (send >= 0),

  -- The request
  payment_id text collate "C" not null,
  amount integer not null check (amount > 0),
  due_at timestamptz(3) not null,
  at timestamptz(3) not null,
  sending_real_at timestamptz(3) not null,
  known_ids text[] not null default '{}',
  owner text not null,
  adopted boolean not null default false,

  -- State
  state text not null check (
    state in (
      'sending', 'pending', 'unknown', 'unresolved',
      'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'
    )
  ),
  outcome_at timestamptz(3),
  detail text,
  description text,
  reason text,
  resolved_by text,
  evidence text,

  -- Reported by the service
  authorization_id text collate "C",
  authorization_created_at timestamptz(3),
  capture_id text collate "C",
  refused_as text check (refused_as in ('rejected', 'rejected_retryable')),
  authorized boolean not null default false,
  accepted_answer text,
  reported_real_at timestamptz(3),
  unknown_since_real timestamptz(3),
  absent_checks integer not null default 0 check (absent_checks >= 0),
  unlisted_since_real timestamptz(3),
  contradicted_since_real timestamptz(3),

  primary key (subscription_id, cycle, attempt, send),
  foreign key (subscription_id, cycle) references cycles,
  constraint attempts_debit_is_named check (
    state not in ('pending', 'successful', 'capture_failed') or authorization_id is not null or resolved_by is not null
  ),
  constraint attempts_final_at_an_instant check (
    (state in ('successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent')) = (outcome_at is not null)
  ),
  constraint attempts_resolved_with_evidence check ((resolved_by is null) = (evidence is null))
);
comment on table attempts is 'Every POST that may debit a payer, committed as sending before its first byte is sent. The service has no idempotency keys: only this table prevents a double debit.';
comment on column attempts.attempt is '0 for the first attempt, 1 to 3 for retries.';
comment on column attempts.send is '0, plus 1 for each earlier send of the attempt that never arrived.';
comment on column attempts.at is 'Business time at which it was sent.';
comment on column attempts.known_ids is 'Authorizations that the service listed just before this send, except those that the ledger already had from earlier sends of the payment.';
comment on column attempts.adopted is 'Whether another system created the debit: the service listed it, and no send of dueday explains it.';
comment on column attempts.resolved_by is 'The operator who determined the outcome. Null if the service did.';
comment on column attempts.refused_as is 'The state in which the service first refused it, if it has listed the refused authorization as pending or successful since; null otherwise.';
comment on column attempts.authorized is 'Whether the service has ever reported its authorization as successful before the capture was final.';
comment on column attempts.accepted_answer is 'The answer, as JSON text, of a POST that was accepted but could not be recorded as usual. Such a send did arrive, whatever the service lists.';
comment on column attempts.reported_real_at is 'Real time at which the service reported its authorization as pending or successful. Null if it never did.';
comment on column attempts.unlisted_since_real is 'Real time since which the service has no longer listed its pending authorization. Null while it is listed.';
comment on column attempts.contradicted_since_real is 'Real time since which the service has shown a successful capture of its refused authorization.';

-- Prevents double debits, whatever any program assumes.
create unique index attempts_one_unknown_per_payment on attempts (payment_id)
  where state in ('sending', 'unknown', 'unresolved');
-- Excludes refused attempts that are polled again because the service contradicted its refusal: a later attempt may be under way.
create unique index attempts_one_own_per_cycle on attempts (subscription_id, cycle)
  where state in ('sending', 'pending', 'unknown', 'unresolved', 'successful', 'capture_failed') and refused_as is null;
-- The service guarantees that its ids are unique within a payment and kind, no more. It may answer a retry with the authorization
-- that it had refused before, which is then open again.
create unique index attempts_authorization_in_use on attempts (payment_id, authorization_id)
  where authorization_id is not null and state not in ('rejected', 'rejected_retryable');

create index attempts_by_payment on attempts (payment_id);
create index attempts_open on attempts (subscription_id) where state in ('sending', 'pending', 'unknown', 'unresolved');
-- Finds sends that have no outcome yet without reading all others.
create index attempts_sending on attempts (sending_real_at, subscription_id) where state = 'sending';
-- Finds the latest sends of the whole installation: while none of them is answered, only a few more are sent.
create index attempts_by_sending on attempts (sending_real_at);
-- Counts sends that were not found, for alerts that are evaluated every few seconds.
create index attempts_not_found on attempts (subscription_id, cycle)
  where unknown_since_real is not null and state in ('unknown', 'unresolved', 'not_sent');
-- Movements of money are listed directly from these rows, in the order in which they started: it never changes.
create index attempts_by_time on attempts (at, subscription_id);
-- A movement booked in a period may have started long before: this finds where the list has to begin.
create index attempts_by_booking on attempts (outcome_at) include (at, amount, adopted) where state = 'successful';
-- Counts a day's refusals without reading the other attempts.
create index attempts_refused on attempts (outcome_at) include (adopted)
  where state in ('rejected_retryable', 'rejected', 'capture_failed');
comment on index attempts_by_time is 'For GET /v1/transactions: debits of subscriptions.';

-- One-time payments: Single Immediate and Event Dependent

create table payments (
  request_id text collate "C" primary key check (request_id like 'pay\_%'),
  workflow_id text not null,
  payment_id text collate "C" unique,
  payer_id uuid not null references payers,
  status text not null default 'draft' check (
    status in (
      'draft', 'pending_consent', 'consent_failed', 'authorized', 'partly_captured', 'captured',
      'released', 'expired', 'failed', 'refunded'
    )
  ),
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  actor text not null,
  key_id uuid,
  created_at timestamptz(3) not null,
  drafted_real_at timestamptz(3) not null,
  draft_sent_real_at timestamptz(3),
  draft_answer jsonb,

  -- The order
  plan text not null check (plan in ('SINGLE', 'EVENT_DEPENDENT')),
  amount integer not null check (amount > 0),
  currency text not null default 'EUR' check (currency = 'EUR'),
  return_url text,
  time_to_capture integer check (time_to_capture between 1 and 864000),
  partial_capture boolean not null,
  multiple_capture boolean not null,
  merchant_category_code text,
  transit integer check (transit >= 0),

  -- The consent
  consent_status text check (consent_status in ('pending', 'successful', 'failed', 'cancelled')),
  consent_reason text,
  consent_redirect_url text,
  consent_checked_at timestamptz(3),
  consent_requested_real_at timestamptz(3),

  -- Authorization and booking: at most one of each per payment, so their ids need no unique index
  authorization_id text collate "C",
  authorization_state text check (authorization_state in ('pending', 'successful', 'failed')),
  authorization_created_at timestamptz(3),
  authorization_detail text,
  authorization_description text,
  capture_by timestamptz(3),
  booking_id text collate "C",
  booking_state text check (booking_state in ('pending', 'successful', 'failed')),
  booking_created_at timestamptz(3),

  -- The end
  release_ordered_at timestamptz(3),
  released_at timestamptz(3),
  expired_at timestamptz(3),
  orphaned_at timestamptz(3),

  -- Notification of its workflow
  revision integer not null default 0 check (revision >= 0),
  acknowledged_revision integer not null default 0 check (acknowledged_revision >= 0),

  constraint payments_named_by_the_service check (status = 'draft' or payment_id is not null),
  constraint payments_time_to_capture_of_event_dependent check (
    (plan = 'EVENT_DEPENDENT') = (time_to_capture is not null)
  ),
  constraint payments_authorization_whole check (
    num_nulls(authorization_id, authorization_state, authorization_created_at) in (0, 3)
  ),
  constraint payments_booking_whole check (num_nulls(booking_id, booking_state, booking_created_at) in (0, 3)),
  constraint payments_ended_once check (released_at is null or expired_at is null)
);
comment on table payments is 'One-time payments. A draft is a payment whose consent has not yet been requested from the service; the API does not show it.';
comment on column payments.request_id is 'The id assigned by dueday, before the service assigns payment_id.';
comment on column payments.metadata is 'See subscriptions.metadata.';
comment on column payments.key_id is 'The API key that created it, for the audit entry that is written when the service has answered.';
comment on column payments.drafted_real_at is 'See subscriptions.drafted_real_at.';
comment on column payments.return_url is 'Null once the payer is erased.';
comment on column payments.transit is 'How long before the capture deadline sending stops, in ms.';
comment on column payments.capture_by is 'The capture deadline, exclusive: the authorization''s createdAt plus timeToCapture.';
comment on column payments.booking_id is 'The capture that the service itself creates for a Single Immediate payment.';
comment on column payments.draft_sent_real_at is 'See subscriptions.draft_sent_real_at.';
comment on column payments.draft_answer is 'See subscriptions.draft_answer.';
comment on column payments.revision is 'Raised by everything its workflow must react to but did not do itself: an ordered release, a capture that has ended, a check.';
comment on column payments.acknowledged_revision is 'See subscriptions.acknowledged_revision.';
comment on column payments.orphaned_at is 'When restarting its workflow was left to an operator. Null once a workflow runs again, or none is needed.';

create index payments_newest on payments (created_at desc, request_id desc) where status <> 'draft';
create index payments_by_status on payments (status, created_at desc, request_id desc);
create index payments_by_payer on payments (payer_id);
create index payments_in_deadline_order on payments (capture_by, request_id) where capture_by is not null;
create index payments_live on payments (payment_id) where status in ('pending_consent', 'authorized', 'partly_captured');
-- Finds payments marked as orphaned, oldest first.
create index payments_orphaned on payments (created_at, request_id) where orphaned_at is not null;
create index payments_to_be_notified on payments (request_id) where acknowledged_revision < revision;
create index payments_booked_by_day on payments (booking_created_at) where booking_id is not null;
create index payments_by_debit on payments (authorization_created_at, request_id)
  where plan = 'SINGLE' and authorization_id is not null;
comment on index payments_by_debit is 'For GET /v1/transactions: debits of Single Immediate payments.';

-- Payment links: the payer pays a failed or missed cycle by a Single Immediate payment of the cycle's amount

create table payment_links (
  request_id text collate "C" primary key references payments on delete cascade,
  subscription_id text collate "C" not null,
  cycle integer not null,
  state text not null default 'open' check (state in ('open', 'paid', 'ended')),
  paid_at timestamptz(3),
  reason text,
  foreign key (subscription_id, cycle) references cycles,
  constraint payment_links_paid_at_an_instant check ((state = 'paid') = (paid_at is not null))
);
comment on table payment_links is 'The one-time payments that are links to pay a cycle. All other data of a link is in payments.';
comment on column payment_links.request_id is 'The payment of the link.';
comment on column payment_links.state is 'open: the payer can still pay. paid: captured, even if refunded since. ended: expired, declined or failed.';
comment on column payment_links.paid_at is 'Business time at which the service booked the payment.';
comment on column payment_links.reason is 'Why it was requested, until its session is open; after that the audit log has the reason.';

-- Prevents a second payment of the same cycle by link.
create unique index payment_links_one_per_cycle on payment_links (subscription_id, cycle) where state <> 'ended';
create index payment_links_of_cycle on payment_links (subscription_id, cycle, request_id);

-- Orders: captures and refunds, which are ordered, sent and polled in the same way

create table orders (
  order_id text collate "C" primary key,
  kind text not null check (kind in ('refund', 'capture')),
  subscription_id text collate "C",
  cycle integer,
  payment_id text collate "C" not null,
  capture_id text collate "C",
  amount integer not null check (amount > 0),
  final_capture boolean,
  reason text,
  actor text not null,
  created_at timestamptz(3) not null,
  created_real_at timestamptz(3) not null,
  unique (order_id, payment_id),
  foreign key (subscription_id, cycle) references cycles,
  constraint orders_id_names_its_kind check (
    order_id like case kind when 'refund' then 'ref\_%' else 'cap\_%' end
  ),
  constraint orders_of_a_cycle_or_of_a_payment check (
    num_nonnulls(subscription_id, cycle) in (0, 2) and (kind = 'refund' or cycle is null)
  ),
  constraint orders_refund_names_its_capture check ((kind = 'refund') = (capture_id is not null)),
  constraint orders_capture_says_whether_final check ((kind = 'capture') = (final_capture is not null))
);
comment on table orders is 'Captures and refunds as ordered. These rows never change, except that the reason can be erased or redacted. Their state is in order_sends.';
comment on column orders.order_id is 'Assigned by dueday: derived from the API key and the Idempotency-Key of the order.';
comment on column orders.subscription_id is 'Null for an order of a one-time payment.';
comment on column orders.capture_id is 'The capture that is refunded. Null for a capture.';

create index orders_of_cycle on orders (subscription_id, cycle, created_at);
create index orders_of_payment on orders (payment_id, kind);
create index orders_by_age on orders (created_real_at);
create index orders_by_time on orders (created_at, order_id);
create index orders_captured_by_day on orders (created_at) where kind = 'capture';
comment on index orders_by_time is 'For GET /v1/transactions: captures and refunds.';

create table order_sends (
  order_id text collate "C" not null,
  send integer not null check (send >= 0),

  -- The request
  payment_id text collate "C" not null,
  at timestamptz(3) not null,
  sending_real_at timestamptz(3) not null,
  known_ids text[] not null default '{}',
  owner text not null,
  posted boolean not null default true,

  -- State
  state text not null check (
    state in ('sending', 'pending', 'unknown', 'unresolved', 'successful', 'failed', 'not_sent')
  ),
  outcome_at timestamptz(3),
  detail text,
  description text,
  reason text,

  -- Reported by the service
  service_id text collate "C",
  service_created_at timestamptz(3),
  accepted_answer text,
  reported_real_at timestamptz(3),
  unknown_since_real timestamptz(3),
  absent_checks integer not null default 0 check (absent_checks >= 0),

  primary key (order_id, send),
  foreign key (order_id, payment_id) references orders (order_id, payment_id),
  constraint order_sends_known_is_named check (
    state not in ('pending', 'successful') or service_id is not null
  ),
  constraint order_sends_final_at_an_instant check (
    (state in ('successful', 'failed', 'not_sent')) = (outcome_at is not null)
  )
);
comment on table order_sends is 'Every POST of a capture or a refund, committed as sending before its first byte is sent. The service has no idempotency keys: only this table prevents a double capture or refund.';
comment on column order_sends.send is '0, plus 1 for each earlier send of the order that never arrived.';
comment on column order_sends.at is 'Business time at which it was sent.';
comment on column order_sends.known_ids is 'Captures (or refunds) of the payment that the service listed just before this send, except those that the ledger already had from earlier sends of the same payment and kind.';
comment on column order_sends.posted is 'False if its outcome was recorded without a POST: it could no longer be sent, or an operator has resolved it.';
comment on column order_sends.service_id is 'The service''s id of the capture or refund.';
comment on column order_sends.accepted_answer is 'See attempts.accepted_answer.';
comment on column order_sends.reported_real_at is 'Real time at which the service reported it as pending or successful. Null if it never did, or if an operator has found it successful.';

-- Prevents double captures and double refunds, whatever any program assumes.
create unique index order_sends_one_unknown_per_payment on order_sends (payment_id)
  where state in ('sending', 'unknown', 'unresolved');
create unique index order_sends_one_live_or_final_per_order on order_sends (order_id) where state <> 'not_sent';
-- The prefix of order_id is the kind, ref_ or cap_: see orders_id_names_its_kind.
create unique index order_sends_service_id on order_sends (payment_id, left(order_id, 4), service_id)
  where service_id is not null;

create index order_sends_by_payment on order_sends (payment_id);
-- See attempts_by_sending, attempts_not_found and attempts_by_booking.
create index order_sends_by_sending on order_sends (sending_real_at);
create index order_sends_not_found on order_sends (order_id)
  where unknown_since_real is not null and state in ('unknown', 'unresolved', 'not_sent');
create index order_sends_by_booking on order_sends (outcome_at) include (order_id) where state = 'successful';

-- Orders that are not final, however old. They are searched every minute, so they are kept apart from the closed ones.
create table open_orders (
  order_id text collate "C" primary key,
  created_real_at timestamptz(3) not null,
  started boolean not null default false
);
comment on table open_orders is 'Orders that have neither succeeded nor failed. Maintained by triggers on orders and order_sends, so that every program''s changes are included.';
comment on column open_orders.order_id is 'Not a foreign key, because rows of orders are never deleted.';
comment on column open_orders.created_real_at is 'A copy of orders.created_real_at.';
comment on column open_orders.started is 'Whether there is any send.';

create index open_orders_by_age on open_orders (created_real_at, order_id);
create index open_orders_not_started on open_orders (created_real_at, order_id) where not started;

-- Search words of subscriptions and payments. They are separate tables because a subscription's row changes with every
-- collection, and its words hardly ever.

create table subscription_words (
  subscription_id text collate "C" primary key references subscriptions on delete cascade,
  words tsvector not null,
  words_but_email tsvector not null default '',
  metadata jsonb not null default '{}'
);
comment on table subscription_words is 'Search index of subscriptions: their ids, and the payer''s name, e-mail and reference. Maintained by triggers, so that what is blanked in payers disappears here too.';
comment on column subscription_words.words_but_email is 'The same without the words of the e-mail, for callers who may not see it.';
comment on column subscription_words.metadata is 'A searchable copy of the subscription''s metadata.';

create table payment_words (
  request_id text collate "C" primary key references payments on delete cascade,
  words tsvector not null,
  words_but_email tsvector not null default '',
  metadata jsonb not null default '{}'
);
comment on table payment_words is 'Search index of one-time payments; see subscription_words.';
comment on column payment_words.words_but_email is 'See subscription_words.words_but_email.';
comment on column payment_words.metadata is 'A searchable copy of the payment''s metadata.';

-- With fastupdate, every search would have to scan its pending list.
create index subscription_words_by_word on subscription_words using gin (words) with (fastupdate = off);
create index subscription_words_but_email on subscription_words using gin (words_but_email) with (fastupdate = off);
create index subscription_words_by_metadata on subscription_words using gin (metadata jsonb_path_ops) with (fastupdate = off);
create index payment_words_by_word on payment_words using gin (words) with (fastupdate = off);
create index payment_words_but_email on payment_words using gin (words_but_email) with (fastupdate = off);
create index payment_words_by_metadata on payment_words using gin (metadata jsonb_path_ops) with (fastupdate = off);

-- The audit log and its hash chain

create table events (
  id bigserial primary key,
  subscription_id text collate "C",
  payment_id text collate "C",
  change_key text collate "C",
  ordinal integer not null default 0,
  at timestamptz(3) not null,
  recorded_at timestamptz(3) not null default now(),
  actor text not null,
  key_id uuid,
  type text not null,
  data jsonb not null default '{}',
  unique (subscription_id, change_key, ordinal)
);
comment on table events is 'The audit log: every decision and every change, in the order of writing. Append-only, except that free text and pairs of metadata can be erased or redacted. Contains no other personal data.';
comment on column events.at is 'Business time. recorded_at is real time.';
comment on column events.key_id is 'The API key that was used, directly or through a session. Null if none was.';

create unique index events_of_payment_once on events (payment_id, change_key, ordinal) where payment_id is not null;
create index events_of_subscription on events (subscription_id, id desc);
create index events_of_payment on events (payment_id, id desc) where payment_id is not null;
create index events_by_type on events (type, id desc);
create index events_by_actor on events (actor, id desc);
create index events_by_key on events (key_id, id desc) where key_id is not null;
create index events_by_time on events (at);
-- An erasure searches entries that belong to no subscription or payment for the payer's name.
create index events_of_no_subject on events (id) where subscription_id is null and payment_id is null;

create table audit_chain (
  position bigint primary key check (position > 0),
  entry_id bigint not null unique,
  words jsonb not null,
  hash bytea not null check (octet_length(hash) = 32)
);
comment on table audit_chain is 'The hash chain over the audit log: one link per entry, appended after commit by one process at a time. src/domain/audit/chain.ts defines what is hashed.';
comment on column audit_chain.position is '1, 2, 3 …, without gaps, in the order of chaining: an entry that is committed late is chained after entries with a higher id.';
comment on column audit_chain.entry_id is 'The id of an entry in events. Not a foreign key: dueday audit verify must be able to detect a missing entry.';
comment on column audit_chain.words is 'For each field of the entry''s data that may contain free text: a salted digest of it, and the salt. The salt is removed together with the text.';
comment on column audit_chain.hash is 'SHA-256 of the previous hash, the position, the entry without free text, and the digests of that text.';

create table audit_head (
  is_only boolean primary key default true check (is_only),
  position bigint not null default 0 check (position >= 0),
  hash bytea not null default decode(repeat('00', 32), 'hex') check (octet_length(hash) = 32),
  settled bigint not null default 0 check (settled >= 0),
  published_at timestamptz(3)
);
comment on table audit_head is 'One row: the last link of the chain. Locked by the process that appends links or removes free text.';
comment on column audit_head.settled is 'Every entry id up to this one has a link, or was rolled back and will never exist.';
comment on column audit_head.published_at is 'Business time at which the head was last published as audit.head; initially, the time from which the interval is counted.';

-- Notices to payers and to the merchant

create table notices (
  notice_id text collate "C" primary key check (notice_id like 'msg\_%'),
  subscription_id text collate "C" references subscriptions,
  payment_id text collate "C" references payments (payment_id),
  cycle integer,
  attempt integer,
  change_key text collate "C",
  type text not null check (
    type in (
      'payment.failed', 'payment.increase_announced', 'payment.upcoming',
      'subscription.paused', 'subscription.resumed', 'subscription.cancelled', 'subscription.completed',
      'consent.failed', 'cycle.missed', 'cycle.failed', 'cycle.unresolved', 'capture.deadline_near'
    )
  ),
  data jsonb not null,
  created_at timestamptz(3) not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'undeliverable')),
  next_try_real_at timestamptz(3) default 'epoch',
  first_try_real_at timestamptz(3),
  tries integer not null default 0 check (tries >= 0),
  is_resent boolean not null default false,
  deliveries integer not null default 0 check (deliveries >= 0),
  gone_channels text[] not null default '{}',
  last_error text,
  delivered_at timestamptz(3),
  delivered_real_at timestamptz(3),
  channel text,
  evidence jsonb,
  constraint notices_of_one_subject check (num_nonnulls(subscription_id, payment_id) = 1),
  constraint notices_delivered_with_evidence check (
    (state = 'delivered') = (num_nulls(delivered_at, delivered_real_at, channel, evidence) = 0)
  ),
  constraint notices_failure_names_its_attempt check (
    type <> 'payment.failed' or (cycle is not null and attempt is not null)
  ),
  constraint notices_tried_while_open check (
    case state when 'pending' then next_try_real_at is not null when 'undeliverable' then next_try_real_at is null else true end
  )
);
comment on table notices is 'Notices to payers and to the merchant. They contain no personal data: the payer''s is added on delivery.';
comment on column notices.next_try_real_at is 'When to try next; epoch: immediately. Like first_try_real_at, by the clock of the delivering process, which first moves it past the time that its try may take. Null once it is delivered or given up, until it is reopened.';
comment on column notices.tries is 'Delivery attempts since it was ordered or last reopened; first_try_real_at is the time of the first of these.';
comment on column notices.is_resent is 'Whether an operator has resent it: it is then delivered even if it is out of date.';
comment on column notices.gone_channels is 'Channels that refuse this notice permanently, while another channel may still accept it. They are not tried again until it is reopened.';
comment on column notices.evidence is 'Proof of delivery: the webhook''s status, or the mail server''s answer. A retry depends on it.';

create unique index notices_ordered_once
  on notices (subscription_id, change_key, type, coalesce(cycle, -1), coalesce(attempt, -1))
  where change_key is not null;
create unique index notices_of_payment_once on notices (payment_id, change_key, type) where payment_id is not null;
create unique index notices_one_per_failure on notices (subscription_id, cycle, attempt) where type = 'payment.failed';
create index notices_waiting on notices (created_at, notice_id) where state = 'pending';
create index notices_to_deliver on notices (next_try_real_at) where next_try_real_at is not null;
create index notices_newest on notices (created_at desc, notice_id desc);
create index notices_of_subscription on notices (subscription_id, created_at desc, notice_id desc)
  where subscription_id is not null;
create index notices_undeliverable on notices (created_at desc, notice_id desc) where state = 'undeliverable';

-- Events for the merchant's systems, and their delivery to webhooks

create table merchant_events (
  number bigint generated always as identity primary key,
  event_id text collate "C" not null default 'evt_' || replace(gen_random_uuid()::text, '-', ''),
  type text not null,
  subscription_id text collate "C",
  payment_id text collate "C",
  at timestamptz(3) not null,
  recorded_real_at timestamptz(3) not null default clock_timestamp(),
  is_test boolean not null default false,
  data jsonb not null,
  position bigint,
  sequence bigint,
  constraint merchant_events_of_one_subject check (num_nonnulls(subscription_id, payment_id) <= 1),
  constraint merchant_events_in_order_once_placed check (
    (sequence is not null) = (position is not null and num_nonnulls(subscription_id, payment_id) = 1)
  )
);
comment on table merchant_events is 'The events that the merchant''s systems receive, written in the transaction of the change. Without personal data: the payer''s reference is added on delivery.';
comment on column merchant_events.number is 'The order of writing. Numbers of transactions that are not yet committed are temporary gaps.';
comment on column merchant_events.event_id is 'The webhook-id: the same in every delivery of the event.';
comment on column merchant_events.subscription_id is 'Null for an event about a one-time payment, or about neither.';
comment on column merchant_events.payment_id is 'The one-time payment. Null for an event about a subscription, or about neither.';
comment on column merchant_events.at is 'Business time. recorded_real_at is real time by PostgreSQL''s clock.';
comment on column merchant_events.is_test is 'A test event is sent to one endpoint. It has no position, and no list shows it.';
comment on column merchant_events.position is 'Position among all events, without gaps, assigned after commit by one process at a time. Null until then.';
comment on column merchant_events.sequence is 'Rises by one with each event of the subscription or one-time payment, except after a restore. Assigned together with the position.';

create unique index merchant_events_by_id on merchant_events (event_id);
create unique index merchant_events_placed on merchant_events (position) where position is not null;
create index merchant_events_to_place on merchant_events (number) where position is null and not is_test;
create index merchant_events_by_type on merchant_events (type, position) where position is not null;
-- Find all events of a payer, including those without a position.
create index merchant_events_by_subscription on merchant_events (subscription_id, position)
  where subscription_id is not null;
create index merchant_events_by_payment on merchant_events (payment_id, position) where payment_id is not null;

create table event_sequences (
  subject text collate "C" primary key,
  last bigint not null check (last > 0),
  restores bigint not null default 0 check (restores >= 0)
);
comment on table event_sequences is 'The last sequence assigned to each subject: subscription/<id> or payment/<id>. Kept after the events are purged.';
comment on column event_sequences.restores is 'The value of event_feed.restores when the last sequence was assigned.';

create table event_feed (
  is_only boolean primary key default true check (is_only),
  placed bigint not null default 0 check (placed >= 0),
  purged bigint not null default 0 check (purged >= 0),
  epoch bigint not null default 0 check (epoch >= 0),
  restores bigint not null default 0 check (restores >= 0)
);
comment on table event_feed is 'One row: the last position assigned (placed) and the last one purged. Locked by the process that assigns positions.';
comment on column event_feed.epoch is 'Raised whenever a restore is noticed. A restored ledger assigns the same positions to other events, so cursors of earlier epochs are refused.';
comment on column event_feed.restores is 'How often the ledger was accepted after a restore, or as a copy. Each time, sequences skip 1,000 numbers.';

create table webhook_endpoints (
  endpoint_id text collate "C" primary key,
  url text,
  description text,
  types text[] not null check (cardinality(types) > 0),
  enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('disabled_by_admin', 'gone', 'failing')),
  was_disabled boolean not null default false,
  secret text,
  previous_secret text,
  previous_until_real timestamptz(3),
  failing_since_real timestamptz(3),
  next_probe_real_at timestamptz(3),
  hastened_real_at timestamptz(3),
  fanned_out bigint not null default 0,
  created_real_at timestamptz(3) not null default clock_timestamp(),
  constraint webhook_endpoints_whole check ((endpoint_id = 'env') = (num_nulls(url, secret) = 2)),
  constraint webhook_endpoints_disabled_for_a_reason check (enabled = (disabled_reason is null)),
  constraint webhook_endpoints_overlap_whole check (num_nulls(previous_secret, previous_until_real) in (0, 2))
);
comment on table webhook_endpoints is 'Where events are posted. The endpoint env is EVENT_WEBHOOK_URL: its address and secret are in the environment, and it receives notices instead of deliveries.';
comment on column webhook_endpoints.types is 'Event types, all types of a subject such as cycle.*, or * for all.';
comment on column webhook_endpoints.was_disabled is 'It was disabled because it failed or answered 410, and has accepted nothing since.';
comment on column webhook_endpoints.secret is 'whsec_…, encrypted if SECRETS_KEYS is set.';
comment on column webhook_endpoints.previous_secret is 'Signs in addition to the new secret until previous_until_real.';
comment on column webhook_endpoints.failing_since_real is 'The first failed try since the last success. Every instant of this table is real time.';
comment on column webhook_endpoints.next_probe_real_at is 'When the oldest pending event is next sent ahead of its time, to find out whether the endpoint has recovered. Null if no try has failed yet.';
comment on column webhook_endpoints.hastened_real_at is 'When everything pending was last made due immediately.';
comment on column webhook_endpoints.fanned_out is 'The position up to which the endpoint''s deliveries have been created.';

create table event_replays (
  job_id uuid primary key,
  endpoint_id text collate "C" not null references webhook_endpoints on delete cascade,
  types text[] not null,
  since timestamptz(3) not null,
  until timestamptz(3),
  only_failed boolean not null,
  position bigint not null,
  last bigint not null,
  is_second boolean not null default false,
  total bigint not null,
  new_total bigint not null,
  state text not null default 'running' check (state in ('running', 'queued', 'stopped')),
  actor text not null,
  started_at timestamptz(3) not null,
  created_real_at timestamptz(3) not null default clock_timestamp()
);
comment on table event_replays is 'Events to be delivered again. The state is running until each event has a delivery; the states of the deliveries are in webhook_deliveries.';
comment on column event_replays.since is 'Start of the period, inclusive, in the business time of the events; until is exclusive.';
comment on column event_replays.is_second is 'Whether the undelivered events are queued, and the delivered ones are next.';
comment on column event_replays.new_total is 'How many of the total had not been delivered.';
comment on column event_replays.position is 'The position queued last. last is the position of the last event to queue.';

create index event_replays_to_queue on event_replays (created_real_at) where state = 'running';

create table webhook_deliveries (
  delivery_id bigint generated always as identity primary key,
  endpoint_id text collate "C" not null references webhook_endpoints on delete cascade,
  event_id text collate "C" not null references merchant_events (event_id) on delete cascade,
  subject text collate "C" not null,
  rank smallint not null default 0 check (rank between 0 and 2),
  subject_sequence bigint not null,
  job_id uuid references event_replays on delete set null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  tries integer not null default 0 check (tries >= 0),
  next_try_real_at timestamptz(3) not null default clock_timestamp(),
  created_real_at timestamptz(3) not null default clock_timestamp(),
  ended_real_at timestamptz(3),
  last_status integer,
  constraint webhook_deliveries_ended check ((state = 'pending') = (ended_real_at is null))
);
comment on table webhook_deliveries is 'The delivery of one event to one endpoint. A replay or a resend is a separate delivery.';
comment on column webhook_deliveries.subject is 'Deliveries of one subject are sent one at a time: of a subscription, a payment, or a single event that belongs to neither.';
comment on column webhook_deliveries.rank is '0: live. 1: replay or resend of an undelivered event, after the live ones that are due. 2: replay or resend of a delivered event, last.';
comment on column webhook_deliveries.subject_sequence is 'The event''s sequence within its subject; 0 if it belongs to none.';
comment on column webhook_deliveries.next_try_real_at is 'Every instant of this table is real time by PostgreSQL''s clock.';

create unique index webhook_deliveries_once on webhook_deliveries (endpoint_id, event_id) where rank = 0;
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, subject, rank, subject_sequence, delivery_id)
  where state = 'pending';
create index webhook_deliveries_dead on webhook_deliveries (endpoint_id, delivery_id) where state = 'dead';
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, delivery_id desc);
create index webhook_deliveries_of_event on webhook_deliveries (event_id);
create index webhook_deliveries_of_job on webhook_deliveries (job_id) where job_id is not null;

create table webhook_queues (
  endpoint_id text collate "C" not null references webhook_endpoints on delete cascade,
  subject text collate "C" not null,
  rank smallint not null,
  next_try_real_at timestamptz(3) not null,
  since_real_at timestamptz(3) not null,
  claim_id uuid,
  claimed_until timestamptz(3),
  primary key (endpoint_id, subject)
);
comment on table webhook_queues is 'Subjects with pending deliveries to an endpoint. A process that adds or ends a delivery locks the row; a process that sends claims it.';
comment on column webhook_queues.next_try_real_at is 'When the next delivery is due; rank is the rank of that delivery. Earlier than in webhook_deliveries if it may be sent ahead of its time.';
comment on column webhook_queues.since_real_at is 'When the event of the next delivery was recorded.';
comment on column webhook_queues.claimed_until is 'By PostgreSQL''s clock. An expired claim belongs to a process that has died.';

create index webhook_queues_due on webhook_queues (endpoint_id, rank, next_try_real_at);
create index webhook_queues_claimed on webhook_queues (endpoint_id, claimed_until) where claimed_until is not null;

create table webhook_tries (
  delivery_id bigint not null references webhook_deliveries on delete cascade,
  try integer not null,
  real_at timestamptz(3) not null,
  status integer,
  ms integer not null,
  error text,
  answer text,
  primary key (delivery_id, try)
);
comment on table webhook_tries is 'Delivery attempts.';
comment on column webhook_tries.answer is 'The first 2 kB of the response body, as text. Removed after 7 days.';

create index webhook_tries_answered on webhook_tries (real_at) where answer is not null;
-- Tries are written in the order of time, so this small index leads to those of the last day.
create index webhook_tries_by_time on webhook_tries using brin (real_at);

-- Attention items

create table attention_items (
  item_id text collate "C" primary key,
  number bigint generated always as identity unique,
  source text not null,
  kind text not null,
  subscription_id text collate "C",
  payment_id text collate "C",
  cycle integer,
  order_id text collate "C",
  endpoint_id text collate "C",
  capture_id text collate "C",
  amount bigint check (amount >= 0),
  since timestamptz(3) not null,
  deadline timestamptz(3),
  ledger jsonb,
  service jsonb,
  folded_into text collate "C",
  assignee text,
  note text,
  closed_real_at timestamptz(3),
  closed_by text,
  close_reason text,
  constraint attention_items_closed_with_a_reason check (num_nulls(closed_by, close_reason) in (0, 2))
);
comment on table attention_items is 'What is waiting for an operator, or once was. Written in the transaction of its cause.';
comment on column attention_items.number is 'The order of creation, as the last sort key.';
comment on column attention_items.source is 'standing: the subscription''s own state. consent: the consent of a subscription or payment. payment, order, difference, halt, hold, notice, endpoint. evidence: what the service shows contradicts the ledger or is incomplete, or the ledger refuses a record. overdue: an expected step has not happened. installation: many items with one cause.';
comment on column attention_items.kind is 'What it is about; for a difference, the kind of difference.';
comment on column attention_items.endpoint_id is 'The endpoint with dead letters. Null for all other kinds.';
comment on column attention_items.capture_id is 'The service''s id of the debit that a difference is about. Null for all other items, and if the service gives no id.';
comment on column attention_items.amount is 'The amount concerned, in cents. Null if no money is.';
comment on column attention_items.since is 'Business time since which it has been open.';
comment on column attention_items.deadline is 'Until when an operator can still change something. Null if there is no limit.';
comment on column attention_items.ledger is 'What the ledger shows about the cause: state, and where known amount, at, id and detail.';
comment on column attention_items.service is 'What the payment service shows; see ledger.';
comment on column attention_items.folded_into is 'For an open item: the item of the source installation that represents it for now. Null while it is listed separately.';
comment on column attention_items.closed_real_at is 'Null while it is open.';
comment on column attention_items.close_reason is 'The reason given by the operator closed_by. Null if its cause has ended by itself.';

create index attention_items_by_age on attention_items (since, number) where closed_real_at is null;
create index attention_items_by_deadline on attention_items
  (coalesce(deadline, timestamptz '9999-12-31 23:59:59.999+00'), number) where closed_real_at is null;
create index attention_items_by_amount on attention_items (coalesce(amount, 0), number) where closed_real_at is null;
create index attention_items_of_subscription on attention_items (subscription_id) where closed_real_at is null;
create index attention_items_of_payment on attention_items (payment_id) where closed_real_at is null;
create index attention_items_of_reversals on attention_items (payment_id, capture_id)
  where source = 'difference' and kind in ('debit_state', 'refund_unknown');
-- Counts open items that may have one cause, without reading closed ones.
create index attention_items_open_by_kind on attention_items (kind, source) where closed_real_at is null;

-- Comparison with the payment service

create table reconciliation_runs (
  run_id text collate "C" primary key,
  period_from timestamptz(3) not null,
  period_to timestamptz(3) not null,
  actor text not null,
  state text not null default 'running' check (state in ('running', 'compared', 'service_unavailable', 'stopped')),
  reason text,
  position text collate "C" not null default '',
  payments integer not null default 0 check (payments >= 0),
  started_at timestamptz(3) not null,
  started_real_at timestamptz(3) not null,
  ended_real_at timestamptz(3),
  constraint reconciliation_runs_period check (period_to > period_from),
  constraint reconciliation_runs_ended check ((state = 'running') = (ended_real_at is null))
);
comment on table reconciliation_runs is 'Comparisons of the ledger with the payment service.';
comment on column reconciliation_runs.position is 'The payment compared last: the subscription''s id, or ~ and the request_id of a one-time payment. An interrupted run continues after it.';
comment on column reconciliation_runs.started_at is 'Business time.';

create index reconciliation_runs_by_age on reconciliation_runs (started_real_at);

create table reconciliation_differences (
  run_id text collate "C" not null references reconciliation_runs on delete cascade,
  number bigserial,
  subscription_id text collate "C",
  payment_id text collate "C" not null,
  difference_key text collate "C" not null,
  kind text not null,
  cycle integer,
  authorization_id text collate "C",
  capture_id text collate "C",
  refund_id text collate "C",
  service_refund_id text collate "C",
  ledger_state text,
  ledger_amount bigint,
  ledger_at timestamptz(3),
  service_state text,
  service_amount bigint,
  service_at timestamptz(3),
  reason text,
  primary key (run_id, number),
  constraint reconciliation_differences_once unique (run_id, payment_id, difference_key),
  constraint reconciliation_differences_ledger_whole check (num_nulls(ledger_state, ledger_amount, ledger_at) in (0, 3)),
  constraint reconciliation_differences_service_whole check (num_nulls(service_state, service_amount, service_at) in (0, 3))
);
comment on table reconciliation_differences is 'The differences found by each run. No personal data.';
comment on column reconciliation_differences.subscription_id is 'Null for a one-time payment.';

create index reconciliation_differences_of_debits on reconciliation_differences (payment_id, capture_id, number)
  where kind = 'debit_unknown';

create table comparisons (
  position text collate "C" primary key,
  payment_id text collate "C" not null,
  waits_since timestamptz(3) not null,
  newest_entry bigint not null,
  compared_entry bigint not null default 0,
  run_id text collate "C"
);
comment on table comparisons is 'Payments that are compared with the service in turn, each every few days, and when each was last compared.';
comment on column comparisons.position is 'The subscription''s id, or ~ and the request_id of a one-time payment: ~ sorts these last.';
comment on column comparisons.waits_since is 'Business time at which it was last compared, or else created.';
comment on column comparisons.newest_entry is 'The id of its newest audit entry that has been read.';
comment on column comparisons.compared_entry is 'The value of newest_entry when it was last compared. If newest_entry is higher, it has changed since.';
comment on column comparisons.run_id is 'The daily run that last compared it.';

create index comparisons_by_age on comparisons (waits_since, position);
create index comparisons_changed on comparisons (position) where newest_entry > compared_entry;

create table daily_checks (
  name text primary key check (name in ('payments', 'consents', 'workflows')),
  finished_at timestamptz(3),
  entry bigint not null default 0
);
comment on table daily_checks is 'Progress of the daily work.';
comment on column daily_checks.finished_at is 'Business time at which it last finished.';
comment on column daily_checks.entry is 'Of payments only: the id of the audit entry up to which the audit log has been read.';

-- Access: keys, sessions, repeated requests, approvals

create table api_keys (
  key_id uuid primary key,
  name text not null,
  name_key text collate "C" unique,
  holder text check (holder ~ '^[!-~]([ -~]*[!-~])?$'),
  role text not null check (role in ('viewer', 'operator', 'admin')),
  scopes text[] not null default '{}',
  refund_per_day_amount integer check (refund_per_day_amount > 0),
  change_per_call_amount integer check (change_per_call_amount > 0),
  prefix text,
  hash bytea not null unique check (octet_length(hash) = 32),
  is_bootstrap boolean not null default false,
  replaces uuid references api_keys,
  first_key_id uuid references api_keys,
  created_by uuid references api_keys,
  created_real_at timestamptz(3) not null,
  expires_real_at timestamptz(3),
  revoked_real_at timestamptz(3),
  last_used_real_at timestamptz(3),
  constraint api_keys_of_a_line check ((replaces is null) = (first_key_id is null))
);
comment on table api_keys is 'Keys of the admin API. Revoked keys are kept, because the audit log refers to them.';
comment on column api_keys.name is 'The actor in the audit log. A name is never reused, not even that of a revoked key; only a key''s replacement has the same name.';
comment on column api_keys.name_key is 'key_name(name). Null for a replacement, and for the bootstrap key.';
comment on column api_keys.holder is 'The person who has it. Printable ASCII only, so that two people''s names cannot look the same.';
comment on column api_keys.created_by is 'The key that created it, or rotated its predecessor. Null if it was created on the command line, or is the bootstrap key.';
comment on column api_keys.scopes is 'The part of its role that it may use. Empty: all of it.';
comment on column api_keys.refund_per_day_amount is 'The most that it may refund in 24 hours of real time, in cents. Null: no limit.';
comment on column api_keys.change_per_call_amount is 'The most by which one call may change an amount to be collected, in cents. Null: no limit.';
comment on column api_keys.prefix is 'The first characters of the key, by which operators recognize it. Null for the bootstrap key.';
comment on column api_keys.hash is 'SHA-256 of the key. Slow hashes protect secrets chosen by people; a key is 256 random bits, which cannot be guessed, and a plain hash can be looked up in an index.';
comment on column api_keys.is_bootstrap is 'Configured by ADMIN_BOOTSTRAP_KEY, and valid only while it is. It ends when another admin key exists, or another bootstrap key is configured.';
comment on column api_keys.replaces is 'The key that it replaces, which remains valid for an overlap.';
comment on column api_keys.first_key_id is 'The first key of its line of replacements, under whose id limits, repeated requests and jobs of the whole line are recorded. Null for the first key itself.';

create index api_keys_replacing on api_keys (replaces) where replaces is not null;

create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  key_id uuid not null,
  created_real_at timestamptz(3) not null,
  used_real_at timestamptz(3) not null,
  ends_real_at timestamptz(3) not null,
  constraint sessions_end_after_they_begin check (ends_real_at > created_real_at)
);
comment on table sessions is 'Sessions of the console, each opened with an API key. They are in the ledger so that every API process knows them.';
comment on column sessions.token_hash is 'SHA-256 of the token, which only the browser has: 256 random bits, as in an API key.';
comment on column sessions.key_id is 'The API key that opened it. The session ends when the key does.';
comment on column sessions.used_real_at is 'The last request caused by the user, accurate to a thirtieth of the idle time-out.';
comment on column sessions.ends_real_at is 'When it ends, however much it is used.';

create index sessions_by_end on sessions (ends_real_at);

create table idempotency_keys (
  api_key_id text collate "C" not null,
  key text collate "C" not null,
  method_path text not null,
  fingerprint bytea not null,
  state text not null default 'running' check (state in ('running', 'done')),
  run_id uuid not null,
  leased_until timestamptz(3),
  status integer,
  headers jsonb,
  body json,
  created_real_at timestamptz(3) not null,
  first_real_at timestamptz(3) not null,
  primary key (api_key_id, key),
  constraint idempotency_keys_leased_while_running check ((state = 'running') = (leased_until is not null)),
  constraint idempotency_keys_done_with_answer check ((state = 'done') = (status is not null))
);
comment on table idempotency_keys is 'First responses, which are returned to repeated requests for 24 hours of real time. body is json, not jsonb, to preserve the order of its fields.';
comment on column idempotency_keys.fingerprint is 'SHA-256 of the method, path and canonical body.';
comment on column idempotency_keys.run_id is 'The execution that holds the key; a new one with each take-over.';
comment on column idempotency_keys.created_real_at is 'When the last execution started: the response is kept for 24 hours from then.';
comment on column idempotency_keys.first_real_at is 'When the first execution of the same request started: it identifies the request.';
comment on column idempotency_keys.leased_until is 'By PostgreSQL''s clock. Renewed while the request is executed; if the lease has expired, the process has died. -infinity after an error. Null when done.';

create index idempotency_keys_oldest on idempotency_keys (created_real_at);

create table list_snapshots (
  snapshot_id uuid primary key,
  key_id text collate "C" not null,
  ids text[] not null,
  created_real_at timestamptz(3) not null
);
comment on table list_snapshots is 'The order of a list by due date, kept for 15 minutes of real time while its pages are read.';
comment on column list_snapshots.key_id is 'The first key in the line of the API key that read the first page; keys of other lines cannot read on.';
comment on column list_snapshots.ids is 'Ids of subscriptions or payments in list order: at most 100,000, plus one that only shows that there are more.';

create index list_snapshots_of_key on list_snapshots (key_id, created_real_at);
create index list_snapshots_oldest on list_snapshots (created_real_at);

create table approvals (
  approval_id uuid primary key,
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
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
comment on table approvals is 'Requests that are waiting for a second person, or once were. Of the request itself only a hash is stored, so no personal data.';
comment on column approvals.fingerprint is 'SHA-256 of the requesting key and the request''s method, path and canonical body: the approval is valid for this request only.';
comment on column approvals.part_hashes is 'SHA-256 of each part of a streamed body, concatenated. Null if the body is not streamed.';
comment on column approvals.call is 'Method and path, shown to the person who decides.';
comment on column approvals.amount is 'The amount concerned, in cents. Null if there is none, or more than one.';
comment on column approvals.facts is 'What else the person who decides needs to know; also recorded in the audit log.';
comment on column approvals.key_id is 'The first key in the line of the requesting key.';
comment on column approvals.requested_by is 'Name of the requesting key.';
comment on column approvals.holder is 'The person who has the requesting key.';
comment on column approvals.decided_by is 'Name of the key that decided.';
comment on column approvals.decided_holder is 'The person who has the key that decided. Null if a key without a holder rejected the request.';
comment on column approvals.used_real_at is 'When the approved request was started. The approval permits no other request.';
comment on column approvals.used_for is 'Identifies that request if it is repeated because its response was lost. Null if it had no Idempotency-Key.';

create index approvals_by_request on approvals (fingerprint, created_real_at);
create index approvals_newest on approvals (created_real_at desc, approval_id desc);

-- Jobs

create table jobs (
  job_id uuid primary key,
  kind text not null,
  state text not null default 'proposed' check (state in ('proposed', 'running', 'finished', 'stopped')),
  work jsonb not null,
  actor text not null,
  key_id text not null,
  acting_key_id text,
  token_hash bytea unique,
  token_until_real timestamptz(3),
  started_at timestamptz(3),
  created_real_at timestamptz(3) not null,
  ended_real_at timestamptz(3),
  constraint jobs_ended check ((state in ('finished', 'stopped')) = (ended_real_at is not null)),
  constraint jobs_started check ((state = 'proposed') = (started_at is null))
);
comment on table jobs is 'Long-running work that any process can continue. Comparisons with the payment service are in reconciliation_runs, replays in event_replays.';
comment on column jobs.kind is 'bulk: one call for each of many subscriptions.';
comment on column jobs.state is 'proposed: a dry run, of which nothing is executed until its token is sent back.';
comment on column jobs.work is 'What to do. For a bulk job: the action, its parameters, and the filter that selects subscriptions.';
comment on column jobs.actor is 'Name of the API key that ordered it, which the audit log records as the actor of each call.';
comment on column jobs.key_id is 'The first key in the line of the key that ordered it; only keys of this line can start what was proposed.';
comment on column jobs.acting_key_id is 'The API key that started it, which the audit log records with each call.';
comment on column jobs.token_hash is 'SHA-256 of the token returned by the dry run. The token is valid once, until token_until_real.';
comment on column jobs.started_at is 'Business time.';

create index jobs_running on jobs (created_real_at) where state = 'running';
create index jobs_by_age on jobs (created_real_at);

create table job_items (
  job_id uuid not null references jobs on delete cascade,
  number integer not null check (number > 0),
  subscription_id text collate "C" not null,
  seen jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  problem jsonb,
  tries integer not null default 0 check (tries >= 0),
  leased_until timestamptz(3),
  done_at timestamptz(3),
  primary key (job_id, number),
  constraint job_items_refused_with_a_problem check ((state = 'refused') = (problem is not null)),
  constraint job_items_done_at_an_instant check ((state = 'waiting') = (done_at is null))
);
comment on table job_items is 'The calls of each job, with their results.';
comment on column job_items.seen is 'The subscription''s state at the time of the dry run.';
comment on column job_items.problem is 'Why the call was refused, as RFC 9457 problem details.';
comment on column job_items.leased_until is 'By PostgreSQL''s clock. Until then the item belongs to the process that took it; afterwards another process may take it.';
comment on column job_items.done_at is 'Business time.';

create index job_items_of_subscription on job_items (subscription_id);
create index job_items_waiting on job_items (job_id, number) where state = 'waiting';

-- The installation: its identity, whether it may send, and its lost workflows

create table installation (
  is_only boolean primary key default true check (is_only),
  settings_key text not null default gen_random_uuid()::text || gen_random_uuid()::text,
  temporal_namespace_id text,
  sending_since timestamptz(3),
  closed_before_real timestamptz(3),
  restarts_after_real timestamptz(3),
  starts_after_real timestamptz(3),
  copied_real_at timestamptz(3),
  copy_waits boolean not null default false
);
comment on table installation is 'One row: the state of the installation that uses this ledger.';
comment on column installation.settings_key is 'Random, generated once: the HMAC key for used_settings.hash.';
comment on column installation.temporal_namespace_id is 'Id of the Temporal namespace that runs this ledger''s workflows. Null until the first process has started.';
comment on column installation.sending_since is 'Business time at which the last halt was lifted. Null if sending was never halted.';
comment on column installation.closed_before_real is 'Real time up to which closed workflows have been searched for.';
comment on column installation.restarts_after_real is 'No process restarts further workflows before this real time.';
comment on column installation.starts_after_real is 'No process starts further workflows of imported subscriptions before this real time.';
comment on column installation.copied_real_at is 'Real time at which an admin declared this ledger a copy. Null if it is not one.';
comment on column installation.copy_waits is 'Whether it is a copy and no process has been started with different settings yet: until then nothing is sent.';

create table used_settings (
  name text not null,
  hash text not null,
  is_refused boolean not null default false,
  primary key (name, hash)
);
comment on table used_settings is 'Credentials and addresses that processes have used with this ledger, as keyed hashes by name of the variable.';
comment on column used_settings.hash is 'HMAC-SHA256 of the value under installation.settings_key, in hex.';
comment on column used_settings.is_refused is 'Whether they belong to the ledger of which this one is a copy: a process with these settings does not start.';

create table halt (
  is_halted boolean primary key default true check (is_halted),
  since timestamptz(3) not null,
  halted_by text not null,
  reason text not null
);
comment on table halt is 'One row while all sending is halted by an operator, otherwise none; a restored or copied ledger is halted without a row. The audit log has past halts.';
comment on column halt.since is 'Business time of the halt.';
comment on column halt.halted_by is 'Name of the API key that halted it.';

create table holds (
  hold_id text collate "C" primary key,
  filter jsonb not null,
  until timestamptz(3) not null,
  reason text not null,
  matched integer not null check (matched >= 0),
  created_at timestamptz(3) not null,
  held_by text not null,
  ended_at timestamptz(3),
  lifted_by text,
  lifted_key_id uuid,
  is_released boolean not null default false,
  first_window_lost_at timestamptz(3),
  windows_lost jsonb not null default '[]',
  losses_read_at timestamptz(3) not null,
  constraint holds_end_after_they_begin check (until > created_at),
  constraint holds_lifted_when_ended check (lifted_by is null or ended_at is not null),
  constraint holds_released_when_lifted check (not is_released or lifted_by is not null)
);
comment on table holds is 'Each hold stops the attempts of the subscriptions in held_subscriptions until it ends, and is kept for another 90 days.';
comment on column holds.filter is 'The filter that selected the subscriptions; instants are epoch ms.';
comment on column holds.until is 'Business time at which it was ordered to end.';
comment on column holds.matched is 'How many subscriptions it holds.';
comment on column holds.created_at is 'Business time.';
comment on column holds.held_by is 'Name of the API key that ordered it.';
comment on column holds.ended_at is 'Business time at which it was lifted; or the value of until, once the hold has been found to be over. Null while it is in force.';
comment on column holds.lifted_by is 'Name of the API key that lifted it. Null if it was not lifted.';
comment on column holds.lifted_key_id is 'The API key that lifted it, for the audit log.';
comment on column holds.is_released is 'Whether it was lifted and, after that, the revision of every subscription whose workflow may be waiting for its end was raised.';
comment on column holds.first_window_lost_at is 'Business time at which the first collection window closes while it is in force, as of losses_read_at. Null if none does.';
comment on column holds.windows_lost is 'The collection windows that close within 14 days while it is in force, by hour, with their amounts, as of losses_read_at; instants are epoch ms.';
comment on column holds.losses_read_at is 'Business time at which first_window_lost_at and windows_lost were last computed.';

create index holds_by_age on holds (created_at desc, hold_id desc);
create index holds_in_force on holds (until) where ended_at is null;
create index holds_to_release on holds (hold_id) where lifted_by is not null and not is_released;

create table held_subscriptions (
  hold_id text collate "C" not null references holds on delete cascade,
  subscription_id text collate "C" not null,
  primary key (hold_id, subscription_id)
);
comment on table held_subscriptions is 'The subscriptions that matched a hold when it was created; subscriptions created later are not held.';

create index held_subscriptions_of_subscription on held_subscriptions (subscription_id);

create table restore_guard (
  is_only boolean primary key default true check (is_only),
  identity text not null,
  accepted_real_at timestamptz(3) not null default now(),
  -- 244 random bits, without an extension.
  mark_secret bytea not null
    default sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
    constraint restore_guard_mark_secret_of_32_bytes check (octet_length(mark_secret) = 32),
  noticed_identity text,
  noticed_at timestamptz(3),
  noticed_real_at timestamptz(3),
  reason text,
  constraint restore_guard_noticed_as_a_whole check (num_nulls(noticed_identity, noticed_at, noticed_real_at, reason) in (0, 4))
);
comment on table restore_guard is 'One row: the database in which the ledger was last accepted. In any other database, or once a restore is noticed, nothing is sent.';
comment on column restore_guard.identity is 'Result of ledger_identity() when the ledger was created, or when it was accepted after a restore or as a copy.';
comment on column restore_guard.accepted_real_at is 'When identity was last set, by PostgreSQL''s clock. An audit position that a workflow remembers from an earlier time no longer indicates a restore.';
comment on column restore_guard.mark_secret is 'Key of the MAC over the positions in the audit log that workflows carry. Generated once and never changed, so that a restored ledger has the same key.';
comment on column restore_guard.noticed_identity is 'Result of ledger_identity() when a restore was noticed. Null if none is pending, as are the next three columns.';
comment on column restore_guard.noticed_at is 'Business time.';
comment on column restore_guard.noticed_real_at is 'Real time. A comparison with the service that started earlier proves nothing.';
comment on column restore_guard.reason is 'How the restore was noticed.';

create table workflow_orphans (
  kind text not null check (kind in ('subscription', 'payment')),
  subject_id text collate "C" not null,
  due_at timestamptz(3) not null,
  waits boolean not null default true,
  claimed_until_real timestamptz(3),
  restarted_real_at timestamptz(3)[] not null default '{}',
  ended_real_at timestamptz(3),
  primary key (kind, subject_id)
);
comment on table workflow_orphans is 'Subscriptions and payments that are not final and were found without a running workflow: those waiting to be restarted, and those restarted within the last day.';
comment on column workflow_orphans.due_at is 'Business time of the next due date or capture deadline, which orders restarts; the end of time if there is none.';
comment on column workflow_orphans.claimed_until_real is 'Until then, the process that claimed it is restarting it.';
comment on column workflow_orphans.restarted_real_at is 'Real times of its restarts within the last day.';
comment on column workflow_orphans.ended_real_at is 'When the last of its runs that were found closed ended, by Temporal''s clock. Searches overlap, and find the same end again.';

create index workflow_orphans_by_due on workflow_orphans (due_at, kind, subject_id) where waits;

create table workflow_starts (
  subscription_id text collate "C" primary key references subscriptions on delete cascade,
  due_at timestamptz(3) not null,
  claimed_until_real timestamptz(3)
);
comment on table workflow_starts is 'Imported subscriptions whose workflow has not been started, or whose start has not been confirmed.';
comment on column workflow_starts.due_at is 'Business time of its first due date here, which orders starts.';
comment on column workflow_starts.claimed_until_real is 'Until then, the process that claimed it is starting it.';

create index workflow_starts_by_due on workflow_starts (due_at, subscription_id);

create table rate_leases (
  lease_id uuid primary key,
  joined_at timestamptz(3) not null,
  renewed_at timestamptz(3) not null
);
comment on table rate_leases is 'Processes that share the cap on calls to the payment service. Instants are real time by PostgreSQL''s clock.';
comment on column rate_leases.lease_id is 'A process that renews its lease too late gets a new one.';

create table schema_floor (
  is_only boolean primary key default true check (is_only),
  migration text not null
);
comment on table schema_floor is 'One row: the migration that a program must know to run on this schema. A release also runs on the schema of its successor, which only adds.';
comment on column schema_floor.migration is 'The newest migration that a program must know. A migration that removes what an older release uses sets it to its own name, or to a migration of the release that stopped using it.';

-- Views

create view payment_captures as
  select p.payment_id, null as order_id, p.booking_id as capture_id, p.booking_state as state, p.amount,
    true as final_capture, p.booking_created_at as created_at, null::timestamptz(3) as created_real_at,
    null as detail, null as description
  from payments p where p.booking_id is not null
  union all
  select o.payment_id, o.order_id, s.service_id, s.state, o.amount, o.final_capture, o.created_at, o.created_real_at,
    s.detail, s.description
  from orders o
  left join lateral (
    select service_id, state, detail, description from order_sends
    where order_id = o.order_id order by send desc limit 1
  ) s on true
  where o.kind = 'capture';
comment on view payment_captures is 'Captures of one-time payments: those booked by the service itself, and those ordered here, with the state of their last send.';

-- Functions: permanent rows

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: its rows are kept for ever', lower(tg_op), tg_table_name
    using errcode = 'integrity_constraint_violation';
end
$$;

-- Functions: attempts

create function attempt_may_become(old_state text, new_state text) returns boolean
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
comment on function attempt_may_become is 'Apart from is_debit_released, the only final states that can be left are the refusals: they become pending again if the service shows the authorization as pending or successful. A send that is known to the service never becomes not_sent.';

-- A debit made by another system may turn out to have paid the previous cycle (rule 40). This is the only success that is taken
-- back, once the debit has been entered as a send of the previous cycle.
create function is_debit_released(was attempts, becomes attempts) returns boolean language sql stable as $$
  select was.adopted and was.state = 'successful' and becomes.state = 'rejected'
    and becomes.detail = 'PAID_PREVIOUS_CYCLE' and becomes.resolved_by is not null and becomes.evidence is not null
    and becomes.authorization_id is null and becomes.capture_id is null
    and exists (
      select from attempts paid
      where paid.subscription_id = was.subscription_id and paid.cycle = was.cycle - 1
        and paid.adopted and paid.state = 'sending' and paid.amount = was.amount and paid.payment_id = was.payment_id
    )
$$;
comment on function is_debit_released is 'Whether the update is an operator''s assignment of an adopted debit to the previous cycle.';

-- The request never changes, and an attempt that is polled again keeps its refusal. Free text can be removed.
create function guard_attempt() returns trigger language plpgsql as $$
declare
  send constant text := format('attempt %s/%s/%s/%s', new.subscription_id, new.cycle, new.attempt, new.send);
  unerased attempts%rowtype;
begin
  if tg_op = 'INSERT' then
    if new.state <> 'sending' then
      raise exception '%: begins as sending, not as %', send, new.state
        using errcode = 'integrity_constraint_violation';
    end if;
    return new;
  end if;
  unerased := new;
  unerased.evidence := unless_removed(new.evidence, old.evidence);
  unerased.description := unless_removed(new.description, old.description);
  unerased.reason := unless_removed(new.reason, old.reason);
  unerased.accepted_answer := unless_removed(new.accepted_answer, old.accepted_answer);
  if new is distinct from old and unerased is not distinct from old then
    return new;
  end if;
  if not attempt_may_become(old.state, new.state) and not is_debit_released(old, new) then
    raise exception '%: % to % is refused', send, old.state, new.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if new.state = 'pending' and old.state in ('rejected', 'rejected_retryable')
    and new.refused_as is distinct from old.state
  then
    raise exception '%: % to % is refused, as its refusal is not kept', send, old.state, new.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if row(
    new.subscription_id, new.cycle, new.attempt, new.send, new.payment_id, new.amount, new.due_at,
    new.at, new.sending_real_at, new.known_ids, new.owner
  ) is distinct from row(
    old.subscription_id, old.cycle, old.attempt, old.send, old.payment_id, old.amount, old.due_at,
    old.at, old.sending_real_at, old.known_ids, old.owner
  ) then
    raise exception '%: what was sent does not change', send
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

-- Functions: orders

-- A debit that no send of dueday explains may be refunded, both of a subscription and of a one-time payment.
create function unexplained_debit(of_subscription text, of_payment text, of_capture text) returns bigint
language sql stable as $$
  select d.service_amount
    from reconciliation_differences d
    where d.kind = 'debit_unknown' and d.service_state = 'successful'
      and d.subscription_id is not distinct from of_subscription
      and (d.payment_id, d.capture_id) = (of_payment, of_capture)
    order by d.number desc limit 1
$$;
comment on function unexplained_debit is 'The amount of this debit, in cents, according to the last comparison that found it. Null if none did. of_subscription is null for a one-time payment.';

create function guard_capture(wanted orders, payment payments) returns void language plpgsql as $$
declare
  ordered bigint;
  earlier bigint;
  closed boolean;
begin
  select coalesce(sum(o.amount), 0), count(*), coalesce(bool_or(o.final_capture), false)
    into ordered, earlier, closed
    from orders o
    where o.kind = 'capture' and o.payment_id = wanted.payment_id
      and not exists (select from order_sends s where s.order_id = o.order_id and s.state = 'failed');
  if payment.plan <> 'EVENT_DEPENDENT' or payment.release_ordered_at is not null or payment.expired_at is not null
    or closed or (earlier > 0 and not (payment.partial_capture and payment.multiple_capture))
    or (wanted.amount < payment.amount and not payment.partial_capture)
    or ordered + wanted.amount > payment.amount
  then
    raise exception 'capture %: payment % does not take it', wanted.order_id, wanted.payment_id
      using errcode = 'integrity_constraint_violation';
  end if;
end
$$;

create function guard_order() returns trigger language plpgsql as $$
declare
  captured bigint;
  refunded bigint;
  own_state text;
  wanted constant text := format('%s %s', new.kind, new.order_id);
  payment payments%rowtype;
begin
  -- The second of two concurrent orders waits here, and then sees the first.
  if new.subscription_id is not null then
    perform from subscriptions where subscription_id = new.subscription_id for update;
    select a.amount into captured
      from attempts a
      join cycles c on (c.subscription_id, c.cycle) = (a.subscription_id, a.cycle)
      where (a.subscription_id, a.cycle, a.payment_id, a.capture_id)
          = (new.subscription_id, new.cycle, new.payment_id, new.capture_id)
        and a.state = 'successful' and c.status = 'collected';
    if captured is null then
      captured := unexplained_debit(new.subscription_id, new.payment_id, new.capture_id);
    end if;
    if captured is null then
      raise exception '%: capture % collected nothing of cycle %', wanted, new.capture_id, new.cycle
        using errcode = 'integrity_constraint_violation';
    end if;
  else
    select * into payment from payments where payment_id = new.payment_id for update;
    if not found then
      raise exception '%: there is no payment %', wanted, new.payment_id
        using errcode = 'integrity_constraint_violation';
    end if;
    if new.kind = 'capture' then
      if payment.authorization_state is distinct from 'successful' then
        raise exception '%: payment % is not authorized', wanted, new.payment_id
          using errcode = 'integrity_constraint_violation';
      end if;
      perform guard_capture(new, payment);
      return new;
    end if;
    select c.amount, c.state into captured, own_state from payment_captures c
      where (c.payment_id, c.capture_id) = (new.payment_id, new.capture_id);
    if own_state is null then
      captured := unexplained_debit(new.subscription_id, new.payment_id, new.capture_id);
    elsif own_state <> 'successful' then
      captured := null;
    end if;
    if captured is null then
      raise exception '%: capture % of payment % debited nothing', wanted, new.capture_id, new.payment_id
        using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  select coalesce(sum(o.amount), 0) into refunded
    from orders o
    where o.kind = 'refund' and (o.payment_id, o.capture_id) = (new.payment_id, new.capture_id)
      and not exists (select from order_sends s where s.order_id = o.order_id and s.state = 'failed');
  if refunded + new.amount > captured then
    raise exception '%: % cents are more than is left of %, % being refunded already',
      wanted, new.amount, captured, refunded
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;
comment on function guard_order is 'The refunds of a capture are at most its amount, the captures of a payment at most the authorized amount. Failed ones do not count.';

create function keep_order() returns trigger language plpgsql as $$
declare
  unerased orders%rowtype;
begin
  if tg_op = 'UPDATE' and old.reason is not null and is_removed_text(new.reason) then
    unerased := new;
    unerased.reason := old.reason;
    if unerased is not distinct from old then
      return new;
    end if;
  end if;
  raise exception '% on % is refused: its rows are kept for ever', lower(tg_op), tg_table_name
    using errcode = 'integrity_constraint_violation';
end
$$;

create function order_send_may_become(old_state text, new_state text) returns boolean
language sql immutable as $$
  select case old_state
    when 'sending' then new_state in (
      'sending', 'pending', 'unknown', 'unresolved', 'successful', 'failed', 'not_sent'
    )
    when 'pending' then new_state in ('pending', 'successful', 'failed')
    when 'unknown' then new_state in ('unknown', 'unresolved', 'pending', 'successful', 'failed', 'not_sent')
    when 'unresolved' then new_state in ('unresolved', 'pending', 'successful', 'failed', 'not_sent')
    else false
  end
$$;
comment on function order_send_may_become is 'A final state never changes. A send that is known to the service never becomes not_sent.';

create function guard_order_send() returns trigger language plpgsql as $$
declare
  send constant text := format('send %s/%s', new.order_id, new.send);
  unerased order_sends%rowtype;
begin
  if tg_op = 'INSERT' then
    if new.state <> 'sending' then
      raise exception '%: begins as sending, not as %', send, new.state
        using errcode = 'integrity_constraint_violation';
    end if;
    return new;
  end if;
  unerased := new;
  unerased.description := unless_removed(new.description, old.description);
  unerased.reason := unless_removed(new.reason, old.reason);
  unerased.accepted_answer := unless_removed(new.accepted_answer, old.accepted_answer);
  if new is distinct from old and unerased is not distinct from old then
    return new;
  end if;
  if not order_send_may_become(old.state, new.state) then
    raise exception '%: % to % is refused', send, old.state, new.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if row(
    new.order_id, new.send, new.payment_id, new.at, new.sending_real_at, new.known_ids, new.owner
  ) is distinct from row(
    old.order_id, old.send, old.payment_id, old.at, old.sending_real_at, old.known_ids, old.owner
  ) then
    raise exception '%: what was sent does not change', send
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

create function open_order() returns trigger language plpgsql as $$
begin
  insert into open_orders (order_id, created_real_at) values (new.order_id, new.created_real_at);
  return null;
end
$$;

create function advance_open_order() returns trigger language plpgsql as $$
begin
  if new.state in ('successful', 'failed') then
    delete from open_orders where order_id = new.order_id;
  else
    update open_orders set started = true where order_id = new.order_id and not started;
  end if;
  return null;
end
$$;
comment on function advance_open_order is 'After a send that never arrived, the order remains open: another send follows.';

-- Functions: sums of collections

create function note_collection() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status in ('collected', 'failed', 'skipped', 'missed') then
    insert into collection_changes (due_at, status, count, amount) values (old.due_at, old.status, -1, -old.amount);
  end if;
  if new.status in ('collected', 'failed', 'skipped', 'missed') then
    insert into collection_changes (due_at, status, count, amount) values (new.due_at, new.status, 1, new.amount);
  end if;
  return null;
end
$$;

create function note_refund() returns trigger language plpgsql as $$
begin
  insert into collection_changes (due_at, status, count, amount)
  select c.due_at, 'refunded', 1, o.amount
  from orders o join cycles c on (c.subscription_id, c.cycle) = (o.subscription_id, o.cycle)
  where o.order_id = new.order_id and o.kind = 'refund';
  return null;
end
$$;

-- Functions: words to search by

-- Words are separated by ASCII, Latin-1, general and CJK punctuation. Every other character counts as a letter or digit, whatever
-- the database's locale.
create function word_signs() returns text language sql immutable parallel safe
  return '\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f';

create function fold_case(said text) returns text language sql immutable strict parallel safe
  return lower(normalize(said, nfkc) collate "und-x-icu");

create function words_of(said text) returns tsvector language plpgsql immutable strict parallel safe as $$
declare
  rest text;
  words text[] := '{}';
begin
  foreach rest in array regexp_split_to_array(fold_case(said), '\s+') loop
    rest := regexp_replace(rest, '^[' || word_signs() || ']+', '');
    while rest <> '' loop
      words := words || left(rest, 200);
      rest := regexp_replace(rest, '^[^' || word_signs() || ']+[' || word_signs() || ']*', '');
    end loop;
  end loop;
  return array_to_tsvector(words);
end
$$;
comment on function words_of is 'The searchable words of a text: each word together with what follows it up to the next blank. For ada@example.org: ada@example.org, example.org and org.';

create function to_prefix_query(said text) returns tsquery language plpgsql immutable strict parallel safe as $$
declare
  term text;
  terms text[] := '{}';
begin
  foreach term in array regexp_split_to_array(fold_case(said), '\s+') loop
    term := regexp_replace(term, '^[' || word_signs() || ']+', '');
    if term <> '' then
      terms := terms || format('''%s'':*', replace(replace(left(term, 200), '\', '\\'), '''', ''''''));
    end if;
  end loop;
  return nullif(array_to_string(terms, ' & '), '')::tsquery;
end
$$;
comment on function to_prefix_query is 'Requires that each term is a prefix of some word in words_of. Null, which finds nothing, if the text has no letters or digits.';

-- Locks the payer, so that it waits for a concurrent erasure and does not write back what that has blanked. words_but_email exists
-- because a caller who may not see an e-mail must not find it out letter by letter by searching for prefixes.
create function keep_subscription_words() returns trigger language plpgsql as $$
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

create function keep_payment_words() returns trigger language plpgsql as $$
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

create function keep_payer_words() returns trigger language plpgsql as $$
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

-- For callers who wait for another process: PostgreSQL notifies them when the change is committed. Collecting a cycle does not
-- notify unless it changes the status of the subscription, because transactions that notify commit one at a time.
create function notify_answer() returns trigger language plpgsql as $$
begin
  perform pg_notify('dueday_answers', tg_argv[0] || '/' || (to_jsonb(new) ->> tg_argv[1]));
  return null;
end $$;

create function keep_former_terms() returns trigger language plpgsql as $$
begin
  if new.erased_at is null then
    new.former_terms := array(
      select distinct term from unnest(old.former_terms || array[
        case when old.name is distinct from new.name then old.name end,
        case when old.email is distinct from new.email then old.email end,
        case when old.reference is distinct from new.reference then old.reference end
      ]) as term where term is not null order by term
    );
  end if;
  return new;
end
$$;

-- Functions: removal of text. Free text and metadata may name a payer, so they can be erased or redacted, also in rows that are
-- otherwise permanent.

create function erased_text() returns text language sql immutable parallel safe
  return '[erased]';
comment on function erased_text is 'Replaces text that was removed because it may name a payer.';

create function redacted_text() returns text language sql immutable parallel safe
  return '[redacted]';
comment on function redacted_text is 'Replaces text that was removed at an operator''s request.';

create function is_removed_text(said text) returns boolean language sql immutable parallel safe
  return said in (erased_text(), redacted_text());
comment on function is_removed_text is 'Whether this is a replacement for removed text.';

create function unless_removed(said text, before text) returns text language sql immutable parallel safe
  return case when before is not null and is_removed_text(said) then before else said end;
comment on function unless_removed is 'The previous text if this update removes it, otherwise the new one: lets a trigger check that nothing else in the row changes.';

create function holds_words(field text, said jsonb) returns boolean language sql immutable parallel safe
  return field in ('reason', 'evidence', 'note', 'message', 'description', 'error', 'assignee')
    and jsonb_typeof(said) = 'string';
comment on function holds_words is 'Whether a field of an audit entry, or of a notice''s evidence, may contain free text.';

create function may_be_removed(field text, said jsonb) returns boolean language sql immutable parallel safe
  return holds_words(field, said) or field in ('was', 'is') and jsonb_typeof(said) = 'object';
comment on function may_be_removed is 'Whether a field of an audit entry can be erased or redacted: free text, and the pairs of metadata before and after a change.';

-- Texts and names are compared in lower case and without accents, with ä, ö and ü also as ae, oe and ue. Blanks and punctuation
-- may separate the letters of the name, and an s may follow it.
create function plain_letters(said text) returns text language sql immutable strict parallel safe
  return translate(
    regexp_replace(normalize(replace(fold_case(said), 'ß', 'ss'), nfkd), '[\u0300-\u036f]+', '', 'g'),
    'øłđðþæœı', 'olddtaoi'
  );

create function spelled_umlauts(said text) returns text language sql immutable strict parallel safe
  return replace(replace(replace(fold_case(said), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue');

create function name_pattern(name text) returns text language sql immutable strict parallel safe
  return '(^|[' || word_signs() || '])'
    || array_to_string(
      regexp_split_to_array(nullif(regexp_replace(name, '[' || word_signs() || ']+', '', 'g'), ''), ''),
      '[' || word_signs() || ']*'
    ) || '([' || word_signs() || ']*s)?([' || word_signs() || ']|$)';
comment on function name_pattern is 'Matches a name in the result of plain_letters. Null for a name without letters and digits.';

create function names_any(said text, terms text[]) returns boolean language sql immutable parallel safe
  return exists (
    select from unnest(terms) as term
    where plain_letters(said) ~ name_pattern(plain_letters(term))
      or plain_letters(spelled_umlauts(said)) ~ name_pattern(plain_letters(spelled_umlauts(term)))
  );
comment on function names_any is 'Whether the text contains one of the terms as whole words, in any spelling. False for null.';

create function erase_words(said jsonb, codes text[]) returns jsonb language sql immutable parallel safe
  return (
    select coalesce(jsonb_object_agg(f.field, case
      when holds_words(f.field, f.said) and f.said #>> '{}' <> all (codes) and not is_removed_text(f.said #>> '{}')
        then to_jsonb(erased_text())
      else f.said end), '{}')
    from jsonb_each(said) as f (field, said)
  );
comment on function erase_words is 'The object with all free text erased, except codes that dueday itself gives as reasons.';

create function erase_named(said jsonb, terms text[]) returns jsonb language sql immutable parallel safe
  return (
    select coalesce(jsonb_object_agg(f.field, case
      when names_any(f.said #>> '{}', terms) then to_jsonb(erased_text()) else f.said end), '{}')
    from jsonb_each(said) as f (field, said)
  );
comment on function erase_named is 'The object of texts, with each text that names one of the terms erased.';

create function redact_words(said jsonb) returns jsonb language sql immutable parallel safe
  return (
    select coalesce(jsonb_object_agg(f.field, case
      when may_be_removed(f.field, f.said) and not is_removed_text(f.said #>> '{}') then to_jsonb(redacted_text())
      else f.said end), '{}')
    from jsonb_each(said) as f (field, said)
  );
comment on function redact_words is 'The object with everything redacted that may be removed.';

create function erases_only(was jsonb, becomes jsonb) returns boolean language sql immutable parallel safe
  return (select count(*) from jsonb_object_keys(was)) = (select count(*) from jsonb_object_keys(becomes))
    and not exists (
      select from jsonb_each(was) as f (field, said)
      where f.said is distinct from becomes -> f.field
        and not (may_be_removed(f.field, f.said) and jsonb_typeof(becomes -> f.field) = 'string' and is_removed_text(becomes ->> f.field))
    );
comment on function erases_only is 'Whether the second object is the first, except for texts that were removed and may be.';

create function forget_salts(words jsonb, said jsonb) returns jsonb language sql immutable parallel safe
  return (
    select coalesce(jsonb_object_agg(w.field, case
      when is_removed_text(said ->> w.field) then w.seal - 'salt' else w.seal end), '{}')
    from jsonb_each(words) as w (field, seal)
  );
comment on function forget_salts is 'The digests, without the salts of text that was removed.';

create function keep_event() returns trigger language plpgsql as $$
declare
  unerased events%rowtype;
begin
  if tg_op = 'UPDATE' then
    unerased := new;
    unerased.data := old.data;
    if unerased is not distinct from old and erases_only(old.data, new.data) then
      return new;
    end if;
  end if;
  raise exception '% on % is refused: its rows are kept for ever', lower(tg_op), tg_table_name
    using errcode = 'integrity_constraint_violation';
end
$$;

create function keep_link() returns trigger language plpgsql as $$
declare
  unsealed audit_chain%rowtype;
begin
  if tg_op = 'UPDATE' then
    unsealed := new;
    unsealed.words := old.words;
    if unsealed is not distinct from old and new.words = (
      select coalesce(jsonb_object_agg(w.field, case
        when new.words -> w.field ? 'salt' then w.seal else w.seal - 'salt' end), '{}')
      from jsonb_each(old.words) as w (field, seal)
    ) then
      return new;
    end if;
  end if;
  raise exception '% on % is refused: its rows are kept for ever', lower(tg_op), tg_table_name
    using errcode = 'integrity_constraint_violation';
end
$$;
comment on function keep_link is 'Allows no change of a link but the removal of salts.';

create function forget_words() returns trigger language plpgsql as $$
begin
  perform from audit_head for update;
  update audit_chain set words = forget_salts(words, new.data) where entry_id = new.id;
  return null;
end
$$;
comment on function forget_words is 'When text is removed from an entry, its salts are removed from the chain. Waits for a process that is appending, which could otherwise write a salt afterwards.';

-- Functions: names and identities

create function key_name(said text) returns text language sql immutable strict parallel safe
  return lower(btrim(regexp_replace(said, '\s+', ' ', 'g')));
comment on function key_name is 'Equal for names that a reader could confuse.';

create function attention_id(item_key text) returns text language sql immutable strict parallel safe
  return 'att_' || left(encode(sha256(convert_to(item_key, 'UTF8')), 'hex'), 24);
comment on function attention_id is 'Depends only on the cause: if it recurs, the item is the same.';

create function note_attention() returns trigger language plpgsql as $$
begin
  -- Items of one subscription that open and close at the same time are serialized.
  perform from subscriptions where subscription_id = new.subscription_id for update;
  -- What opens and closes the other items notifies the workflow itself.
  update subscriptions s set needs_attention = not s.needs_attention, revision = s.revision + (new.kind = 'unrecordable')::integer
  where s.subscription_id = new.subscription_id and s.needs_attention <> exists (
    select from attention_items i
    where i.subscription_id = new.subscription_id and i.closed_real_at is null
      and (i.source = 'standing' or i.kind = 'unrecordable')
  );
  return null;
end $$;
comment on function note_attention is 'Maintains subscriptions.needs_attention, so that lists by standing can use an index. A refused write changes the standing without the workflow: raising the revision notifies it.';

create function ledger_identity() returns text language sql volatile
  return case when not pg_is_in_recovery() then format(
    '%s/%s/%s/%s',
    (select system_identifier from pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (select oid from pg_database where datname = current_database()),
    'restore_guard'::regclass::oid
  ) end;
comment on function ledger_identity is 'Cluster, timeline, database and table: differs after a point-in-time recovery, a promotion, the restore of a dump, or a copy of the database. Null on a standby.';

-- Functions: payment links

-- Either an attempt of the cycle has no outcome, or it is undecided whether a debit adopted for the next cycle has paid this one.
create function has_unknown_outcome(of_subscription text, of_cycle integer) returns boolean language sql stable as $$
  select exists (
    select from attempts a
    where (a.subscription_id, a.cycle) = (of_subscription, of_cycle)
      and a.state in ('sending', 'pending', 'unknown', 'unresolved')
  ) or exists (
    select from attempts a
    join attention_items i on i.item_id = attention_id(format('contradiction/%s/%s', a.subscription_id, a.cycle))
    where (a.subscription_id, a.cycle) = (of_subscription, of_cycle + 1) and a.adopted
      and a.state not in ('rejected', 'rejected_retryable') and i.closed_real_at is null
  )
$$;
comment on function has_unknown_outcome is 'Whether a debit of the cycle may still be found.';

create function guard_payment_link() returns trigger language plpgsql as $$
declare
  link constant text := format('payment link %s of cycle %s', new.request_id, new.cycle);
  payment payments%rowtype;
  unpaid cycles%rowtype;
begin
  if tg_op = 'INSERT' then
    perform from subscriptions where subscription_id = new.subscription_id for update;
    select * into payment from payments where request_id = new.request_id;
    select * into unpaid from cycles where (subscription_id, cycle) = (new.subscription_id, new.cycle);
    if new.state <> 'open' or payment.plan <> 'SINGLE' or payment.amount <> unpaid.amount then
      raise exception '%: begins as an open Single Immediate payment of the amount of the cycle', link
        using errcode = 'integrity_constraint_violation';
    end if;
    if unpaid.status not in ('failed', 'missed') or payment.created_at < unpaid.collect_by
      or has_unknown_outcome(new.subscription_id, new.cycle)
    then
      raise exception '%: the cycle may still be collected, or was', link
        using errcode = 'integrity_constraint_violation';
    end if;
    return new;
  end if;
  if new.state <> old.state and old.state <> 'open' then
    raise exception '%: % to % is refused', link, old.state, new.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if (new.request_id, new.subscription_id, new.cycle) <> (old.request_id, old.subscription_id, old.cycle) then
    raise exception '%: what is paid does not change', link
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

-- Functions: whether anything may be sent

create function is_restored() returns boolean language sql volatile
  return not exists (
    select from restore_guard where noticed_at is null and identity = coalesce(ledger_identity(), identity)
  ) or exists (select from installation where copy_waits);
comment on function is_restored is 'Whether the ledger was restored or copied, noticed or not, and no admin has accepted it yet; also whether it is an accepted copy on which no process has started yet.';

create function is_halted() returns boolean language sql volatile
  return exists (select from halt) or is_restored();
comment on function is_halted is 'Whether all sending is halted, by an operator or because the ledger was restored or copied.';

-- The latest end of all holds, past ones too: attempts are allowed from then on.
create function held_until(of_subscription text) returns timestamptz language sql stable
  return (
    select max(coalesce(h.ended_at, h.until)) from held_subscriptions m join holds h using (hold_id)
    where m.subscription_id = of_subscription
  );
comment on function held_until is 'Until when holds stop the attempts of a subscription. In the past if all have ended; null if there never was one.';

-- Functions: the facts that the program decides by, as JSON with the program's field names and form of money. Instants are epoch
-- ms.

create function epoch_ms(instant timestamptz) returns bigint language sql immutable strict parallel safe
  return round(extract(epoch from instant) * 1000)::bigint;

create function euros(cents integer) returns jsonb language sql stable parallel safe
  return case when cents is not null then jsonb_build_object('value', cents, 'currency', 'EUR') end;

create function paid_link(of_subscription text, of_cycle integer) returns jsonb language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return (
    select jsonb_build_object(
      'paymentId', p.payment_id, 'captureId', p.booking_id, 'amount', euros(p.amount),
      'paidAt', epoch_ms(l.paid_at)
    )
    from payment_links l join payments p using (request_id)
    where l.subscription_id = of_subscription and l.cycle = of_cycle and l.state = 'paid'
  );
end
$$;
comment on function paid_link is 'The debit by which the payer paid the cycle with a payment link. Null if there is none.';

create function first_current(s subscriptions) returns integer language sql immutable
  return case
    when s.collect_from is null then s.consent_amount
    else coalesce(
      (s.pending_change #>> '{earlier,previousAmount,value}')::integer,
      (s.pending_change #>> '{previousAmount,value}')::integer, s.amount
    )
  end;
comment on function first_current is 'The amount, in cents, that counts as collected last while nothing has been collected: the imported amount or the consent''s, without a pending change.';

create function announcement_key(change jsonb) returns text language sql immutable
  return format('increase/%s/%s/%s', change ->> 'fromCycle', change #>> '{amount,value}', change ->> 'requestedAt');
comment on function announcement_key is 'The key under which the notice of a pending change of amount is ordered.';

create function notice_state(n notices) returns jsonb language sql stable
  return case n.state
    when 'delivered' then jsonb_build_object('kind', n.state, 'at', epoch_ms(n.delivered_at))
    when 'undeliverable' then jsonb_build_object('kind', n.state, 'reason', coalesce(n.last_error, n.state))
    else jsonb_build_object('kind', 'sending')
  end;

create function standing_attention(of_subscription text) returns text[] language sql stable
  return array(
    select i.kind || coalesce(':' || i.cycle, '') from attention_items i
    where i.subscription_id = of_subscription and i.source = 'standing' and i.closed_real_at is null
    order by i.since, i.number
  );

-- Only the few cycles that have started and not ended, and those with an attempt that is polled again after a refusal.
create function started_cycles(of_subscription text) returns jsonb language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'cycle', c.cycle, 'collectBy', epoch_ms(c.collect_by), 'amount', euros(c.amount), 'status', c.status,
      'retryFrom', epoch_ms(c.retry_from),
      'previousAmount', (
        select euros(a.amount) from attempts a
        where a.subscription_id = c.subscription_id and a.cycle < c.cycle and a.state in ('successful', 'capture_failed')
        order by a.cycle desc limit 1
      ),
      'attempts', coalesce((
        select jsonb_agg(to_jsonb(a) order by a.attempt) from (
          select distinct on (attempt) attempt, detail, case when resolved_by is null then description end as description,
            case when state = 'pending' then coalesce(refused_as, state) else state end as state,
            state = 'pending' and refused_as is not null as reopened,
            authorization_id as "authorizationId", capture_id as "captureId",
            epoch_ms(coalesce(authorization_created_at, outcome_at, at)) as at, epoch_ms(at) as "sentAt"
          from attempts
          where (subscription_id, cycle) = (c.subscription_id, c.cycle)
            and not (adopted and state in ('rejected', 'rejected_retryable'))
          order by attempt, send desc
        ) a
      ), '[]'),
      'notices', coalesce((
        select jsonb_agg(jsonb_build_object('attempt', n.attempt, 'notice', notice_state(n)) order by n.attempt)
        from notices n
        where (n.subscription_id, n.cycle) = (c.subscription_id, c.cycle) and n.type = 'payment.failed'
      ), '[]')
    ) order by c.cycle)
    from cycles c
    where c.subscription_id = of_subscription and (
      c.status in ('collecting', 'dunning', 'unresolved')
      or c.cycle in (
        select cycle from attempts
        where subscription_id = of_subscription and state = 'pending' and refused_as is not null
      )
    )
  ), '[]');
end
$$;

create function subscription_facts(of_subscription text) returns jsonb language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return (
    select jsonb_build_object(
      'terms', jsonb_build_object(
        'subscriptionId', s.subscription_id, 'repetition', s.repetition, 'consentAmount', euros(s.consent_amount),
        'startAt', epoch_ms(s.start_at), 'firstPaymentAt', epoch_ms(s.first_payment_at), 'endAt', epoch_ms(s.end_at),
        'onExhausted', s.on_exhausted
      ),
      'policy', s.retry_policy, 'spread', s.spread, 'status', s.status, 'paymentId', s.payment_id, 'stoppedBy', s.stopped_by,
      'revision', s.revision, 'pauses', s.pauses, 'skips', s.skips, 'replaces', s.replaces,
      'postponements', (
        select jsonb_agg(jsonb_build_object('cycle', c.cycle, 'until', epoch_ms(c.postponed_until)) order by c.cycle)
        from cycles c
        where c.subscription_id = s.subscription_id and c.status = 'scheduled' and c.postponed_until is not null
      ),
      'heldUntil', epoch_ms(held_until(s.subscription_id)),
      'replacements', s.replacements, 'replacedBy', s.replaced_by,
      'collectedOnce', coalesce(s.collected_elsewhere, false) or exists (
        select from attempts a where a.subscription_id = s.subscription_id and a.state = 'successful'
      ),
      'current', euros(coalesce(s.current_amount, first_current(s))),
      'currentOf', (
        select max(cycle) from attempts a
        where a.subscription_id = s.subscription_id and a.state in ('successful', 'capture_failed')
      ),
      'pendingChange', s.pending_change, 'lastIncreaseAt', epoch_ms(s.last_increase_at),
      'standing', jsonb_build_object(
        'attention', standing_attention(s.subscription_id), 'dunning', s.dunning, 'pastDue', s.past_due
      ),
      'cancellation', s.cancellation, 'cancelledBy', s.cancelled_by, 'collectFrom', epoch_ms(s.collect_from),
      'endSeenAt', epoch_ms(s.end_seen_at), 'acknowledged', s.acknowledged_revision,
      'shown', jsonb_build_object(
        'nextDueAt', epoch_ms(s.next_due_at), 'pausedUntil', epoch_ms(s.paused_until), 'amount', euros(s.amount),
        'standing', s.standing
      ),
      'announcement', s.pending_change #>> '{announcement,kind}',
      'announced', (
        select notice_state(n) from notices n
        where n.subscription_id = s.subscription_id and n.change_key = announcement_key(s.pending_change)
      ),
      'lastOver', (
        select max(cycle) from cycles c where c.subscription_id = s.subscription_id
          and (c.status in ('collected', 'failed', 'missed') or (c.status = 'skipped' and c.cycle <> all (s.skips)))
      ),
      'startedCycles', started_cycles(s.subscription_id)
    )
    from subscriptions s where s.subscription_id = of_subscription and s.status <> 'draft'
  );
end
$$;
comment on function subscription_facts is 'Everything that determines the next step of a subscription. Null for a draft.';

create function known_authorizations(of_payment text) returns jsonb language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'subscriptionId', a.subscription_id, 'cycle', a.cycle, 'attempt', a.attempt, 'send', a.send,
      'id', a.authorization_id, 'state', a.state, 'amount', euros(a.amount), 'dueAt', epoch_ms(a.due_at),
      'createdAt', epoch_ms(a.authorization_created_at), 'reportedRealAt', epoch_ms(a.reported_real_at),
      'isFoundByOperator', a.resolved_by is not null, 'unlistedSinceReal', epoch_ms(a.unlisted_since_real),
      'captureId', a.capture_id
    ) order by a.sending_real_at, a.authorization_id)
    from attempts a where a.payment_id = of_payment and a.authorization_id is not null
  ), '[]');
end
$$;
comment on function known_authorizations is 'Every authorization of the payment that the ledger has, oldest first.';

-- A send of the payment with an unknown outcome; a send of the cycle that is pending, successful, finally refused or failed in its
-- capture; one of this attempt that did reach the service; or any of a later attempt. A caller that was suspended finds here that
-- others continued. Refused debits of other systems do not count (rule 40).
create function send_obstacles(of_subscription text, of_cycle integer, of_attempt integer, of_payment text)
returns setof attempts language sql stable as $$
  select * from attempts
  where (payment_id = of_payment and state in ('sending', 'unknown', 'unresolved'))
     or (subscription_id = of_subscription and cycle = of_cycle
         and not (adopted and state in ('rejected', 'rejected_retryable'))
         and (state in ('pending', 'successful', 'capture_failed', 'rejected')
              or attempt > of_attempt
              or (attempt = of_attempt and state <> 'not_sent')))
$$;

-- The first attempt needs no notice. Every send of a retry follows the same failure, so one notice permits all of them.
create function send_context(of_subscription text, of_cycle integer, of_attempt integer, of_payment text) returns jsonb
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return (
    select jsonb_build_object(
      'paymentId', s.payment_id, 'status', s.status, 'stoppedBy', s.stopped_by, 'revision', s.revision, 'isHalted', is_halted(),
      'heldUntil', epoch_ms(held_until(s.subscription_id)), 'cycleStatus', c.status, 'cycleAmount', euros(c.amount),
      'postponedUntil', case when c.status = 'scheduled' then epoch_ms(c.postponed_until) end,
      'isBlocked', exists (select from send_obstacles(of_subscription, of_cycle, of_attempt, of_payment)),
      'lacksNotice', of_attempt > 0 and not exists (
        select from notices n where n.subscription_id = of_subscription and n.cycle = of_cycle
          and n.attempt = of_attempt - 1 and n.type = 'payment.failed' and n.state = 'delivered'
      ),
      'send', coalesce((
        select max(a.send) + 1 from attempts a
        where a.subscription_id = of_subscription and a.cycle = of_cycle and a.attempt = of_attempt
      ), 0),
      'takenIds', array(
        select a.authorization_id from attempts a where a.payment_id = of_payment and a.authorization_id is not null
        union
        select unnest(a.known_ids) from attempts a where a.payment_id = of_payment
        order by 1
      )
    )
    from subscriptions s left join cycles c on c.subscription_id = s.subscription_id and c.cycle = of_cycle
    where s.subscription_id = of_subscription and s.status <> 'draft'
  );
end
$$;
comment on function send_context is 'All facts that permit or prevent a send, except those of the service. Null if there is no such subscription, or it is a draft.';

create function fingerprint_of(facts jsonb, more jsonb) returns text language sql immutable parallel safe
  return encode(sha256(convert_to(jsonb_build_array(facts, more)::text, 'UTF8')), 'hex');
comment on function fingerprint_of is 'A fingerprint of the facts that a caller has decided by. The caller decides without a lock, and its decision is written only if the facts under the lock have the same fingerprint.';

-- Functions: one step of a collection in one round trip. Each locks first and reads in later statements: under `read committed`
-- these see everything that was committed before they started, including during the wait for the lock.

create function require_read_committed() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'expected isolation level read committed; got %', current_setting('transaction_isolation')
      using errcode = 'invalid_transaction_state';
  end if;
end
$$;

-- The ordinal of an entry is its index in `entries`. `messages` are the merchant events, each with the ordinal of its entry.
create function append_entries(subject jsonb, entries jsonb, messages jsonb) returns bigint language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  last bigint;
begin
  with entry as (
    insert into events (subscription_id, payment_id, change_key, at, actor, key_id, ordinal, type, data)
    select subject ->> 'subscriptionId', subject ->> 'paymentId', subject ->> 'changeKey', (subject ->> 'at')::timestamptz,
      subject ->> 'actor', (subject ->> 'keyId')::uuid, nth - 1, given.entry ->> 'type', given.entry -> 'data'
    from jsonb_array_elements(entries) with ordinality as given (entry, nth) order by nth
    on conflict do nothing
    returning id, ordinal, subscription_id, payment_id, at
  ), published as (
    insert into merchant_events (type, subscription_id, payment_id, at, data)
    select given.event ->> 'type', entry.subscription_id, entry.payment_id, entry.at, given.event -> 'data'
    from entry
    join jsonb_array_elements(messages) with ordinality as given (event, nth) on entry.ordinal = (given.event ->> 'ordinal')::integer
    order by nth
  )
  select max(id) into last from entry;
  return last;
end
$$;
comment on function append_entries is 'Returns the id of the last audit entry written. Null if all of them had been written before.';

-- Refuses a cycle that has ended, or whose first attempt has frozen a different amount.
create function write_send(sending jsonb, closes timestamptz, consent jsonb, subject jsonb, entries jsonb, messages jsonb)
returns setof attempts language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  given constant attempts := jsonb_populate_record(null::attempts, sending);
begin
  insert into cycles as c (subscription_id, cycle, due_at, collect_by, amount, status)
    values (given.subscription_id, given.cycle, given.due_at, closes, given.amount, 'collecting')
    on conflict (subscription_id, cycle) do update set
      status = 'collecting', amount = case when c.status = 'scheduled' then excluded.amount else c.amount end,
      next_attempt_at = null, retry_from = null
    where c.status not in ('collected', 'failed', 'skipped', 'missed')
      and (c.status = 'scheduled' or c.amount = excluded.amount);
  if not found then
    raise exception 'cycle % of % has ended, or is of another amount', given.cycle, given.subscription_id
      using errcode = 'integrity_constraint_violation';
  end if;
  if consent is not null then
    update subscriptions s set consent_status = consent ->> 'status', consent_checked_at = (consent ->> 'at')::timestamptz,
      consent_reason = consent ->> 'reason'
    where s.subscription_id = given.subscription_id
      and (s.consent_checked_at is null or s.consent_checked_at <= (consent ->> 'at')::timestamptz);
  end if;
  perform append_entries(subject, entries, messages);
  return query
    insert into attempts (
      subscription_id, cycle, attempt, send, payment_id, amount, state, due_at, at, sending_real_at, known_ids, owner, adopted
    ) values (
      given.subscription_id, given.cycle, given.attempt, given.send, given.payment_id, given.amount, 'sending',
      given.due_at, given.at, given.sending_real_at, given.known_ids, given.owner, given.adopted
    ) returning *;
end
$$;

-- Writes the row with state sending that must be committed before a POST. The first lock is the one that halts and holds wait for.
create function begin_send(
  fingerprint text, sending jsonb, closes timestamptz, consent jsonb, subject jsonb, entries jsonb, messages jsonb
) returns setof attempts language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  given constant attempts := jsonb_populate_record(null::attempts, sending);
begin
  perform require_read_committed();
  perform pg_advisory_xact_lock_shared(1685415268, 1);
  perform from subscriptions where subscription_id = given.subscription_id for update;
  if fingerprint is distinct from fingerprint_of(
    send_context(given.subscription_id, given.cycle, given.attempt, given.payment_id),
    known_authorizations(given.payment_id)
  ) then
    return;
  end if;
  return query select * from write_send(sending, closes, consent, subject, entries, messages);
end
$$;
comment on function begin_send is 'Writes nothing and returns no row if, under the locks, the ledger differs from the facts that the caller has decided by.';

create function is_last_started(of_subscription text, of_cycle integer) returns boolean language sql stable
  return not exists (
    select from cycles later where later.subscription_id = of_subscription and later.cycle > of_cycle
      and later.status not in ('scheduled', 'skipped')
  );
comment on function is_last_started is 'Whether no later cycle has started or was missed: only then does an outcome of this cycle decide the standing.';

create function before_collecting(
  of_subscription text, of_cycle integer, of_attempt integer, of_send integer, of_payment text, of_authorization text
) returns jsonb language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return (
    select jsonb_build_object(
      'currentCents', s.current_amount, 'consentAmount', euros(s.consent_amount),
      'previousAmount', euros(coalesce((
        select earlier.amount from attempts earlier
        where earlier.subscription_id = of_subscription and earlier.cycle < of_cycle
          and earlier.state in ('successful', 'capture_failed')
        order by earlier.cycle desc limit 1
      ), first_current(s))),
      'isOver', coalesce(c.status in ('collected', 'failed', 'skipped', 'missed'), false),
      'wasRefused', exists (
        select from attempts earlier
        where earlier.payment_id = of_payment and earlier.authorization_id = of_authorization
          and earlier.state in ('rejected', 'rejected_retryable')
      ),
      'isCollected', coalesce(c.status = 'collected' and exists (
        select from attempts other
        where (other.subscription_id, other.cycle) = (of_subscription, of_cycle) and other.state = 'successful'
          and (other.attempt, other.send) <> (of_attempt, of_send)
      ), false),
      'paidLink', paid_link(of_subscription, of_cycle),
      'collectBy', epoch_ms(c.collect_by), 'collectedAt', epoch_ms(c.collected_at),
      'isLast', is_last_started(of_subscription, of_cycle),
      'isCurrent', not exists (
        select from attempts later where later.subscription_id = of_subscription and later.cycle > of_cycle
          and later.state in ('successful', 'capture_failed')
      )
    )
    from subscriptions s left join cycles c on c.subscription_id = s.subscription_id and c.cycle = of_cycle
    where s.subscription_id = of_subscription
  );
end
$$;
comment on function before_collecting is 'The state of a cycle and its subscription before the outcome of a send is written.';

create function reopened_attempt(of_subscription text, of_cycle integer) returns text language sql stable
  return (
    select case state when 'pending' then 'pending' else 'decided' end from attempts
    where subscription_id = of_subscription and cycle = of_cycle and refused_as is not null
      and state in ('pending', 'successful', 'capture_failed')
    order by state = 'pending' desc limit 1
  );
comment on function reopened_attempt is 'pending: a refused attempt of the cycle that the service has listed again is being polled. decided: such an attempt has decided the cycle. Null if there is none.';

-- Records the outcome of a send with its audit entries, if the state of the send is one of `may_be`.
create function settle_send(settled jsonb, may_be text[], subject jsonb, entries jsonb, messages jsonb)
returns table (sent attempts, entry bigint) language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  given constant attempts := jsonb_populate_record(null::attempts, settled);
begin
  perform from subscriptions where subscription_id = given.subscription_id for update;
  update attempts a set
    state = given.state, detail = given.detail, description = given.description, reason = given.reason,
    unknown_since_real = coalesce(a.unknown_since_real, given.unknown_since_real), outcome_at = given.outcome_at,
    accepted_answer = coalesce(given.accepted_answer, a.accepted_answer),
    reported_real_at = coalesce(given.reported_real_at, a.reported_real_at),
    authorization_id = coalesce(given.authorization_id, a.authorization_id),
    authorization_created_at = coalesce(given.authorization_created_at, a.authorization_created_at),
    capture_id = coalesce(given.capture_id, a.capture_id), authorized = a.authorized or given.authorized,
    unlisted_since_real = null, contradicted_since_real = null
  where (a.subscription_id, a.cycle, a.attempt, a.send) = (given.subscription_id, given.cycle, given.attempt, given.send)
    and a.state = any (may_be)
  returning a.* into sent;
  if not found then
    return;
  end if;
  entry := append_entries(subject, entries, messages);
  return next;
end
$$;

create function collect_cycle(collected jsonb, subject jsonb, entries jsonb, messages jsonb) returns bigint
language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  of_subscription constant text := collected ->> 'subscriptionId';
  of_cycle constant integer := (collected ->> 'cycle')::integer;
  is_last constant boolean := (collected ->> 'isLast')::boolean;
  cents constant integer := (collected ->> 'cents')::integer;
begin
  update cycles set status = 'collected', collected_at = coalesce(collected_at, (collected ->> 'at')::timestamptz),
    reason = null, next_attempt_at = null, retries_left = 0, retry_until = null
  where subscription_id = of_subscription and cycle = of_cycle;
  update subscriptions s set
    cycles_collected = (select count(*) from cycles c where c.subscription_id = of_subscription and c.status = 'collected'),
    amount = case when is_last then cents else s.amount end,
    current_amount = case when (collected ->> 'isCurrent')::boolean then cents else s.current_amount end,
    last_increase_at = greatest(s.last_increase_at, (collected ->> 'increasedAt')::timestamptz),
    dunning = s.dunning and not is_last, past_due = s.past_due and not is_last,
    next_due_at = case
      when (collected ->> 'isDueNext')::boolean and s.status in ('active', 'paused') then (collected ->> 'nextDueAt')::timestamptz
      else s.next_due_at
    end
  where s.subscription_id = of_subscription;
  return append_entries(subject, entries, messages);
end
$$;

-- Records the answer to a POST, and returns the facts by which the end of the attempt will be decided. If the ledger already has
-- the authorization, nothing is written: the caller has to decide that case first.
create function record_accepted(settled jsonb, may_be text[], subject jsonb, entries jsonb, messages jsonb)
returns table (sent attempts, entry bigint, epoch timestamptz, reopened text, facts jsonb, before jsonb, fingerprint text)
language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  given constant attempts := jsonb_populate_record(null::attempts, settled);
  written record;
begin
  perform require_read_committed();
  perform from subscriptions where subscription_id = given.subscription_id for update;
  if exists (select from attempts a where a.payment_id = given.payment_id and a.authorization_id = given.authorization_id) then
    return;
  end if;
  select * into written from settle_send(settled, may_be, subject, entries, messages);
  if not found then
    return;
  end if;
  sent := written.sent;
  entry := written.entry;
  epoch := (select g.accepted_real_at from restore_guard g);
  reopened := reopened_attempt(given.subscription_id, given.cycle);
  facts := subscription_facts(given.subscription_id);
  before := before_collecting(
    given.subscription_id, given.cycle, given.attempt, given.send, given.payment_id, given.authorization_id
  );
  fingerprint := fingerprint_of(facts, before);
  return next;
end
$$;

create function record_collected(
  fingerprint text, settled jsonb, may_be text[], subject jsonb, entries jsonb, messages jsonb,
  collected jsonb, cycle_entries jsonb, cycle_messages jsonb
) returns table (sent attempts, entry bigint, epoch timestamptz, reopened text, facts jsonb)
language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  given constant attempts := jsonb_populate_record(null::attempts, settled);
  written record;
begin
  perform require_read_committed();
  perform from subscriptions where subscription_id = given.subscription_id for update;
  if fingerprint is distinct from fingerprint_of(
    subscription_facts(given.subscription_id),
    before_collecting(given.subscription_id, given.cycle, given.attempt, given.send, given.payment_id, given.authorization_id)
  ) then
    return;
  end if;
  select * into written from settle_send(settled, may_be, subject, entries, messages);
  if not found then
    return;
  end if;
  sent := written.sent;
  entry := collect_cycle(collected, subject, cycle_entries, cycle_messages);
  epoch := (select g.accepted_real_at from restore_guard g);
  reopened := reopened_attempt(given.subscription_id, given.cycle);
  facts := subscription_facts(given.subscription_id);
  return next;
end
$$;
comment on function record_collected is 'Writes a debit together with its cycle and subscription, and returns the facts for the next step. Writes nothing and returns no row if the ledger differs from the facts that the caller has decided by.';

-- Steps of several subscriptions in one round trip and one commit. An error undoes all of them. So does a lock that one of them
-- does not get within 100 ms, as the others wait with it.
create function write_steps(steps jsonb)
returns table (
  nth integer, sent attempts, entry bigint, epoch timestamptz, reopened text, facts jsonb, before jsonb, fingerprint text
)
language plpgsql volatile set lock_timeout = '100ms' as $$
declare
  name text;
  "values" jsonb;
begin
  for nth, name, "values" in
    select given.nth, given.step ->> 'name', given.step -> 'values'
    from jsonb_array_elements(steps) with ordinality as given (step, nth) order by given.nth
  loop
    case name
      when 'begin_send' then
        return query select nth, w::attempts, null::bigint, null::timestamptz, null, null::jsonb, null::jsonb, null
          from begin_send(
            "values" ->> 0, ("values" ->> 1)::jsonb, ("values" ->> 2)::timestamptz, ("values" ->> 3)::jsonb,
            ("values" ->> 4)::jsonb, ("values" ->> 5)::jsonb, ("values" ->> 6)::jsonb
          ) w;
      when 'record_accepted' then
        return query select nth, w.*
          from record_accepted(
            ("values" ->> 0)::jsonb, array(select jsonb_array_elements_text("values" -> 1)),
            ("values" ->> 2)::jsonb, ("values" ->> 3)::jsonb, ("values" ->> 4)::jsonb
          ) w;
      when 'record_collected' then
        return query select nth, w.*, null::jsonb, null
          from record_collected(
            "values" ->> 0, ("values" ->> 1)::jsonb, array(select jsonb_array_elements_text("values" -> 2)),
            ("values" ->> 3)::jsonb, ("values" ->> 4)::jsonb, ("values" ->> 5)::jsonb,
            ("values" ->> 6)::jsonb, ("values" ->> 7)::jsonb, ("values" ->> 8)::jsonb
          ) w;
    end case;
  end loop;
end
$$;
comment on function write_steps is 'Returns the rows of the steps that wrote something, each with the ordinal of its step.';

-- Triggers

create trigger payers_remembered before update of name, email, reference on payers
  for each row execute function keep_former_terms();
create trigger payers_found after update of name, email, reference on payers
  for each row execute function keep_payer_words();
create trigger subscriptions_found after insert or update of payment_id, payer_id, metadata on subscriptions
  for each row execute function keep_subscription_words();
create trigger subscriptions_answered after update of status, draft_answer on subscriptions
  for each row when (old.status <> new.status or old.draft_answer is distinct from new.draft_answer)
  execute function notify_answer('subscription', 'subscription_id');
create trigger payments_answered after update of status, draft_answer on payments
  for each row when (old.status <> new.status or old.draft_answer is distinct from new.draft_answer)
  execute function notify_answer('payment', 'request_id');
create trigger payments_found after insert or update of payment_id, payer_id, metadata on payments
  for each row execute function keep_payment_words();

create trigger attention_items_noted after insert or update of closed_real_at on attention_items
  for each row when (new.subscription_id is not null and (new.source = 'standing' or new.kind = 'unrecordable'))
  execute function note_attention();
create trigger cycles_first_summed after insert on cycles
  for each row when (new.status in ('collected', 'failed', 'skipped', 'missed')) execute function note_collection();
create trigger cycles_summed after update of status, amount, due_at on cycles
  for each row when (
    (old.status, old.amount, old.due_at) is distinct from (new.status, new.amount, new.due_at)
    and (old.status in ('collected', 'failed', 'skipped', 'missed') or new.status in ('collected', 'failed', 'skipped', 'missed'))
  ) execute function note_collection();

create trigger attempts_guarded before insert or update on attempts
  for each row execute function guard_attempt();
create trigger attempts_kept before delete on attempts
  for each row execute function refuse_change();
create trigger attempts_never_emptied before truncate on attempts
  for each statement execute function refuse_change();

create trigger payment_links_guarded before insert or update on payment_links
  for each row execute function guard_payment_link();

create trigger orders_guarded before insert on orders
  for each row execute function guard_order();
create trigger orders_opened after insert on orders
  for each row execute function open_order();
create trigger orders_kept before update or delete on orders
  for each row execute function keep_order();
create trigger orders_never_emptied before truncate on orders
  for each statement execute function refuse_change();

create trigger order_sends_guarded before insert or update on order_sends
  for each row execute function guard_order_send();
create trigger order_sends_advance after insert or update of state on order_sends
  for each row execute function advance_open_order();
create trigger order_sends_summed after update of state on order_sends
  for each row when (new.state = 'successful' and old.state <> 'successful') execute function note_refund();
create trigger order_sends_kept before delete on order_sends
  for each row execute function refuse_change();
create trigger order_sends_never_emptied before truncate on order_sends
  for each statement execute function refuse_change();

create trigger events_append_only before update or delete on events
  for each row execute function keep_event();
create trigger events_forget_words after update on events
  for each row execute function forget_words();
create trigger events_never_emptied before truncate on events
  for each statement execute function refuse_change();

create trigger audit_chain_append_only before update or delete on audit_chain
  for each row execute function keep_link();
create trigger audit_chain_never_emptied before truncate on audit_chain
  for each statement execute function refuse_change();

-- Storage

-- Pages of rows that are updated several times keep free space, so that an update that changes no indexed column stays on its page
-- and touches no index (HOT). A change of an attempt's state, or of the next due date, touches indexes in any case.
alter table subscriptions set (fillfactor = 75);
alter table attempts set (fillfactor = 80);
alter table payments set (fillfactor = 80);
alter table order_sends set (fillfactor = 80);
alter table notices set (fillfactor = 80);
alter table webhook_queues set (fillfactor = 70);
alter table workflow_starts set (fillfactor = 80);

-- By default autovacuum waits until a fifth of a table has changed, which is too much of a large one: here it runs often and does
-- little each time.
alter table subscriptions set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table cycles set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);
alter table attempts set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);
alter table events set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table audit_chain set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table notices set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table merchant_events set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table webhook_tries set (autovacuum_vacuum_scale_factor = 0.02);

-- Tables with few rows that change constantly: every search for work has to read the dead versions.
alter table back_offs set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table failed_checks set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table open_orders set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table webhook_queues set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table workflow_starts set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table workflow_orphans set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table rate_leases set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
alter table sessions set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- The initial rows of every ledger

insert into installation default values;
insert into restore_guard (identity) values (ledger_identity());
insert into audit_head default values;
insert into event_feed default values;
insert into webhook_endpoints (endpoint_id, types)
  values ('env', '{consent.failed,cycle.missed,cycle.failed,cycle.unresolved,capture.deadline_near}');
insert into schema_floor (migration) values ('0001_baseline');
