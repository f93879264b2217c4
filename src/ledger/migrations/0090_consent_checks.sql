-- Up Migration

alter table subscriptions
  add column consent_unreadable_real_at timestamptz(3),
  add column consent_deleting_real_at timestamptz(3);
comment on column subscriptions.consent_unreadable_real_at is 'Real time since which no answer about the consent could be read; null once one could.';
comment on column subscriptions.consent_deleting_real_at is 'Real time of the first DELETE of the consent; null before it, and once the consent was granted in spite of it.';
comment on column subscriptions.merchant_deleted_consent is 'A DELETE of ours may have ended the consent: false while the service has refused every one of them.';
comment on column attention_items.source is 'standing: of a subscription''s attention; consent: of a subscription''s or a payment''s consent; payment, order, difference, halt, endpoint.';

-- Down Migration

alter table subscriptions drop column consent_deleting_real_at, drop column consent_unreadable_real_at;
