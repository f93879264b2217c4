import { type CycleRecord, listCycles, type Pool } from '../../src/ledger';
import type { PaymentAccount } from '../../src/sandbox';
import type { World } from '../activities/activity-world';
import { debitedTwice, outsideOfWindow } from './account-checks';
import type { Verdict } from './chaos-checks';
import type { ChaosLife } from './chaos-life';
import { paidTwice } from './chaos-link';
import type { PlannedContradiction } from './chaos-contradictions';

/** States of an attempt whose debit is still open, for an operator or for a later answer of the service. */
const OPEN = ['sending', 'pending', 'unknown', 'unresolved'];

/**
 * Judges a life at a service that contradicts itself: whatever the service says, its own record of captures shows no cycle debited
 * twice. A debit that the ledger does not have as collected is open in the ledger, or an item reports it. Every cycle that the
 * ledger has as collected was debited.
 */
export async function judgeContradicted(world: World, chaos: ChaosLife): Promise<Verdict> {
  const { subscriptionId, paymentId } = chaos.life.subscribed;
  const { ledger } = world.deps;
  const account = world.sandbox.payment(paymentId);
  const { items: cycles } = await listCycles(ledger, subscriptionId, { limit: 200, cursor: null });
  // A result that the workflow would hand to an operator.
  const waits = chaos.operatorNeeded === null ? [] : [chaos.operatorNeeded];
  const items = [...(await openItems(ledger, subscriptionId)), ...waits];
  const numbers = [...new Set([...account.debits, ...cycles].map(({ cycle }) => cycle))];
  return {
    doubleDebits: [...debitedTwice(account), ...paidTwice(world, chaos.life.subscribed, chaos.link, items)],
    lostDates: [],
    broken: [
      ...outsideOfWindow(ours(account, cycles)),
      ...numbers.flatMap((number) => judgeCycle(number, account, cycles, items)),
    ],
  };
}

/** Checks, in addition to those of every other seed, that nothing waits for an operator. */
export async function judgeHarmless(
  world: World,
  { life, operatorNeeded }: ChaosLife,
  { isHarmless }: PlannedContradiction,
): Promise<string[]> {
  if (!isHarmless) return [];
  const items = await openItems(world.deps.ledger, life.subscribed.subscriptionId);
  const waits = operatorNeeded === null ? [] : [`an operator is needed: ${operatorNeeded}`];
  return [...items.map((item) => `an item is open: ${item}`), ...waits];
}

function judgeCycle(
  number: number | null,
  account: PaymentAccount,
  cycles: readonly CycleRecord[],
  items: readonly string[],
): string[] {
  const debit = account.debits.find(({ cycle, status }) => cycle === number && status === 'successful');
  const cycle = cycles.find((each) => each.cycle === number);
  const isCollected = cycle?.status === 'collected';
  if (isCollected && debit === undefined) return [`cycle ${number} is collected, and nothing was debited`];
  if (isCollected || debit === undefined) return [];
  const isOpen = cycle?.attempts.some(({ state }) => OPEN.includes(state)) === true;
  if (isOpen || items.length > 0) return [];
  return [`cycle ${number} was debited, is ${cycle?.status ?? 'not in the ledger'}, and nothing says so`];
}

/** Authorizations that dueday made: those of another system may lie outside of any window. */
function ours(account: PaymentAccount, cycles: readonly CycleRecord[]): PaymentAccount {
  const known = new Set(cycles.flatMap(({ attempts }) => attempts.filter(({ adopted }) => !adopted).map(idOf)));
  return { ...account, authorizations: account.authorizations.filter((each) => known.has(each.authorizationId)) };
}

function idOf({ authorizationId }: { readonly authorizationId: string | null }): string | null {
  return authorizationId;
}

async function openItems(ledger: Pool, subscriptionId: string): Promise<readonly string[]> {
  const { rows } = await ledger.query<{ kind: string }>(
    'select kind from attention_items where subscription_id = $1 and closed_real_at is null',
    [subscriptionId],
  );
  return rows.map(({ kind }) => kind);
}
