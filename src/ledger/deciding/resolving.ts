import { conflict, type Refusal, refuseResolve } from '../../domain/subscription/requests';
import { planToSettle } from '../../domain/subscription/next-step';
import { type CollectPlan, isTerminal, type SubscriptionState } from '../../domain/subscription/state';
import { nextDueAt } from '../../domain/subscription/transitions';
import type { Actor } from '../../domain/audit/event';
import { isResolvedAlike, type Resolution, resolveAttempt, type TakenId } from './resolutions';
import { resultOf } from '../rows/attempt';
import type { Db } from '../sql/statements';
import { followOutcome } from './outcome';
import type { SteerMoment } from './verbs';

/** An operator's resolution of an attempt whose outcome the service does not show. `actor` has checked the evidence. */
export interface ResolveRequest extends Actor {
  readonly cycle: number;
  readonly outcome: 'collected' | 'failed';
  readonly evidence: string;
  readonly authorizationId: string | null;
  readonly captureId: string | null;
  readonly requestId?: string;
}

export type ResolveOutcome =
  | { readonly kind: 'resolved' | 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Writes the outcome that the operator gives, with all its consequences (rule 18). Requires the lock of the row. */
export async function resolveOutcome(
  db: Db,
  before: SubscriptionState,
  request: ResolveRequest,
  { at, realAt }: SteerMoment,
): Promise<ResolveOutcome> {
  const { subscriptionId } = before.terms;
  const { paymentId } = before;
  if (await isResolvedAlike(db, { ...request, subscriptionId })) return { kind: 'unchanged' };
  const plan = planToSettle(before, request.cycle, at);
  const refusal = refuseResolve(before, request.cycle);
  if (refusal !== null) return { kind: 'refused', refusal };
  if (plan === null || paymentId === null) throw new Error(`cycle ${request.cycle} has nothing to resolve`);
  const { cycle, attempt, amount, dueAt } = plan;
  const about = { subscriptionId, paymentId, cycle, attempt, amount, dueAt, at, realAt };
  const resolution: Resolution = { ...request, ...about, nextDueAt: nextAfter(before, plan) };
  const result = await resolveAttempt(db, resolution);
  if (result.kind !== 'resolved') return { kind: 'refused', refusal: refusalOf(plan, result) };
  await followOutcome(db, before, plan, resultOf(result.attempt), at);
  return { kind: 'resolved' };
}

/** The next due date after the resolution. For an attempt that is followed in parallel, later cycles have already moved it on. */
function nextAfter(before: SubscriptionState, plan: CollectPlan) {
  if (isTerminal(before.status)) return null;
  return plan.parked ? nextDueAt(before) : plan.nextDueAt;
}

function refusalOf(
  { cycle, attempt }: CollectPlan,
  result: { readonly kind: 'settled' } | { readonly kind: 'taken'; readonly taken: TakenId },
): Refusal {
  if (result.kind === 'settled') return conflict('the service has reported the outcome meanwhile');
  const { field, given, ...other } = result.taken;
  const whose = `${field} ${given} belongs to cycle ${other.cycle}, attempt ${other.attempt}`;
  return conflict(
    `${whose}; expected one that no other attempt of the payment has, for cycle ${cycle}, attempt ${attempt}`,
  );
}
