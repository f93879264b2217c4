import type { Pool } from 'pg';
import { haveOneCause } from '../../domain/findings';
import type { Instant } from '../../domain/time';
import { inTransaction } from '../sql/database';
import { type Db, readRecord, readRecords, readValue } from '../sql/statements';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';
import { endItem, openItem } from '../rows/attention-item';

/** Smaller groups are never formed. */
const MIN_SUBSCRIPTIONS = 5;

/** The reason why the subscription of an open item waits; null for items that are never grouped. */
const REASON = `case
  when i.source = 'difference' then 'different/' || i.kind
  when i.kind = 'orphaned' then 'orphaned'
  when i.kind = 'overdue' then 'overdue/' || coalesce(i.ledger ->> 'state', '')
  when i.kind = 'unresolved' and i.source = 'standing' then 'unresolved'
end`;

const OPEN_ITEMS = `attention_items i where i.closed_real_at is null and i.subscription_id is not null and (
  i.source = 'difference' or i.kind in ('orphaned', 'overdue', 'unresolved')
)`;

/** Counts by reason; workflows that wait for a restart count as orphaned too. */
const AFFECTED = `
  select reason, count(distinct subscription_id)::integer as affected from (
    select ${REASON} as reason, i.subscription_id from ${OPEN_ITEMS}
    union all
    select 'orphaned', subject_id from workflow_orphans where waits and kind = 'subscription'
  ) as all_items where reason is not null group by reason having count(distinct subscription_id) >= ${MIN_SUBSCRIPTIONS}`;

interface Affected {
  readonly reason: string;
  readonly affected: number;
}

/** Advisory lock; a process that does not get it skips grouping. "dued" in ASCII, and a number unique to this lock. */
const GROUPING = '1685415268, 7';

/**
 * Creates one `installation` item for many subscriptions that wait for the same reason: their items are folded into it, and
 * listed again once they are fewer. Idempotent.
 */
export async function groupItems(pool: Pool, at: Instant): Promise<void> {
  await inTransaction(pool, async (db) => {
    if ((await readValue<boolean>(db, `select pg_try_advisory_xact_lock(${GROUPING})`)) !== true) return;
    const affected = await readRecords<Affected>(db, AFFECTED);
    const most = Math.max(0, ...affected.map((each) => each.affected));
    const live = most === 0 ? 0 : await countLive(db, most);
    const groups = affected.filter((each) => haveOneCause(each.affected, live));
    await unfold(
      db,
      groups.map(({ reason }) => keyOf(reason)),
    );
    for (const group of groups) await fold(db, group, live, at);
  });
}

const keyOf = (reason: string) => `installation/${reason}`;

/** Whether so many workflows are missing that they are restarted at a limited rate, earliest due date first (rule 44). */
export async function areManyOrphaned(db: Db): Promise<boolean> {
  const open = await readValue<boolean>(
    db,
    `select true from attention_items
     where source = 'installation' and kind = 'installation' and closed_real_at is null and ledger ->> 'state' = 'orphaned'`,
  );
  return open === true;
}

/** Counts only as many as are needed to decide about a share of one percent: for five affected ones, no more than 500. */
async function countLive(db: Db, affected: number): Promise<number> {
  const live = await readValue<number>(
    db,
    `select count(*)::integer from (
       select from subscriptions where status ${IS_LIVE_SUBSCRIPTION} limit $1
     ) as live`,
    [100 * affected],
  );
  return live ?? 0;
}

/** Groups that no longer exist: their item ends, and their remaining items are listed again. */
async function unfold(db: Db, keys: readonly string[]): Promise<void> {
  const over = await readRecords<{ readonly key: string }>(
    db,
    `select 'installation/' || (ledger ->> 'state') as key from attention_items
     where source = 'installation' and kind = 'installation' and closed_real_at is null
       and 'installation/' || (ledger ->> 'state') <> all ($1)`,
    [keys],
  );
  for (const { key } of over) await endItem(db, key);
  await db.query(
    'update attention_items set folded_into = null where folded_into is not null and closed_real_at is null and folded_into <> all ($1)',
    [keys],
  );
}

async function fold(db: Db, { reason, affected }: Affected, live: number, at: Instant): Promise<void> {
  const key = keyOf(reason);
  const progress = reason === 'orphaned' ? await restartProgress(db) : '';
  const share = live >= 100 * affected ? '' : ` of ${live} live`;
  const detail = `${affected}${share} subscriptions ${describe(reason)}.${progress} Check first: ${firstChecks(reason)}`;
  await openItem(db, { key, source: 'installation', kind: 'installation', ledger: { state: reason, detail } }, at);
  await db.query(
    `update attention_items i set folded_into = $1
     from (select i.item_id from ${OPEN_ITEMS} and i.folded_into is distinct from $1 and ${REASON} = $2) as single
     where i.item_id = single.item_id`,
    [key, reason],
  );
}

async function restartProgress(db: Db): Promise<string> {
  const progress = await readRecord<{ readonly waits: number; readonly restarted: number }>(
    db,
    `select count(*) filter (where waits)::integer as waits,
       count(*) filter (where not waits and cardinality(restarted_real_at) > 0)::integer as restarted
     from workflow_orphans`,
  );
  return progress === null
    ? ''
    : ` ${progress.restarted} restarted within a day, ${progress.waits} are waiting to be restarted.`;
}

function describe(reason: string): string {
  const [kind = reason, detail = ''] = reason.split('/');
  const words = detail.replaceAll('_', ' ');
  switch (kind) {
    case 'orphaned':
      return 'have no running workflow';
    case 'overdue':
      return `are overdue (${words})`;
    case 'different':
      return `differ between the ledger and the payment service (${words})`;
    default:
      return 'have an unresolved cycle';
  }
}

/** The most likely causes. */
function firstChecks(reason: string): string {
  const [kind = reason] = reason.split('/');
  switch (kind) {
    case 'orphaned':
      return 'that Temporal was not replaced or restored (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE), and that no one terminates workflows; they are restarted automatically.';
    case 'overdue':
      return 'that a worker of the current release runs (dueday doctor, dueday versions list), that Temporal and the payment service answer, and that PAYMENT_SERVICE_MAX_RPS is high enough.';
    case 'different':
      return 'that the ledger was not restored (dueday halt show), and that no other program uses the same credentials.';
    default:
      return "the payment service's own status, and whether its lists are complete.";
  }
}
