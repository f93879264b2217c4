import { listCycles } from '../../src/ledger';
import type { PaymentAccount } from '../../src/sandbox';
import type { World } from '../activities/activity-world';
import { debitedTwice, ledgerDiffers, outsideOfWindow, refusedNeedlessly } from './account-checks';
import type { ChaosLife } from './chaos-life';
import { type ChaosPlan, collectsEveryDate } from './chaos-plan';
import { heldAgainst } from '../lives/orders';
import { authorizedOf } from '../lives/amounts';
import { isTold, wrongAmounts } from '../lives/owed';

/** The result of one seed: a text for each broken promise. */
export interface Verdict {
  readonly doubleDebits: readonly string[];
  readonly lostDates: readonly string[];
  readonly broken: readonly string[];
  /** Kinds of contradiction that occurred. */
  readonly met?: readonly string[];
}

/** Compares the service's own record with what was promised, and the ledger with that record. */
export async function judge(world: World, life: ChaosLife, plan: ChaosPlan): Promise<Verdict> {
  const { subscribed, lived } = life.life;
  const lostDates = collectsEveryDate(plan.wallet)
    ? lived
        .filter(({ ended }) => ended !== 'collected')
        .map((each) => `cycle ${each.cycle}: ${each.ended}, ${each.reason}`)
    : [];
  const doubleDebits = debitedTwice(world.sandbox.payment(subscribed.paymentId));
  return { doubleDebits, lostDates, broken: await brokenInvariants(world, life, plan) };
}

async function brokenInvariants(world: World, chaos: ChaosLife, plan: ChaosPlan): Promise<string[]> {
  const { subscribed, lived } = chaos.life;
  const account = world.sandbox.payment(subscribed.paymentId);
  const { items } = await listCycles(world.deps.ledger, subscribed.subscriptionId, { limit: 200, cursor: null });
  const attempts = items.flatMap((cycle) => cycle.attempts);
  return [
    ...ledgerDiffers(account, attempts),
    ...outsideOfWindow(account),
    ...refusedNeedlessly(world.sandbox, account),
    ...amountsDiffer(chaos, account),
    ...refundsDiffer(chaos, account),
    ...chaos.strange,
    ...(lived.length === plan.cycles ? [] : [`${plan.cycles} cycles were due and ${lived.length} came to an end`]),
  ];
}

function amountsDiffer({ terms, requests, life }: ChaosLife, account: PaymentAccount): string[] {
  const reported = { told: life.told, outages: [] };
  const authorizations = authorizedOf(account);
  return wrongAmounts({ terms, requests, authorizations, isTold: (change, at) => isTold(terms, reported, change, at) });
}

function refundsDiffer({ refunds }: ChaosLife, account: PaymentAccount): string[] {
  const made = account.refunds.filter(({ result }) => result !== 'failed');
  const { tooMany, lacking } = heldAgainst(
    refunds,
    made.map(({ captureId, amount }) => ({ captureId, cents: amount })),
  );
  return [
    ...tooMany.map(({ captureId, cents }) => `a refund of ${cents} cents of ${captureId} too many`),
    ...lacking.map(({ captureId, cents }) => `a refund of ${cents} cents of ${captureId} was not made`),
  ];
}
