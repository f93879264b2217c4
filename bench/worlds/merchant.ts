import type { Pool } from '../../src/ledger';
import { NOW } from '../../test/ledger/ledger-fixture';
import { fillLedger } from '../../test/ledger/volume';
import { vacuumAll } from './vacuum';
import { closeWorld, openWorld, type Stops, type World } from './world';

const DAYS_OF_CREATING = 30;
const MINUTES_PER_DAY = 1_440;
/** Audit entries per subscription. */
const ENTRIES = 5;

/** A world with a filled ledger, kept until the end of the run: filling it with a million subscriptions takes minutes. */
let kept: { readonly subscriptions: number; readonly world: World } | null = null;
const stops: Stops = [];

/** A world whose ledger has this many subscriptions; it is reused if an earlier row of this run has filled one. */
export async function merchantOf(subscriptions: number, say: (line: string) => void): Promise<World> {
  if (kept?.subscriptions === subscriptions) return kept.world;
  await closeMerchant();
  // The filled ledger's rows are dated relative to NOW.
  const world = await openWorld({ virtualStart: NOW, realStart: Date.now(), speed: 1 }, stops);
  const startedAt = performance.now();
  await fillMerchant(world.ledger, subscriptions);
  // A real ledger was filled over the years; here too, no vacuum of the whole ledger must run while something is measured.
  await vacuumAll(world.databaseUrl);
  say(`filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  kept = { subscriptions, world };
  return world;
}

export async function closeMerchant(): Promise<void> {
  kept = null;
  await closeWorld(stops);
}

/**
 * Fills a merchant's ledger. Each subscription was created in the month before last and has had two cycles, nearly all of
 * them collected, the second in the last thirty days, so that a thirtieth of the subscriptions is due every day. One in
 * 400 waits for a retry, one in 500 for an operator.
 */
export async function fillMerchant(ledger: Pool, subscriptions: number): Promise<void> {
  await fillLedger(ledger, {
    subscriptions,
    payments: Math.ceil(subscriptions / 50),
    createdEvery: (DAYS_OF_CREATING * MINUTES_PER_DAY) / subscriptions,
    newest: DAYS_OF_CREATING,
    entries: ENTRIES,
  });
  await ledger.query(
    `insert into attention_items (item_id, source, kind, subscription_id, cycle, amount, since)
     select attention_id(format('subscription/%s/capture_failed:1', subscription_id)), 'standing', 'capture_failed',
       subscription_id, 1, amount, created_at
     from subscriptions where needs_attention`,
  );
  // A real ledger's audit log has been chained over the years; here too, no chaining must run while a page is measured.
  await ledger.query('update audit_head set settled = (select max(id) from events)');
}
