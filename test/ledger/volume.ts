import type { PoolClient } from 'pg';
import type { Pool } from '../../src/ledger';
import { NOW } from './ledger-fixture';

/** How much data of a merchant is written. */
export interface Volume {
  readonly subscriptions: number;
  readonly payments: number;
  /** Minutes between two creations, the newest last. */
  readonly createdEvery: number;
  /** The age of the newest subscription, in days. */
  readonly newest: number;
  /** Audit entries, for each subscription. */
  readonly entries: number;
}

const SOME_YEARS: Volume = { subscriptions: 30_000, payments: 20_000, createdEvery: 66, newest: 0, entries: 3 };

const AT = `timestamptz '${new Date(NOW).toISOString()}'`;
/** Ids as text and as uuid, from a number. */
const uuid = (n: string) => `lpad(to_hex(${n}), 32, '0')::uuid`;
const ID = `'sub_' || substr(md5(n::text), 1, 12) || '_' || n`;
const PAYMENT_ID = uuid('n') + '::text';

const FIRST_NAMES = `(array['Ada', 'Bert', 'Cora', 'Dirk', 'Änne', 'Fritz', 'Gül', 'Hans'])[1 + n % 8]`;
const LAST_NAMES = `(array['Müller', 'Schmidt', 'Özdemir', 'Wagner', 'Koch'])[1 + n % 5]`;

/** The statements of each of two connections, in sequence; neither depends on the rows of the other. */
function statements({
  subscriptions,
  payments,
  createdEvery,
  newest,
  entries,
}: Volume): readonly (readonly string[])[] {
  const created = `${AT} - interval '${newest} days' - (${subscriptions} - n) * interval '${createdEvery} minutes'`;
  const each = `generate_series(1, ${subscriptions}) n`;
  return [
    [
      `insert into payers (payer_id, name, email, reference, billing_address)
   select ${uuid('n')}, ${FIRST_NAMES} || ' ' || ${LAST_NAMES} || '-' || n, 'payer' || n || '@example.org', 'customer-' || n, '{}'
   from generate_series(1, ${subscriptions + payments}) n`,
      `insert into subscriptions (
     subscription_id, payer_id, payment_id, workflow_id, repetition, consent_amount, amount, start_at, first_payment_at,
     on_exhausted, status, needs_attention, next_due_at, created_at, drafted_real_at, metadata, retry_policy, spread
   )
   select ${ID}, ${uuid('n')}, ${PAYMENT_ID}, 'subscription/' || n,
     (array['WEEKLY', 'MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY'])[1 + n % 5], 1999, 1999, at, at + interval '1 day',
     'continue', case when n % 20 = 0 then 'cancelled' when n % 33 = 0 then 'paused' else 'active' end,
     n % 500 = 0,
     case when n % 20 = 0 then null else ${AT} + n % 8760 * interval '1 hour' - interval '1 hour' end, at, at,
     jsonb_build_object('lot', (n % 1000)::text, 'shop', case when n % 3 = 0 then 'north' else 'south' end),
     '{"offsets": [86400000], "transit": 60000, "gap": 21600000}', 0
   from (select n, ${created} as at from ${each}) as each`,
      `insert into subscription_words (subscription_id, words, words_but_email, metadata)
   select s.subscription_id, words_of(concat_ws(' ', s.subscription_id, s.payment_id, p.name, p.email, p.reference)),
     words_of(concat_ws(' ', s.subscription_id, s.payment_id, p.name, p.reference)), s.metadata
   from subscriptions s join payers p using (payer_id)`,
      `insert into payments (
     request_id, payer_id, payment_id, workflow_id, plan, amount, return_url, partial_capture, multiple_capture, actor,
     status, authorization_id, authorization_state, authorization_created_at, booking_id, booking_state,
     booking_created_at, created_at, drafted_real_at
   )
   select 'pay_' || n, ${uuid(`n + ${subscriptions}`)}, 'once-' || n, 'payment/' || n, 'SINGLE', 1999, 'https://shop.example',
     false, false, 'till', case when n % 20 = 0 then 'failed' else 'captured' end, 'aut-once-' || n, 'successful', at,
     'cap-once-' || n, case when n % 20 = 0 then 'failed' else 'successful' end, at, at, at
   from (select n, ${AT} - (${payments} - n) * interval '100 minutes' as at from generate_series(1, ${payments}) n) as each`,
      `insert into payment_words (request_id, words, words_but_email)
   select m.request_id, words_of(concat_ws(' ', m.request_id, m.payment_id, p.name, p.email, p.reference)),
     words_of(concat_ws(' ', m.request_id, m.payment_id, p.name, p.reference))
   from payments m join payers p using (payer_id)`,
    ],
    [
      `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, collected_at)
   select ${ID}, k, due, due + interval '5 days', 1999, status, case when status = 'collected' then due end
   from (
     select n, k, ${created} + k * interval '30 days' as due,
       case when n % 400 = 0 and k = 1 then 'dunning' when n % 100 = 1 then 'skipped' when n % 100 = 2 then 'failed' else 'collected' end as status
     from ${each}, generate_series(0, 1) k
   ) as each`,
      `insert into attempts (
     subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at, authorization_id,
     capture_id, owner, outcome_at
   )
   select ${ID}, k, 0, 0, ${PAYMENT_ID}, 1999, at, state, at, at, 'aut-' || n || '-' || k, 'cap-' || n || '-' || k, 'worker',
     case when state = 'successful' then at end
   from (
     select n, k, ${created} + k * interval '30 days' as at,
       case when n % 5000 = 0 and k = 1 then 'unknown' else 'successful' end as state
     from ${each}, generate_series(0, 1) k
   ) as each`,
      `insert into orders (
     order_id, kind, subscription_id, cycle, payment_id, capture_id, amount, actor, created_at, created_real_at
   )
   select 'ref_' || n, 'refund', ${ID}, 0, ${PAYMENT_ID}, 'cap-' || n || '-0', 500, 'till', at, at
   from (select n, ${created} as at from ${each} where n % 5 = 0) as each`,
      `insert into order_sends (order_id, send, payment_id, state, at, sending_real_at, service_id, owner, outcome_at)
   select order_id, 0, payment_id, 'successful', created_at, created_at, 'service-' || order_id, 'worker', created_at from orders`,
      `insert into collection_sums (hour, status, count, amount)
   select date_trunc('hour', due_at, 'UTC'), status, count(*), sum(amount) from cycles where status <> 'dunning' group by 1, 2
   union all
   select date_trunc('hour', c.due_at, 'UTC'), 'refunded', count(*), sum(r.amount)
   from orders r join cycles c using (subscription_id, cycle) group by 1`,
      `insert into events (subscription_id, change_key, ordinal, at, actor, type)
   select ${ID}, 'k', e, ${created} + e * interval '1 minute',
     case when n % 1000 = 0 then 'till' else 'dueday' end,
     (array['consent.requested', 'attempt.sending', 'cycle.collected'])[1 + (e - 1) % 3]
   from ${each}, generate_series(1, ${entries}) e order by n, e`,
      `insert into events (payment_id, change_key, ordinal, at, actor, type)
   select 'once-' || n, 'k', 1, ${AT}, 'till', 'payment.requested' from generate_series(1, ${payments}) n`,
    ],
  ];
}

