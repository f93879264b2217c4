-- Up Migration

alter table payers add column language text check (language in ('en', 'de', 'fr', 'nl'));
comment on column payers.language is 'In which the payer is written to; English where it is null.';

create index notices_newest on notices (created_at desc, notice_id desc);
create index notices_of_subscription on notices (subscription_id, created_at desc, notice_id desc)
  where subscription_id is not null;
create index notices_undeliverable on notices (created_at desc, notice_id desc) where state = 'undeliverable';

-- Down Migration

drop index notices_undeliverable;
drop index notices_of_subscription;
drop index notices_newest;
alter table payers drop column language;
