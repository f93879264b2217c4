import { AuditMemory } from '../../activities/collect/audit-memory';
import { type CollectInput, Debit } from '../../activities/collect/debit';
import type { Dependencies } from '../../activities';
import type { AttemptRecord } from '../../src/ledger';
import { AMOUNT, type Subscribed, type World } from './activity-world';

/** One attempt without its activity, and the earlier attempts whose outcomes it has checked. */
export async function createDebit(
  world: World,
  subscribed: Subscribed,
  changes: Partial<CollectInput> = {},
  others: Partial<Dependencies> = {},
) {
  const { deps } = world;
  const revision = await world.revision(subscribed);
  const plan = { cycle: 0, attempt: 0, amount: AMOUNT, sendBefore: subscribed.collectBy, nextDueAt: null };
  const mode = { settleOnly: false, parked: false, knownUnresolved: false };
  const input = { ...subscribed, ...plan, ...mode, revision, ...changes };
  const reopened: AttemptRecord[] = [];
  const check = async (row: AttemptRecord) => void reopened.push(row);
  return { debit: new Debit({ ...deps, ...others }, input, new AuditMemory(), check), reopened };
}

/** An attempt whose row `sending` is committed. */
export async function createStarted(
  world: World,
  subscribed: Subscribed,
  changes: Partial<CollectInput> = {},
  others: Partial<Dependencies> = {},
) {
  const { debit } = await createDebit(world, subscribed, changes, others);
  await debit.readConsent();
  const begin = await debit.begin([]);
  if (begin.kind !== 'started') throw new Error(`not started: ${begin.kind}`);
  return { debit, send: begin.send };
}