/** All indexes that no constraint and no foreign key uses; the others cannot be dropped alone. */
const INDEXES = `
  select indexname as name, indexdef as definition
  from pg_indexes
  where schemaname = 'public' and not exists (
    select from pg_constraint where conindid = format('%I.%I', schemaname, indexname)::regclass
  )
`;

/** A connection whose writes fire no triggers, neither of guards nor of foreign keys. */
async function connect(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  await client.query(
    `set statement_timeout = 0; set session_replication_role = replica; set maintenance_work_mem = '256MB'`,
  );
  return client;
}

/**
 * Writes the data of a merchant after some years, which takes seconds with the default volume: subscriptions with two cycles each,
 * one-time payments, refunds, an audit log. With the triggers that guard single rows, and indexes that grow with each row, it would
 * take minutes. Uses two connections of the pool.
 */
export async function fillLedger(pool: Pool, volume = SOME_YEARS): Promise<void> {
  const written = statements(volume);
  const clients = await Promise.all(written.map(() => connect(pool)));
  const first = clients[0]!;
  try {
    const { rows: indexes } = await first.query<{ name: string; definition: string }>(INDEXES);
    for (const { name } of indexes) await first.query(`drop index ${name}`);
    await Promise.all(
      clients.map(async (client, which) => {
        for (const statement of written[which]!) await client.query(statement);
      }),
    );
    const left = indexes.values();
    await Promise.all(
      clients.map(async (client) => {
        for (const { definition } of left) await client.query(definition);
      }),
    );
    // PostgreSQL would do this by itself within minutes.
    await first.query('vacuum analyze');
  } finally {
    for (const client of clients) client.release(true);
  }
}
