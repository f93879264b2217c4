-- Up Migration

alter table subscriptions add column end_heard_at timestamptz(3);
comment on column subscriptions.end_heard_at is 'When the end of the consent was noticed, business time, while a due date that waited then is not closed yet; null otherwise. Written by the workflow, and what one that is started again goes on with.';

-- Down Migration

alter table subscriptions drop column end_heard_at;
