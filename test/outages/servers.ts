import { Client } from 'pg';
import { MINUTE, SECOND } from '../../src/domain/time';
import { runDueday } from '../cli/dueday-process';
import { ClusterCopy } from '../restore/cluster-copy';
import type { Fault } from './fault';
import { DUE_DURING_FAULT, type Stage } from './stage';

/** Faults of PostgreSQL, Temporal and the payment service. */

/** An alert must fire within five minutes. */
export const LASTS = 5 * MINUTE + 30 * SECOND;

export const temporalGone: Fault = {
  name: 'Temporal is gone',
  lasts: LASTS,
  dueIn: DUE_DURING_FAULT,
  unready: ['temporal', 'worker'],
  doctor: { says: /^temporal +failed /m },
  metric: {
    name: 'dueday_temporal_last_poll_seconds',
    shows: (ages) => Math.max(...ages.values()) > 180,
  },
  alert: 'DuedayTemporalSilent',
  alsoFires: ['DuedayPollsFailing'],
  begin: ({ stack }) => stack.temporal.kill(),
  look: async ({ stack, payers }) => {
    const { status } = await stack.admin.post(`/v1/subscriptions/${payers[0]!.subscriptionId}/pause`, {});
    const { status: resumed } = await stack.admin.post(`/v1/subscriptions/${payers[0]!.subscriptionId}/resume`, {});
    return [
      {
        what: 'pause and resume are answered meanwhile',
        holds: status < 300 && resumed < 300,
        found: `${status}, ${resumed}`,
      },
    ];
  },
  end: async ({ stack }) => {
    await stack.temporal.start();
    return [];
  },
};

async function setReadOnly({ stack }: Stage, isReadOnly: boolean): Promise<void> {
  const admin = new Client({ connectionString: stack.databaseUrl });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ name: string }>('select current_database() as name');
    const name = rows[0]!.name;
    await admin.query('set default_transaction_read_only = off');
    await admin.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
    // Sessions that are open end, as at a fail-over.
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    );
  } finally {
    await admin.end();
  }
}

/** Calls that an activity makes before it notices the read-only ledger, and polls of other activities. */
const FEW_CALLS_PER_MINUTE = 30;

export const ledgerReadOnly: Fault = {
  name: 'the ledger can be read and not written',
  lasts: LASTS,
  dueIn: DUE_DURING_FAULT,
  unready: ['postgresql_writes'],
  doctor: { says: /^postgresql +failed +reachable, but not writable: /m },
  metric: {
    name: 'dueday_ledger_last_commit_seconds',
    shows: (ages) => Math.max(...ages.values()) > 60,
  },
  alert: 'DuedayLedgerNotWritten',
  // An event that was recorded just before gets no position either.
  alsoFires: ['DuedayApiFailing', 'DuedayEventsNotPlaced'],
  begin: (stage) => setReadOnly(stage, true),
  look: async ({ stack, payers, line }) => {
    const pause = await stack.admin.post<{ detail?: string }>(
      `/v1/subscriptions/${payers[0]!.subscriptionId}/pause`,
      {},
    );
    const lately = line.arrivals.filter((at) => at > performance.now() - MINUTE).length;
    return [
      {
        what: 'a pause is answered 503 with the reason',
        holds: pause.status === 503 && /read only/.test(pause.body.detail ?? ''),
        found: `${pause.status} ${pause.body.detail ?? ''}`,
      },
      {
        what: 'the service is hardly asked meanwhile',
        holds: lately <= FEW_CALLS_PER_MINUTE,
        found: `${lately} calls in the last minute`,
      },
    ];
  },
  end: async (stage) => {
    await setReadOnly(stage, false);
    return [];
  },
};

/** Real ms for which PostgreSQL runs on between its copy and the restore. */
const LOST = 45 * SECOND;

export const restored: Fault = {
  name: 'the ledger was restored to an earlier moment',
  lasts: LASTS,
  // The first is debited after the copy was made; the ledger has lost it.
  dueIn: [25 * SECOND, ...DUE_DURING_FAULT.slice(1)],
  unready: ['halted'],
  doctor: { says: /^ledger +failed +restored, moved or copied/m },
  metric: { name: 'dueday_halted', shows: (values) => Math.max(...values.values()) === 1 },
  alert: 'DuedayHalted',
  // The lost debit is one that the ledger lacks, until the comparison has added it. Events wait until the ledger is accepted.
  alsoFires: ['DuedayAttention', 'DuedayPossibleDoubleDebit', 'DuedayEventsNotPlaced'],
  async begin({ stack, db }) {
    const copy = await ClusterCopy.make(stack.postgres, db);
    await new Promise((resolve) => setTimeout(resolve, LOST));
    await copy.restore('a recovery to a point in time');
  },
  async look({ stack }) {
    const { body } = await stack.admin.get<{ halted: boolean; by?: string; reason?: string }>('/v1/halt');
    return [
      {
        what: 'dueday halts all sending itself',
        holds: body.by === 'dueday',
        found: body.reason ?? JSON.stringify(body),
      },
    ];
  },
  async end({ env }) {
    const startedAt = performance.now();
    const { code, stdout, stderr } = await runDueday(['reconcile'], env);
    const seconds = Math.round((performance.now() - startedAt) / SECOND);
    const said = `${stdout}${stderr}`.trim().replaceAll('\n', ' ');
    return [
      {
        what: 'reconcile passes and says how long it will take',
        holds: code === 0 && /estimate|about/.test(said),
        found: `exit ${code} after ${seconds} s: ${said}`,
      },
    ];
  },
};

/** Due at once, so that the log gets as many lines as possible. */
const AT_ONCE = 30;

export const serviceGone: Fault = {
  name: 'the payment service is gone while many fall due: a flood of failures',
  lasts: LASTS,
  dueIn: Array.from({ length: AT_ONCE }, () => 30 * SECOND),
  unready: [],
  doctor: { says: /^payment service +failed /m },
  metric: {
    name: 'dueday_payment_service_circuit',
    shows: (states) => [...states].some(([series, value]) => series.includes('state="closed"') && value === 0),
  },
  alert: 'DuedayCircuitOpen',
  alsoFires: ['DuedayServiceFailing', 'DuedayAttention'],
  begin: async ({ line }) => line.cut(),
  end: async ({ line }) => {
    line.repair();
    return [];
  },
};
