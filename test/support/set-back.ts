import type { SubscriptionId } from '../../src/domain/ids';
import type { Db, Pool } from '../../src/ledger';

/** The rows of one subscription that are restored. */
interface Backup {
  readonly subscriptions: unknown;
  readonly cycles: unknown;
  readonly attempts: unknown;
  /** Id of the newest audit entry. */
  readonly entry: number;
}

export async function backUp(ledger: Pool, subscriptionId: SubscriptionId): Promise<Backup> {
  const { rows } = await ledger.query<Backup>(
    `select jsonb_build_array(s) as subscriptions,
       (select coalesce(jsonb_agg(c), '[]') from cycles c where c.subscription_id = s.subscription_id) as cycles,
       (select coalesce(jsonb_agg(a), '[]') from attempts a where a.subscription_id = s.subscription_id) as attempts,
       (select max(id) from events) as entry
     from subscriptions s where s.subscription_id = $1`,
    [subscriptionId],
  );
  return rows[0]!;
}

/**
 * Restores the ledger's rows of the subscription, as a disk snapshot would: the identity of the database stays the
 * same.
 */
export async function setBack(ledger: Pool, subscriptionId: SubscriptionId, backup: Backup): Promise<void> {
  const client = await ledger.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    for (const table of ['attempts', 'cycles', 'subscriptions']) {
      await client.query(`delete from ${table} where subscription_id = $1`, [subscriptionId]);
    }
    await client.query('delete from events where id > $1', [backup.entry]);
    for (const table of ['subscriptions', 'cycles', 'attempts'] as const) await put(client, table, backup[table]);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Inserts the rows; PostgreSQL computes generated columns. */
async function put(client: Db, table: string, rows: unknown): Promise<void> {
  const found = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_name = $1 and table_schema = current_schema() and is_generated = 'NEVER'`,
    [table],
  );
  const { columns } = found.rows[0]!;
  await client.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}
