import { COLLECTION_WINDOW } from '../../src/domain/collection-window';
import { listCycles } from '../../src/ledger';
import type { World } from '../activities/activity-world';
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
  const debits = world.debits(subscribed);
  const cycles = debits.map(({ cycle }) => cycle);
  const doubleDebits = cycles
    .filter((cycle, index) => cycles.indexOf(cycle) !== index)
    .map((cycle) => `cycle ${cycle}`);
  const lostDates = collectsEveryDate(plan.wallet)
    ? lived
        .filter(({ ended }) => ended !== 'collected')
        .map((each) => `cycle ${each.cycle}: ${each.ended}, ${each.reason}`)
    : [];
  return { doubleDebits, lostDates, broken: await brokenInvariants(world, life, plan) };
}

async function brokenInvariants(world: World, { subscribed, lived }: ChaosLife, plan: ChaosPlan): Promise<string[]> {
  const atService = world.sandbox.payment(subscribed.paymentId);
  const debits = world.debits(subscribed).map(({ authorizationId, captureId }) => `${authorizationId} ${captureId}`);
  const { items } = await listCycles(world.deps.ledger, subscribed.subscriptionId, { limit: 200, cursor: null });
  const attempts = items.flatMap((cycle) => cycle.attempts);
  const won = attempts.filter(({ state }) => state === 'successful');
  const open = attempts.filter(({ state }) => ['sending', 'pending', 'unknown', 'unresolved'].includes(state));
  const ledger = won.map(({ authorizationId, captureId }) => `${authorizationId} ${captureId}`);
  const late = atService.authorizations.filter(({ createdAt, scheduledAt }) => {
    const after = Date.parse(createdAt) - Date.parse(scheduledAt ?? createdAt);
    return after < 0 || after >= COLLECTION_WINDOW;
  });
  const refusals = world.sandbox
    .refusals()
    .filter(({ paymentId, detail }) => paymentId === subscribed.paymentId && isNeedless(detail));
  return [
    ...(sorted(debits) === sorted(ledger) ? [] : [`debits ${sorted(debits)}, ledger ${sorted(ledger)}`]),
    ...open.map((each) => `cycle ${each.cycle} is left ${each.state}`),
    ...late.map(({ authorizationId, createdAt }) => `${authorizationId} made outside of its window, at ${createdAt}`),
    ...refusals.map(({ detail }) => `the service had to refuse: ${detail}`),
    ...(lived.length === plan.cycles ? [] : [`${plan.cycles} cycles were due and ${lived.length} came to an end`]),
  ];
}

/** The limits that dueday keeps itself; a bank's word and an ordered fault are none. */
function isNeedless(detail: string): boolean {
  return ['INTERVAL_NOT_MATCHED', 'RETRY_NOT_ALLOWED', 'AMOUNT_NOT_ALLOWED', 'CONSENT_NOT_VALID'].includes(detail);
}

function sorted(texts: readonly string[]): string {
  return [...texts].sort().join(', ');
}
