import { setTimeout as pause } from 'node:timers/promises';
import { escapeIdentifier } from 'pg';
import { inTransaction, type Pool } from './database';
import { type Db, readRecord, readRecords, readValue } from './statements';
import { LOCK_RETRY_MS, SCHEMA_LOCK } from './migrate';

/** The most that the program may do with a table, as a role that does not own the ledger. */
const ALL = 'select, insert, update, delete';
/** Rows are deleted only by the cascade of a foreign key, and change only as their guards allow. */
const NEVER_DELETED = 'select, insert, update';

/** The privileges for each table. A table of a later migration gets {@link ALL} until it has a line here. */
const GRANTS: Readonly<Record<string, string>> = {
  schema_migrations: 'select',
  schema_floor: 'select',
  // What happened is permanent: in the audit log, its chain and orders, nothing changes except texts that are removed.
  events: 'select, insert, update (data)',
  audit_chain: 'select, insert, update (words)',
  audit_head: 'select, update',
  orders: 'select, insert, update (reason)',
  changes: 'select, insert',
  attempts: NEVER_DELETED,
  order_sends: NEVER_DELETED,
  cycles: NEVER_DELETED,
  collection_sums: NEVER_DELETED,
  collection_changes: ALL,
  notices: NEVER_DELETED,
  attention_items: NEVER_DELETED,
  // What was requested does not change, nor does what a key may do, its owner and its creator.
  approvals:
    'select, insert, update (decision, decided_by, decided_holder, decided_real_at, used_real_at, used_for), delete',
  api_keys: 'select, insert, update (expires_real_at, revoked_real_at, last_used_real_at)',
  event_sequences: NEVER_DELETED,
  event_feed: 'select, update',
  event_replays: NEVER_DELETED,
  webhook_tries: NEVER_DELETED,
  job_items: NEVER_DELETED,
  daily_checks: NEVER_DELETED,
  subscription_words: NEVER_DELETED,
  payment_words: NEVER_DELETED,
  // Removed with the draft of its payment.
  payment_links: NEVER_DELETED,
  // Drafts are deleted, and their payers with them.
  subscriptions: ALL,
  payments: ALL,
  payers: ALL,
  open_orders: ALL,
  halt: 'select, insert, update (reason), delete',
  // Which subscriptions a hold stops, and until when, does not change: only its end is written.
  holds: `select, insert, update (filter, reason, ended_at, lifted_by, lifted_key_id,
    is_released, first_window_lost_at, windows_lost, losses_read_at), delete`,
  held_subscriptions: 'select, insert',
  // Its single row is never deleted.
  restore_guard: 'select, update (identity, accepted_real_at, noticed_identity, noticed_at, noticed_real_at, reason)',
  // Excludes the key under which settings are hashed.
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

/** Tables with a line in {@link GRANTS}. */
export const GRANTED_TABLES: readonly string[] = Object.keys(GRANTS);

export type GrantResult =
  | { readonly kind: 'granted' }
  | { readonly kind: 'unknown_role' }
  /** The role owns tables of the ledger, or is a member of a role that does: no grant limits it. */
  | { readonly kind: 'owner' };

/**
 * Grants a role what the program needs of the ledger, and revokes any other right on its tables. The owner must run it
 * after each migration; running it again changes nothing. Waits while another process migrates or grants.
 */
export async function grantProgram(pool: Pool, role: string): Promise<GrantResult> {
  for (;;) {
    const result = await inTransaction(pool, (db) => tryGrant(db, role));
    if (result !== null) return result;
    await pause(LOCK_RETRY_MS);
  }
}

/** Null if another process holds the lock. */
async function tryGrant(db: Db, role: string): Promise<GrantResult | null> {
  if ((await readValue<boolean>(db, `select pg_try_advisory_xact_lock(${SCHEMA_LOCK})`)) !== true) return null;
  const [known] = await readRecords(db, 'select from pg_roles where rolname = $1', [role]);
  if (known === undefined) return { kind: 'unknown_role' };
  if ((await readPowers(db, role)).ownsTables) return { kind: 'owner' };
  await db.query(grantsOf(await readRelations(db), escapeIdentifier(role)));
  return { kind: 'granted' };
}

/** A table or a view. */
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
  if (first === undefined) throw new Error('the ledger has no tables: run the migrations first');
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
  /** Owns any table, directly or through a role that it is a member of; a superuser does. An owner can disable guards. */
  readonly ownsTables: boolean;
  /** May delete from the audit log or the attempts. */
  readonly mayRemove: boolean;
}

/** @param role the connected role if null */
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
  if (powers === null) throw new Error('PostgreSQL did not return the current role');
  return powers;
}

/** The connected role, and whether it may change the schema: it owns every table, and may create others. */
export async function readMigrator(db: Db): Promise<{ readonly role: string; readonly mayMigrate: boolean }> {
  const read = await readRecord<{ readonly role: string; readonly mayMigrate: boolean }>(
    db,
    `select current_user::text as role, coalesce(has_schema_privilege(current_schema(), 'create'), true) and not exists (
       select from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
         and not pg_has_role(c.relowner, 'usage')
     ) as may_migrate`,
  );
  if (read === null) throw new Error('PostgreSQL did not return the current role');
  return read;
}
