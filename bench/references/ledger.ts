/** The reference's tables: the least that a merchant needs to send each debit once and to know its outcome. */
export const BARE_TABLES = `
  create table subscriptions (
    id text primary key,
    payment_id text unique,
    status text not null,
    due_at timestamptz not null,
    next_cycle integer not null default 0
  );
  create index subscriptions_due on subscriptions (due_at) where status = 'active';
  create table attempts (
    id text not null,
    cycle integer not null,
    state text not null,
    authorization_id text,
    capture_id text,
    sending_at timestamptz not null default clock_timestamp(),
    collected_at timestamptz,
    primary key (id, cycle)
  );
  create table request_keys (key text primary key, answer jsonb);
`;
