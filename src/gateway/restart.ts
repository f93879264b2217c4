import { randomUUID } from 'node:crypto';
import { type Decision, NOTICE_WORKFLOW, type Request, SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import { PAYMENT_WORKFLOW, type PaymentState, REFUND_WORKFLOW } from '../contract/payments';
import { patchBetween, project } from '../contract/projection';
import { subscriptionWorkflowId } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { isSettled } from '../domain/payment/payment';
import { nextStep } from '../domain/subscription/next-step';
import { ORPHANED, withoutAttentionItem } from '../domain/subscription/pauses';
import { conflict } from '../domain/subscription/requests';
import { restoreState, toldBySuccessors } from '../domain/subscription/state-from-ledger';
import type { SubscriptionState } from '../domain/subscription/state';
import { type Instant, toIso } from '../domain/time';
import { actorOf } from '../domain/trail/event';
import {
  applyChange,
  DUEDAY,
  forgetRestarts,
  insertEvent,
  openCaptures,
  type PaymentRecord,
  readFacts,
  readPaymentMemory,
  readSuccessors,
  recordHeard,
  steer,
  type Steered,
  unmarkOrphaned,
} from '../ledger';
import { refused, type SteerOutcome } from './outcomes';
import { captureInputOf, isRunning, paymentStart, subscriptionStart, unlessRunning } from './starts';
import { frozenFor } from './subscription-start';
import { answered, patienceOf, type TemporalGatewayDeps, withPatience, onTaskQueue } from './temporal';

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
    await hearSuccessors(deps, id, now);
    const facts = await readFacts(deps.db, id, frozenFor(deps, id));
    if (facts === null) return refused(conflict('its consent has not been requested yet'));
    const state = withoutAttentionItem(restoreState(facts, now), ORPHANED);
    if (nextStep(state, now).kind === 'finish') return refused(conflict('it is over: nothing is left to do'));
    const started = await unlessRunning(() => withPatience(deps, steerMs, () => start(deps, state)));
    if (started) await recordRestart(deps, state, request);
    if (started && request.actor !== DUEDAY) await forgetRestarts(deps.db, { kind: 'subscription', id });
    return started ? { kind: 'done' } : RUNS;
  });
}

/**
 * What its successors told no workflow, as none ran, into the ledger: before another one goes on by that (rule 22).
 * @throws where the subscription is not in the ledger
 */
async function hearSuccessors(deps: TemporalGatewayDeps, id: SubscriptionId, at: Instant): Promise<void> {
  const successors = await readSuccessors(deps.db, id);
  if (successors.length === 0) return;
  const judge = (before: SubscriptionState): Steered | null => {
    const state = toldBySuccessors(before, successors);
    const isSame = Object.keys(patchBetween(project(before), project(state))).length === 0;
    return isSame ? null : { state, decision: replacementDecision(before, state) };
  };
  await steer(deps.db, { subscriptionId: id, at, actor: 'dueday', otherwise: frozenFor(deps, id), judge });
}

function replacementDecision(before: SubscriptionState, state: SubscriptionState): Decision {
  const taken = state.replacements.find(({ by }) => by === state.replacedBy && by !== before.replacedBy);
  const isStopped = state.cancellation !== null && before.cancellation === null;
  return {
    events:
      taken === undefined ? [] : [{ type: 'subscription.replaced', data: { by: taken.by, from: toIso(taken.from) } }],
    ...(isStopped ? { hold: 'cancel' } : {}),
    steers: true,
  };
}

const RUNS = refused(conflict('its workflow runs'));

async function start({ client, ...deps }: TemporalGatewayDeps, state: SubscriptionState): Promise<void> {
  const options = subscriptionStart(deps, state, deps.taskQueue, state.terms.consentAmount);
  await client.workflow.start(SUBSCRIPTION_WORKFLOW, options);
}

async function recordRestart({ db, clock }: TemporalGatewayDeps, state: SubscriptionState, request: Request) {
  const { terms, standing, revision } = state;
  const { subscriptionId } = terms;
  await recordHeard(db, subscriptionId, revision);
  await applyChange(db, {
    subscriptionId,
    key: `restarted/${randomUUID()}`,
    at: clock.now(),
    ...actorOf(request),
    events: [{ type: 'subscription.restarted', data: { revision, reason: request.reason } }],
    subscription: { attention: standing.attention },
  });
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
    const state = await restoredPayment(deps, payment);
    if (isSettled(payment.status) && state.openCaptures?.length === 0) {
      await unmarkOrphaned(deps.db, { kind: 'payment', id: payment.paymentId }, deps.clock.now());
      return refused(conflict(`it is ${payment.status}: nothing is left to do`));
    }
    const options = paymentStart(deps, state);
    const start = () => deps.client.workflow.start(PAYMENT_WORKFLOW, options);
    const started = await unlessRunning(() => withPatience(deps, patienceMs, start));
    if (started) await recordPaymentRestart(deps, payment, request);
    if (started && request.actor !== DUEDAY) await forgetRestarts(deps.db, { kind: 'payment', id: payment.paymentId });
    return started ? { kind: 'done' } : RUNS;
  });
}

async function restoredPayment(deps: Deps, payment: PaymentRecord): Promise<PaymentState> {
  const { requestId, plan, amount, paymentId, status, captureBy, consent } = payment;
  const memory = await readPaymentMemory(deps.db, paymentId);
  const transit = memory.transit ?? deps.transit;
  return {
    terms: { requestId, plan, amount, transit },
    paymentId,
    status,
    captureBy,
    requestedRealAt: consent.requestedRealAt,
    deadlineTold: memory.deadlineTold,
    openCaptures: openCaptures(payment).map((capture) => captureInputOf(payment, capture, transit)),
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

const TYPES = [SUBSCRIPTION_WORKFLOW, PAYMENT_WORKFLOW, REFUND_WORKFLOW, NOTICE_WORKFLOW] as const;

/** A workflow that has ended, however it did; one that continued as new has not. */
export interface ClosedWorkflow {
  readonly type: (typeof TYPES)[number];
  /** Its workflow id without its type: of the subscription, the payment's request, the refund, the notice. */
  readonly id: string;
}

/** Of the workflows of a task queue, those that ended at or after an instant of real time. Temporal's lists lag. */
export async function* listClosed(
  { client, taskQueue }: Pick<TemporalGatewayDeps, 'client' | 'taskQueue'>,
  sinceReal: number,
): AsyncGenerator<ClosedWorkflow> {
  const types = TYPES.map((type) => `'${type}'`).join(', ');
  const query = `WorkflowType in (${types}) and ${onTaskQueue(taskQueue)}
    and ExecutionStatus in ('Completed', 'Failed', 'Canceled', 'Terminated', 'TimedOut') and CloseTime >= '${toIso(sinceReal)}'`;
  for await (const { type, workflowId } of client.workflow.list({ query, pageSize: 500 })) {
    const known = TYPES.find((each) => each === type);
    if (known !== undefined) yield { type: known, id: workflowId.slice(workflowId.indexOf('/') + 1) };
  }
}
