import { DAY } from '../../src/domain/time';
import type { World } from './activity-world';

/** Stores three reconciliation runs, and this many rows of each other kind that housekeeping removes, all old enough. */
export async function leaveOldRows(world: World, count: number): Promise<void> {
  const { ledger, clock } = world.deps;
  const old = new Date(clock.realNow() - 100 * DAY).toISOString();
  await ledger.query(
    `insert into payers (payer_id)
       select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid from generate_series(1, ${2 * count}) n;
     insert into subscriptions (
       subscription_id, payer_id, workflow_id, repetition, consent_amount, amount, start_at, first_payment_at,
       on_exhausted, return_url, warnings, created_at, drafted_real_at, retry_policy, spread
     ) select 'sub_' || n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'w', 'MONTHLY', 1999, 1999,
         now(), now(), 'continue', 'https://shop.example', '[]', now(), '${old}', '{}', 0
       from generate_series(1, ${count}) n;
     insert into payments (
       request_id, payer_id, workflow_id, plan, amount, return_url, partial_capture, multiple_capture, actor,
       created_at, drafted_real_at
     ) select 'pay_' || n, ('00000000-0000-4000-8000-' || lpad((${count} + n)::text, 12, '0'))::uuid, 'w', 'SINGLE', 1,
         'https://shop.example', false, false, 'till', now(), '${old}'
       from generate_series(1, ${count}) n;
     insert into reconciliation_runs (run_id, period_from, period_to, actor, started_at, started_real_at)
       select 'run-' || n, '2020-01-01', '2020-01-02', 'till', '${old}', '${old}' from generate_series(1, 3) n;
     insert into reconciliation_differences (run_id, payment_id, difference_key, kind)
       select 'run-2', 'p-' || n, 'debit_unknown/' || n, 'debit_unknown' from generate_series(1, ${count}) n;
     insert into approvals (
       approval_id, fingerprint, operation, call, facts, key_id, requested_by, holder, created_real_at, expires_real_at
     ) select gen_random_uuid(), sha256(n::text::bytea), 'refundCycle', 'POST', '{}', 'k', 'till', 'Till', '${old}', now()
       from generate_series(1, ${count}) n`,
  );
}

const TABLES = [
  'payers',
  'subscriptions',
  'payments',
  'reconciliation_runs',
  'reconciliation_differences',
  'approvals',
];

/** How many rows of these kinds there are. */
export async function countOldRows({ deps }: World): Promise<number> {
  const counts = TABLES.map((table) => `(select count(*) from ${table})`).join(' + ');
  const { rows } = await deps.ledger.query<{ n: number }>(`select ${counts} as n`);
  return rows[0]!.n;
}
