import type { Pool } from '../../src/ledger';
import { NOW } from '../../test/ledger/ledger-fixture';
import { fillLedger } from '../../test/ledger/volume';
import { closeWorld, openWorld, type Stops, type World } from './world';

const DAYS_OF_CREATING = 30;
const MINUTES_OF_A_DAY = 1_440;
/** Audit entries of each subscription. */
const ENTRIES = 5;

/** The world of a ledger that is filled, for as long as the run lasts: filling a million takes minutes. */
let kept: { readonly subscriptions: number; readonly world: World } | null = null;
const stops: Stops = [];

/** A world with a merchant's ledger of so many: the one that an earlier row of this run has filled, where there is one. */
export async function merchantOf(subscriptions: number, say: (line: string) => void): Promise<World> {
  if (kept?.subscriptions === subscriptions) return kept.world;
  await closeMerchant();
  // Business time continues from that of the filled ledger.
  const world = await openWorld({ virtualStart: NOW, realStart: Date.now(), speed: 1 }, stops);
  const startedAt = performance.now();
  await fillMerchant(world.ledger, subscriptions);
  say(`filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  kept = { subscriptions, world };
  return world;
}

export async function closeMerchant(): Promise<void> {
  kept = null;
  await closeWorld(stops);
}

/**
 * A merchant's ledger: each subscription was created in the month before last and collected twice, once in the last thirty
 * days, so that every day a thirtieth of them is due. One of 400 waits for a retry, one of 500 for a person.
 */
export async function fillMerchant(ledger: Pool, subscriptions: number): Promise<void> {
  await fillLedger(ledger, {
    subscriptions,
    payments: Math.ceil(subscriptions / 50),
    createdEvery: (DAYS_OF_CREATING * MINUTES_OF_A_DAY) / subscriptions,
    newest: DAYS_OF_CREATING,
    entries: ENTRIES,
  });
  await ledger.query(
    `insert into attention_items (item_id, source, kind, subscription_id, cycle, amount, since)
     select attention_id(format('subscription/%s/capture_failed:1', subscription_id)), 'standing', 'capture_failed',
       subscription_id, 1, amount, created_at
     from subscriptions where needs_attention`,
  );
  // The chain of the audit log was written over the years: nothing of it remains to be done while a page is displayed.
  await ledger.query('update audit_head set settled = (select max(id) from events)');
}
