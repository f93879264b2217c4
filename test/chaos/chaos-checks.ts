import { listCycles } from '../../src/ledger';
import type { World } from '../activities/activity-world';
import { debitedTwice, ledgerDiffers, outsideOfWindow, refusedNeedlessly } from './account-checks';
import type { ChaosLife } from './chaos-life';
import { type ChaosPlan, collectsEveryDate } from './chaos-plan';

/** What one seed has come to; words for each thing that must never be. */
export interface Verdict {
  readonly doubleDebits: readonly string[];
  readonly lostDates: readonly string[];
  readonly broken: readonly string[];
}

/** Holds the service's own record against what was promised, and the ledger against it. */
export async function judge(world: World, life: ChaosLife, plan: ChaosPlan): Promise<Verdict> {
  const { subscribed, lived } = life;
  const lostDates = collectsEveryDate(plan.wallet)
    ? lived
        .filter(({ ended }) => ended !== 'collected')
        .map((each) => `cycle ${each.cycle}: ${each.ended}, ${each.reason}`)
    : [];
  const doubleDebits = debitedTwice(world.sandbox.payment(subscribed.paymentId));
  return { doubleDebits, lostDates, broken: await brokenInvariants(world, life, plan) };
}

async function brokenInvariants(world: World, { subscribed, lived }: ChaosLife, plan: ChaosPlan): Promise<string[]> {
  const account = world.sandbox.payment(subscribed.paymentId);
  const { items } = await listCycles(world.deps.ledger, subscribed.subscriptionId, { limit: 200, cursor: null });
  const attempts = items.flatMap((cycle) => cycle.attempts);
  return [
    ...ledgerDiffers(account, attempts),
    ...outsideOfWindow(account),
    ...refusedNeedlessly(world.sandbox, account),
    ...(lived.length === plan.cycles ? [] : [`${plan.cycles} cycles were due and ${lived.length} came to an end`]),
  ];
}
