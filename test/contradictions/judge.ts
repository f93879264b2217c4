import { type CycleRecord, listCycles, type Pool } from '../../src/ledger';
import type { SubscriptionId } from '../../src/domain/ids';
import type { PaymentAccount, Sandbox } from '../../src/sandbox';
import type { ContradictedLife } from './contradicted-life';

/** How the result of one subscription differs from the expected one; a text for each difference. */
export interface Judgement {
  readonly cycles: number;
  readonly secondDebits: readonly string[];
  readonly unexpectedCycles: readonly string[];
  readonly extraItems: readonly string[];
  readonly missingItems: readonly string[];
}

/** Compares the ledger and the service's own record of captures with the table. */
export async function judge(sandbox: Sandbox, ledger: Pool, life: ContradictedLife): Promise<Judgement> {
  const { play, paymentId } = life;
  const { items } = await listCycles(ledger, play.subscriptionId as SubscriptionId, { limit: 200, cursor: null });
  const account = sandbox.payment(paymentId);
  const open = await listItems(ledger, play.subscriptionId, 'closed_real_at is null');
  const closed = await listItems(ledger, play.subscriptionId, 'closed_real_at is not null');
  const { items: expectedItems, closedItems = [] } = play.expected;
  return {
    cycles: play.expected.cycles.length,
    secondDebits: [...secondDebits(account), ...surplusRefunds(life, account)],
    unexpectedCycles: unexpectedCycles(life, items, account),
    extraItems: without(open, expectedItems),
    missingItems: [...without(expectedItems, open), ...without(closedItems, closed)],
  };
}

async function listItems(ledger: Pool, subscriptionId: string, condition: string): Promise<readonly string[]> {
  const { rows } = await ledger.query<{ item: string }>(
    `select concat_ws(':', kind, case when source in ('standing', 'order') or kind = 'contradiction' then cycle end) as item
     from attention_items where subscription_id = $1 and ${condition} order by item`,
    [subscriptionId],
  );
  return rows.map(({ item }) => item);
}

/** Attention items that concern no subscription; the campaign expects none. */
export async function otherItems(ledger: Pool): Promise<readonly string[]> {
  const { rows } = await ledger.query<{ item: string }>(
    `select concat_ws(' ', kind, ledger ->> 'state', ledger ->> 'detail', service::text) as item from attention_items
     where subscription_id is null and closed_real_at is null`,
  );
  return rows.map(({ item }) => item);
}

/** The captures of a cycle, because they move the money: a capture that is being booked counts, too. */
function debitsIn({ debits }: PaymentAccount, cycle: number): number {
  return debits.filter((each) => each.cycle === cycle && each.status !== 'failed').length;
}

function secondDebits(account: PaymentAccount): string[] {
  const cycles = [...new Set(account.debits.map(({ cycle }) => cycle))];
  return cycles.flatMap((cycle) => {
    const count = debitsIn(account, cycle ?? -1);
    return count > 1 ? Array.from({ length: count - 1 }, () => `cycle ${cycle} was debited again`) : [];
  });
}

function surplusRefunds({ play }: ContradictedLife, { refunds }: PaymentAccount): string[] {
  const ordered = play.kind.prepared.filter((each) => 'refundCents' in each).length;
  return refunds.slice(ordered).map(({ amount }) => `a refund of ${amount} cents too many`);
}

/** Whether money was debited for a cycle with this end; null: it may have been or not. */
const DEBITED: Readonly<Record<string, boolean | null>> = {
  collected: true,
  unresolved: null,
  collecting: null,
  missed: false,
  failed: false,
  skipped: false,
  none: false,
};

function unexpectedCycles(life: ContradictedLife, cycles: readonly CycleRecord[], account: PaymentAccount): string[] {
  return life.play.expected.cycles.flatMap((expected, index) => {
    const number = life.firstCycle + index;
    const cycle = cycles.find((each) => each.cycle === number);
    const status = cycle === undefined || cycle.status === 'scheduled' ? 'none' : cycle.status;
    if (status !== expected && !(expected === 'none' && status === 'skipped')) {
      return [`cycle ${number} is ${status} (${cycle?.reason ?? 'no reason'}), not ${expected}`];
    }
    const isDebited = debitsIn(account, number) > 0;
    const should = DEBITED[expected] ?? isDebited;
    return isDebited === should ? [] : [`cycle ${number} is ${status}, and ${isDebited ? 'was' : 'was not'} debited`];
  });
}

function without(items: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return items.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
