import type { SubscriptionId } from '../domain/ids';
import { type Money, sameMoney } from '../domain/money';
import { acceptedChange, type AmountChange, judgeChange, refusalOf } from '../domain/subscription/amount-request';
import { conflict } from '../domain/subscription/requests';
import { isTerminal } from '../domain/subscription/state';
import { getSubscription, readState, type Request, steer, type SteeringRequests, type SteerResult } from '../ledger';
import { type Refused, refused } from './outcomes';
import type { TemporalDeps } from './temporal';

/**
 * Steering: decided and written in the ledger, where it takes effect immediately. Temporal is notified afterwards, without waiting;
 * a job notifies again until the workflow has acknowledged the change, see `src/jobs/watch-ledger.ts`.
 */
export interface Steering {
  /**
   * Resolves once the request has taken effect in the ledger, whether or not Temporal is available. A cancellation also waits
   * briefly for the service's confirmation.
   */
  steer<V extends keyof SteeringRequests>(verb: V, id: SubscriptionId, request: SteeringRequests[V]): Promise<Steered>;
  changeAmount(id: SubscriptionId, change: AmountChangeRequest): Promise<ChangeOutcome>;
  /** The change that would result; nothing is changed. */
  judgeAmount(id: SubscriptionId, change: AmountChangeRequest): Promise<ChangeOutcome>;
}

export type Steered = { readonly kind: 'done' } | Refused;

export type ChangeOutcome = { readonly kind: 'changed'; readonly change: AmountChange } | Refused;

/** A new amount from `fromCycle` on; if that is null, from the next cycle on. */
export interface AmountChangeRequest extends Request {
  readonly amount: Money;
  readonly fromCycle: number | null;
}

export interface SteeringDeps extends Pick<TemporalDeps, 'db' | 'answers' | 'clock' | 'increaseNotice'> {
  /** Real ms for which the caller of a cancellation waits for its confirmation by the service (rule 24). */
  readonly cancelMs: number;
  /** Notifies the workflow of the row's revision. */
  notify(id: SubscriptionId, revision: number): Promise<void>;
}

export function createSteering(deps: SteeringDeps): Steering {
  return {
    async steer(verb, id, request) {
      const result = await steerAndNotify(deps, verb, id, request);
      if (result.kind === 'refused') return refused(result.refusal);
      if (verb === 'cancel') await untilEnded(deps, id);
      return { kind: 'done' };
    },
    changeAmount: (id, change) => changeAmount(deps, id, change),
    judgeAmount: (id, change) => judgeAmount(deps, id, change),
  };
}

async function steerAndNotify<V extends keyof SteeringRequests>(
  deps: SteeringDeps,
  verb: V,
  id: SubscriptionId,
  request: SteeringRequests[V],
): Promise<SteerResult> {
  const { db, clock } = deps;
  const result = await steer(db, verb, id, request, { at: clock.now(), realAt: clock.realNow() });
  if (result.kind === 'steered') {
    const { revision, other } = result;
    notifyQuietly(deps, id, revision);
    if (other !== undefined) notifyQuietly(deps, other.subscriptionId, other.revision);
  }
  return result;
}

/** If the workflow cannot be reached now, the job notifies it. */
function notifyQuietly(deps: SteeringDeps, id: SubscriptionId, revision: number): void {
  deps.notify(id, revision).catch(() => undefined);
}

/** The cancellation has taken effect; the caller waits briefly for its confirmation by the service. */
async function untilEnded({ db, answers, cancelMs }: SteeringDeps, id: SubscriptionId): Promise<void> {
  await answers.wait(
    `subscription/${id}`,
    () => getSubscription(db, id),
    (subscription) => subscription === null || isTerminal(subscription.status),
    performance.now() + cancelMs,
  );
}

async function changeAmount(
  deps: SteeringDeps,
  id: SubscriptionId,
  wanted: AmountChangeRequest,
): Promise<ChangeOutcome> {
  const request = { ...wanted, announceAhead: deps.increaseNotice };
  const result = await steerAndNotify(deps, 'change_amount', id, request);
  if (result.kind === 'refused') return refused(result.refusal);
  // Written by an earlier call whose response was lost: the result is read from the row.
  const change = (result.kind === 'steered' ? result.change : undefined) ?? (await findPending(deps, id, wanted));
  if (change === null) return refused(conflict('the change was accepted before and is no longer pending'));
  return { kind: 'changed', change };
}

/** Null if the change is no longer pending: another one may have replaced it. */
async function findPending(
  { db, clock }: SteeringDeps,
  id: SubscriptionId,
  { amount, fromCycle }: AmountChangeRequest,
): Promise<AmountChange | null> {
  const pending = acceptedChange(await readState(db, id, clock.now()));
  if (pending === null || !sameMoney(pending.amount, amount)) return null;
  return fromCycle === null || fromCycle === pending.fromCycle ? pending : null;
}

async function judgeAmount(
  { db, clock, increaseNotice }: SteeringDeps,
  id: SubscriptionId,
  { amount, fromCycle }: AmountChangeRequest,
): Promise<ChangeOutcome> {
  const state = await readState(db, id, clock.now());
  const judgement = judgeChange(state, { amount, fromCycle, announceAhead: increaseNotice });
  return judgement.kind === 'allowed' ? { kind: 'changed', change: judgement.change } : refused(refusalOf(judgement));
}
