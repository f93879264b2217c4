-- Up Migration

alter table notices add column gone_channels text[] not null default '{}';

comment on column notices.gone_channels is 'Channels that want no more of this notice while another one may still take it: not tried again before a person has it delivered anew.';

-- Down Migration

alter table notices drop column gone_channels;
