import { randomUUID } from 'node:crypto';
import type { LedgerChange } from '../contract/activities';
import { type Request, SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import { PAYMENT_WORKFLOW, type PaymentState } from '../contract/payments';
import { patchBetween, project } from '../contract/projection';
import { subscriptionWorkflowId } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { isSettled } from '../domain/payment/payment';
import { nextStep } from '../domain/subscription/next-step';
import { ORPHANED, withoutAttentionItem } from '../domain/subscription/pauses';
import { conflict } from '../domain/subscription/requests';
import { restoreState, toldBySuccessors } from '../domain/subscription/restored-state';
import type { SubscriptionState } from '../domain/subscription/state';
import { toIso } from '../domain/time';
import { actorOf } from '../domain/trail/event';
import {
  applyChange,
  readFacts,
  readSuccessors,
  insertEvent,
  type PaymentRecord,
  readPaymentMemory,
  unmarkOrphaned,
} from '../ledger';
import { refused, type SteerOutcome } from './outcomes';
import { isRunning, paymentStart, subscriptionStart, unlessRunning } from './starts';
import { frozenFor } from './subscription-start';
import { answered, patienceOf, type TemporalGatewayDeps, withPatience } from './temporal';

/**
 * Begins a subscription's workflow anew from the ledger, frozen retry policy, spread and pauses included: what is
 * collected there or in doubt is not sent again (rule 30).
 */
export async function restartSubscription(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  request: Request,
): Promise<SteerOutcome> {
  return answered(async () => {
    const { steerMs } = patienceOf(deps);
    if (await withPatience(deps, steerMs, () => isRunning(deps.client, subscriptionWorkflowId(id)))) return RUNS;
    const now = deps.clock.now();
    const facts = await readFacts(deps.db, id, frozenFor(deps, id));
    if (facts === null) return refused(conflict('its consent has not been requested yet'));
    const before = restoreState(facts, now);
    const told = toldBySuccessors(before, await readSuccessors(deps.db, id), now);
    const state = withoutAttentionItem(told, ORPHANED);
    if (nextStep(state, now).kind === 'finish') return refused(conflict('it is over: nothing is left to do'));
    const started = await unlessRunning(() => withPatience(deps, steerMs, () => start(deps, state)));
    if (started) await recordRestart(deps, { before, state }, request);
    return started ? { kind: 'done' } : RUNS;
  });
}

const RUNS = refused(conflict('its workflow runs'));

async function start({ client, ...deps }: TemporalGatewayDeps, state: SubscriptionState): Promise<void> {
  const options = subscriptionStart(deps, state, deps.taskQueue, state.terms.consentAmount);
  await client.workflow.start(SUBSCRIPTION_WORKFLOW, options);
}

interface Restart {
  /** As the ledger had it. */
  readonly before: SubscriptionState;
  readonly state: SubscriptionState;
}

async function recordRestart({ db, clock }: TemporalGatewayDeps, { before, state }: Restart, request: Request) {
  const { terms, revision } = state;
  const isStopped = state.cancellation !== null && before.cancellation === null;
  await applyChange(db, {
    subscriptionId: terms.subscriptionId,
    key: `restarted/${randomUUID()}`,
    at: clock.now(),
    ...actorOf(request),
    events: [
      { type: 'subscription.restarted', data: { revision, reason: request.reason } },
      ...replacementEvents({ before, state }),
    ],
    subscription: {
      ...patchBetween(project(before), project(state)),
      attention: state.standing.attention,
      ...(isStopped ? { hold: 'cancel' } : {}),
    },
  });
}

/** That another subscription has taken its place while no workflow was there to hear of it. */
function replacementEvents({ before, state }: Restart): LedgerChange['events'] {
  const taken = state.replacements.find(({ by }) => by === state.replacedBy && by !== before.replacedBy);
  if (taken === undefined) return [];
  return [{ type: 'subscription.replaced', data: { by: taken.by, from: toIso(taken.from) } }];
}

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'consoleUrl' | 'db' | 'taskQueue'> & {
  readonly transit: number;
};

/** Begins a one-time payment's workflow anew from the ledger; about money the ledger's rows decide, as always (rule 30). */
export async function restartPayment(
  deps: Deps,
  payment: PaymentRecord,
  request: Request,
  patienceMs: number,
): Promise<SteerOutcome> {
  return answered(async () => {
    if (isSettled(payment.status)) return refused(conflict(`it is ${payment.status}: nothing is left to do`));
    const options = paymentStart(deps, await restoredPayment(deps, payment));
    const start = () => deps.client.workflow.start(PAYMENT_WORKFLOW, options);
    const started = await unlessRunning(() => withPatience(deps, patienceMs, start));
    if (started) await recordPaymentRestart(deps, payment, request);
    return started ? { kind: 'done' } : RUNS;
  });
}

async function restoredPayment(deps: Deps, payment: PaymentRecord): Promise<PaymentState> {
  const { requestId, plan, amount, paymentId, status, captureBy, consent } = payment;
  const memory = await readPaymentMemory(deps.db, paymentId);
  return {
    terms: { requestId, plan, amount, transit: memory.transit ?? deps.transit },
    paymentId,
    status,
    captureBy,
    requestedRealAt: consent.requestedRealAt,
    deadlineTold: memory.deadlineTold,
  };
}

async function recordPaymentRestart(
  { db, clock }: Deps,
  { paymentId }: PaymentRecord,
  request: Request,
): Promise<void> {
  await unmarkOrphaned(db, { kind: 'payment', id: paymentId }, clock.now());
  const about = { subscriptionId: null, paymentId, at: clock.now(), ...actorOf(request) };
  await insertEvent(db, { ...about, type: 'payment.restarted', data: { reason: request.reason } });
}
