import { readRecords } from '../../src/ledger/sql/statements';
import { useLedger } from './ledger-fixture';

const ledger = useLedger();

/** What the schema sets for how a table is stored and vacuumed, by table. */
async function readStorage(): Promise<Readonly<Record<string, Readonly<Record<string, number>>>>> {
  const found = await readRecords<{ name: string; settings: readonly string[] }>(
    ledger.pool,
    `select relname as name, reloptions as settings from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and reloptions is not null`,
  );
  const settingsOf = (settings: readonly string[]) =>
    Object.fromEntries(settings.map((each) => each.split('=')).map(([name = '', value]) => [name, Number(value)]));
  return Object.fromEntries(found.map(({ name, settings }) => [name, settingsOf(settings)]));
}

const VACUUMED = { autovacuum_vacuum_scale_factor: 0.02 };
const INSERTED = { autovacuum_vacuum_insert_scale_factor: 0.02 };
const ANALYSED = { autovacuum_analyze_scale_factor: 0.02 };
const atRows = (rows: number) => ({ autovacuum_vacuum_scale_factor: 0, autovacuum_vacuum_threshold: rows });

test('large tables are vacuumed at 2 % of their rows, queues at a number of rows, and rows that are updated have room in their pages', async () => {
  expect(await readStorage()).toEqual({
    subscriptions: { fillfactor: 75, ...VACUUMED, ...ANALYSED },
    cycles: { ...VACUUMED, ...INSERTED, ...ANALYSED },
    attempts: { fillfactor: 80, ...VACUUMED, ...INSERTED, ...ANALYSED },
    events: { ...INSERTED, ...ANALYSED },
    audit_chain: { ...INSERTED, ...ANALYSED },
    notices: { fillfactor: 80, ...VACUUMED, ...ANALYSED },
    merchant_events: { ...VACUUMED, ...INSERTED, ...ANALYSED },
    webhook_deliveries: { ...VACUUMED, ...ANALYSED },
    webhook_tries: VACUUMED,
    payments: { fillfactor: 80 },
    order_sends: { fillfactor: 80 },
    webhook_queues: { fillfactor: 70, ...atRows(1_000) },
    workflow_starts: { fillfactor: 80, ...atRows(1_000) },
    back_offs: atRows(1_000),
    failed_checks: atRows(1_000),
    open_orders: atRows(1_000),
    workflow_orphans: atRows(1_000),
    idempotency_keys: atRows(5_000),
    rate_leases: atRows(500),
    sessions: atRows(500),
  });
});
