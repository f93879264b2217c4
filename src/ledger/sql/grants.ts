import { setTimeout as pause } from 'node:timers/promises';
import { escapeIdentifier } from 'pg';
import { inTransaction, type Pool } from './database';
import { type Db, readRecord, readRecords, readValue } from './statements';
import { ASK_AGAIN, SCHEMA_TURN } from './migrate';

/** What the program may do with a table, as a role that owns nothing of the ledger. */
const ALL = 'select, insert, update, delete';
/** Rows stay, and change by the rules of their guards. */
const KEPT = 'select, insert, update';

/** Of each table. One that a later migration adds is for {@link ALL} until it has its line here. */
const GRANTS: Readonly<Record<string, string>> = {
  schema_migrations: 'select',
  schema_floor: 'select',
  // What happened is for ever: of the trail, its chain and orders nothing changes but words that are removed.
  events: 'select, insert, update (data)',
  trail_chain: 'select, insert, update (words)',
  trail_head: 'select, update',
  orders: 'select, insert, update (reason)',
  changes: 'select, insert',
  attempts: KEPT,
  order_sends: KEPT,
  cycles: KEPT,
  notices: KEPT,
  attention_items: KEPT,
  // What was asked for stays as it was, and so does what a key may do, whose it is and who created it.
  approvals:
    'select, insert, update (decision, decided_by, decided_holder, decided_real_at, used_real_at, used_for), delete',
  api_keys: 'select, insert, update (expires_real_at, revoked_real_at, last_used_real_at)',
  event_sequences: KEPT,
  event_feed: 'select, update',
  event_replays: KEPT,
  webhook_tries: KEPT,
  job_items: KEPT,
  daily_looks: KEPT,
  subscription_words: KEPT,
  payment_words: KEPT,
  // Drafts go, and payers with them.
  subscriptions: ALL,
  payments: ALL,
  payers: ALL,
  open_orders: ALL,
  halt: 'select, insert, update (reason), delete',
  // Its one row stays.
  restore_guard: 'select, update (identity, accepted_real_at, noticed_identity, noticed_at, noticed_real_at, reason)',
  // Not the key under which settings are hashed.
  installation: `select, update (temporal_namespace_id, sending_since, closed_before_real, restarts_after_real,
    starts_after_real, copied_real_at, copy_waits)`,
  used_settings: 'select, insert, update (is_refused)',
  failed_checks: ALL,
  back_offs: ALL,
  workflow_orphans: ALL,
  workflow_starts: ALL,
  idempotency_keys: ALL,
  list_snapshots: ALL,
  sessions: ALL,
  jobs: ALL,
  rate_leases: ALL,
  merchant_events: ALL,
  webhook_endpoints: ALL,
  webhook_deliveries: ALL,
  webhook_queues: ALL,
  reconciliation_runs: ALL,
  reconciliation_differences: ALL,
  comparisons: ALL,
};

/** Tables that have a line of their own. */
export const GRANTED_TABLES: readonly string[] = Object.keys(GRANTS);

export type GrantResult =
  | { readonly kind: 'granted' }
  | { readonly kind: 'unknown_role' }
  /** It owns tables of the ledger, or may become who does: no grant limits it. */
  | { readonly kind: 'owner' };

/**
 * Gives a role what the program needs of the ledger, and takes any other right that it had there. To be done by the owner,
 * after each migration; done again, nothing changes. Waits while another one migrates or grants.
 */
export async function grantProgram(pool: Pool, role: string): Promise<GrantResult> {
  for (;;) {
    const result = await inTransaction(pool, (db) => grantInTurn(db, role));
    if (result !== null) return result;
    await pause(ASK_AGAIN);
  }
}

/** Null where it is another one's turn. */
async function grantInTurn(db: Db, role: string): Promise<GrantResult | null> {
  if ((await readValue<boolean>(db, `select pg_try_advisory_xact_lock(${SCHEMA_TURN})`)) !== true) return null;
  const [known] = await readRecords(db, 'select from pg_roles where rolname = $1', [role]);
  if (known === undefined) return { kind: 'unknown_role' };
  if ((await readPowers(db, role)).ownsTables) return { kind: 'owner' };
  await db.query(grantsOf(await readRelations(db), escapeIdentifier(role)));
  return { kind: 'granted' };
}

/** A table, or a view of some. */
interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
}

function readRelations(db: Db): Promise<readonly Relation[]> {
  return readRecords<Relation>(
    db,
    `select n.nspname as schema, c.relname as name, c.relkind = 'v' as is_view
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v') order by c.relname`,
  );
}

function grantsOf(relations: readonly Relation[], role: string): string {
  const [first] = relations;
  if (first === undefined) throw new Error('the ledger has no tables: they are to be migrated first');
  const schema = escapeIdentifier(first.schema);
  const grants = relations.map(({ name, isView }) => {
    const granted = isView ? 'select' : (GRANTS[name] ?? ALL);
    return `grant ${granted} on ${schema}.${escapeIdentifier(name)} to ${role}`;
  });
  return [
    `revoke all on all tables in schema ${schema} from ${role}`,
    `grant usage on schema ${schema} to ${role}`,
    `grant usage on all sequences in schema ${schema} to ${role}`,
    ...grants,
  ].join('; ');
}

/** What a role may do beyond what the program needs. */
export interface LedgerPowers {
  readonly role: string;
  /** Of any table, itself or as a member of who does; a superuser does. Who owns a table may switch its guards off. */
  readonly ownsTables: boolean;
  /** From the trail or the attempts. */
  readonly mayRemove: boolean;
}

/** @param role who is connected where none is given */
export async function readPowers(db: Db, role: string | null = null): Promise<LedgerPowers> {
  const powers = await readRecord<LedgerPowers>(
    db,
    `select r.role, exists (
         select from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
           and pg_has_role(r.role, c.relowner, 'member')
       ) as owns_tables,
       has_table_privilege(r.role, 'events', 'delete, truncate')
         or has_table_privilege(r.role, 'attempts', 'delete, truncate') as may_remove
     from (select coalesce($1, current_user)::name as role) r`,
    [role],
  );
  if (powers === null) throw new Error('PostgreSQL did not tell who is connected');
  return powers;
}

/** Who is connected, and whether that role may change the schema: it owns what is there, and may add to it. */
export async function readMigrator(db: Db): Promise<{ readonly role: string; readonly mayMigrate: boolean }> {
  const read = await readRecord<{ readonly role: string; readonly mayMigrate: boolean }>(
    db,
    `select current_user::text as role, coalesce(has_schema_privilege(current_schema(), 'create'), true) and not exists (
       select from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
         and not pg_has_role(c.relowner, 'usage')
     ) as may_migrate`,
  );
  if (read === null) throw new Error('PostgreSQL did not tell who is connected');
  return read;
}
