-- Up Migration

create table workflow_orphans (
  kind text not null check (kind in ('subscription', 'payment')),
  subject_id text collate "C" not null,
  due_at timestamptz(3) not null,
  waits boolean not null default true,
  claimed_until_real timestamptz(3),
  restarted_real_at timestamptz(3)[] not null default '{}',
  primary key (kind, subject_id)
);
create index workflow_orphans_by_due on workflow_orphans (due_at, kind, subject_id) where waits;
comment on table workflow_orphans is 'Subscriptions and payments that are not final and were found without a running workflow: those that wait for their restart, and those restarted lately.';
comment on column workflow_orphans.due_at is 'Business time: its next due date or its capture deadline, by which restarts are ordered; the end of time where it has none.';
comment on column workflow_orphans.claimed_until_real is 'Until then the process that took it restarts it.';
comment on column workflow_orphans.restarted_real_at is 'When it was restarted within the last day, real time.';

alter table installation add column restarts_after_real timestamptz(3);
comment on column installation.restarts_after_real is 'Real time: the next workflows are restarted no sooner, by whichever process.';

alter table attention_items add column folded_into text collate "C";
comment on column attention_items.folded_into is 'Of an open item: the item of the whole installation that stands for it meanwhile. Null while it is listed itself.';

-- Down Migration

alter table attention_items drop column folded_into;
alter table installation drop column restarts_after_real;
drop table workflow_orphans;
