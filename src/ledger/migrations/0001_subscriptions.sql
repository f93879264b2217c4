-- Up Migration

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: its rows are kept for ever', lower(tg_op), tg_table_name
    using errcode = 'integrity_constraint_violation';
end
$$;

create table payers (
  payer_id uuid primary key,
  name text,
  email text,
  reference text,
  billing_address jsonb,
  shipping_address jsonb,
  erased_at timestamptz(3),
  constraint payers_erased_is_blank check (
    erased_at is null
    or num_nonnulls(name, email, reference, billing_address, shipping_address) = 0
  )
);
comment on table payers is 'Personal data, and nowhere else. Blanked per payer; whatever concerns money stays in the other tables.';

create table subscriptions (
  subscription_id text collate "C" primary key,
  payer_id uuid not null references payers,
  payment_id text collate "C" unique,
  workflow_id text not null,
  repetition text not null check (repetition in ('WEEKLY', 'MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY')),
  consent_amount integer not null check (consent_amount > 0),
  currency text not null default 'EUR' check (currency = 'EUR'),
  start_at timestamptz(3) not null,
  first_payment_at timestamptz(3) not null,
  end_at timestamptz(3) check (end_at > first_payment_at),
  on_exhausted text not null check (on_exhausted in ('continue', 'pause', 'cancel')),
  return_url text,
  status text not null default 'draft' check (
    status in ('draft', 'pending_consent', 'consent_failed', 'active', 'paused', 'cancelled', 'completed')
  ),
  attention text[] not null default '{}',
  dunning boolean not null default false,
  past_due boolean not null default false,
  standing text not null generated always as (
    case
      when cardinality(attention) > 0 then 'needs_attention'
      when dunning then 'dunning'
      when past_due then 'past_due'
      else 'good'
    end
  ) stored,
  hold text check (hold in ('pause', 'cancel')),
  amount integer not null check (amount > 0),
  next_due_at timestamptz(3),
  cycles_collected integer not null default 0 check (cycles_collected >= 0),
  consent_status text check (consent_status in ('pending', 'successful', 'failed', 'cancelled')),
  consent_reason text,
  consent_redirect_url text,
  consent_checked_at timestamptz(3),
  consent_requested_real_at timestamptz(3),
  merchant_deleted_consent boolean not null default false,
  paused_until timestamptz(3),
  cancelled_by text check (cancelled_by in ('payer', 'merchant')),
  replaces text collate "C",
  replaced_by text collate "C",
  warnings jsonb not null default '[]',
  created_at timestamptz(3) not null,
  drafted_real_at timestamptz(3) not null,
  constraint subscriptions_payment_is_named check (
    status in ('draft', 'consent_failed', 'cancelled') or payment_id is not null
  )
);
comment on table subscriptions is 'What was agreed and how it stands. A draft is one whose consent the service has not been asked for yet; nobody sees it.';
comment on column subscriptions.hold is 'Set before a pause or a cancellation is answered; no attempt begins while it stands.';
comment on column subscriptions.amount is 'Cents that the next cycle collects.';
comment on column subscriptions.drafted_real_at is 'Real time; every other instant of this table but consent_requested_real_at is business time.';

create index subscriptions_newest on subscriptions (created_at desc, subscription_id desc) where status <> 'draft';
create index subscriptions_by_status on subscriptions (status, created_at desc, subscription_id desc);
create index subscriptions_by_standing on subscriptions (standing, created_at desc, subscription_id desc);
create index subscriptions_by_due on subscriptions (next_due_at) where next_due_at is not null;
create index subscriptions_by_payer on subscriptions (payer_id);

-- Down Migration

drop table subscriptions;
drop table payers;
drop function refuse_change();
