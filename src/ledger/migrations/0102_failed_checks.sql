-- Up Migration

create table failed_checks (
  subscription_id text collate "C" primary key,
  real_at timestamptz(3) not null
);
comment on table failed_checks is 'When the payment service last could not be asked for a subscription, or gave no answer that can be read, before or after an attempt. To the minute.';

-- Down Migration

drop table failed_checks;
