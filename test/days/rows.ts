import { DAY } from '../../src/domain/time';
import { createPool } from '../../src/ledger';

/** Business time at which the worker starts: ten seconds before the daily work. */
export const START = Date.parse('2027-01-31T02:59:50.000Z');
/** The instant at which each payment was booked. */
export const BOOKED_AT = START - 20 * DAY;
/** Cents. */
export const AMOUNT = 1999;

export interface Rows {
  readonly subscriptions: number;
  readonly payments: number;
  /** The one-time payment that the comparison reads last. */
  readonly lastPaymentId: string;
}

/** There is one one-time payment for this many subscriptions. */
const SUBSCRIPTIONS_PER_PAYMENT = 5;

export function rowsFor(subscriptions: number): Rows {
  const payments = Math.max(1, Math.round(subscriptions / SUBSCRIPTIONS_PER_PAYMENT));
  return { subscriptions, payments, lastPaymentId: `day-p-${payments}` };
}

const at = (instant: number) => `timestamptz '${new Date(instant).toISOString()}'`;
const uuid = (n: string) => `lpad(to_hex(${n}), 32, '0')::uuid`;
/** A draft time in the future: the check for lost workflows skips new rows, and these rows have no workflow. */
const DRAFTED = `timestamptz '2099-01-01T00:00:00Z'`;

function statements({ subscriptions, payments }: Rows): readonly string[] {
  const [booked, due] = [at(BOOKED_AT), at(START + 3 * DAY)];
  return [
    `insert into payers (payer_id, name, email, reference, billing_address)
     select ${uuid('n')}, 'Ada', 'ada@example.org', 'day-' || n, '{}' from generate_series(1, ${subscriptions + payments}) n`,
    `insert into subscriptions (
       subscription_id, payer_id, payment_id, workflow_id, repetition, consent_amount, amount, start_at, first_payment_at,
       on_exhausted, status, next_due_at, created_at, drafted_real_at, retry_policy, spread
     )
     select 'sub_' || lpad(n::text, 9, '0'), ${uuid('n')}, 'day-s-' || n, 'subscription/day-' || n, 'MONTHLY', ${AMOUNT},
       ${AMOUNT}, ${booked}, ${booked}, 'continue', 'active', ${due}, ${booked}, ${DRAFTED}, '{"offsets": [], "transit": 0, "gap": 0}', 0
     from generate_series(1, ${subscriptions}) n`,
    `insert into attempts (
       subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at, authorization_id,
       capture_id, owner, outcome_at
     )
     select 'sub_' || lpad(n::text, 9, '0'), 0, 0, 0, 'day-s-' || n, ${AMOUNT}, ${booked}, 'successful', ${booked}, ${booked},
       'aut-s-' || n, 'cap-s-' || n, 'days', ${booked}
     from generate_series(1, ${subscriptions}) n`,
    `insert into payments (
       request_id, payer_id, payment_id, workflow_id, plan, amount, return_url, partial_capture, multiple_capture, actor,
       status, authorization_id, authorization_state, authorization_created_at, booking_id, booking_state,
       booking_created_at, created_at, drafted_real_at, consent_requested_real_at
     )
     select 'pay_' || lpad(n::text, 9, '0'), ${uuid(`n + ${subscriptions}`)}, 'day-p-' || n, 'payment/day-' || n, 'SINGLE',
       ${AMOUNT}, 'https://shop.example', false, false, 'till', 'captured', 'aut-p-' || n, 'successful', ${booked},
       'cap-p-' || n, 'successful', ${booked}, ${booked}, ${DRAFTED}, now() - interval '20 days'
     from generate_series(1, ${payments}) n`,
    `insert into events (subscription_id, change_key, at, actor, type)
     select 'sub_' || lpad(n::text, 9, '0'), 'made', ${booked}, 'till', 'consent.requested'
     from generate_series(1, ${subscriptions}) n`,
    `insert into events (payment_id, change_key, at, actor, type)
     select 'day-p-' || n, 'made', ${booked}, 'till', 'payment.requested' from generate_series(1, ${payments}) n`,
    'analyze',
  ];
}

/** Inserts the rows of a merchant who has collected once from each subscription; without the triggers that guard single rows. */
export async function fill(databaseUrl: string, rows: Rows): Promise<void> {
  const pool = createPool({ databaseUrl, max: 1 });
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0; set session_replication_role = replica');
    for (const statement of statements(rows)) await client.query(statement);
  } finally {
    client.release(true);
    await pool.end();
  }
}
