import { randomUUID } from 'node:crypto';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { CYCLES_PER_RUN, type Request, SUBSCRIPTION_WORKFLOW, type SubscriptionInput } from '../contract/messages';
import { PAYMENT_WORKFLOW, type PaymentInput } from '../contract/payments';
import {
  DUEDAY_REPETITION,
  DUEDAY_STANDING,
  DUEDAY_STATUS,
  peopleQueue,
  subscriptionWorkflowId,
} from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { formatMoney } from '../domain/money';
import { isSettled } from '../domain/payment/payment';
import { nextStep } from '../domain/subscription/next-step';
import { ORPHANED, withoutAttentionItem } from '../domain/subscription/pauses';
import { conflict } from '../domain/subscription/requests';
import { restoreState } from '../domain/subscription/restored-state';
import { standingOf, type SubscriptionState } from '../domain/subscription/state';
import { actorOf } from '../domain/trail/event';
import { applyChange, readFacts, insertEvent, type PaymentRecord, readPaymentMemory, unmarkOrphaned } from '../ledger';
import { refused, type SteerOutcome } from './outcomes';
import { frozenFor } from './subscription-start';
import {
  answered,
  isAlreadyStarted,
  patienceOf,
  type TemporalGatewayDeps,
  withPatience,
  surroundingsOf,
} from './temporal';

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
    const state = withoutAttentionItem(restoreState(facts, now), ORPHANED);
    if (nextStep(state, now).kind === 'finish') return refused(conflict('it is over: nothing is left to do'));
    const started = await unlessRunning(() => withPatience(deps, steerMs, () => start(deps, state)));
    if (started) await recordRestart(deps, state, request);
    return started ? { kind: 'done' } : RUNS;
  });
}

const RUNS = refused(conflict('its workflow runs'));

/** A workflow that has ended is begun anew under its own id; one that runs is left alone. */
export const WHERE_NONE_RUNS = {
  workflowIdConflictPolicy: 'FAIL',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
} as const;

/** False where the start found that a workflow of this id runs. */
export async function unlessRunning(start: () => Promise<unknown>): Promise<boolean> {
  try {
    await start();
    return true;
  } catch (error) {
    if (isAlreadyStarted(error)) return false;
    throw error;
  }
}

/** @throws where Temporal cannot be asked. */
export async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

async function start(deps: TemporalGatewayDeps, state: SubscriptionState): Promise<void> {
  const { subscriptionId, repetition, consentAmount } = state.terms;
  const { client, taskQueue } = deps;
  const input: SubscriptionInput = { state, ...surroundingsOf(deps), cyclesPerRun: CYCLES_PER_RUN };
  await client.workflow.start(SUBSCRIPTION_WORKFLOW, {
    workflowId: subscriptionWorkflowId(subscriptionId),
    taskQueue,
    args: [input],
    ...WHERE_NONE_RUNS,
    staticSummary: `${repetition} ${formatMoney(consentAmount)}`,
    typedSearchAttributes: [
      { key: DUEDAY_STATUS, value: state.status },
      { key: DUEDAY_STANDING, value: standingOf(state.standing) },
      { key: DUEDAY_REPETITION, value: repetition },
    ],
  });
}

async function recordRestart({ db, clock }: TemporalGatewayDeps, state: SubscriptionState, request: Request) {
  const { terms, standing, revision } = state;
  await applyChange(db, {
    subscriptionId: terms.subscriptionId,
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
    if (isSettled(payment.status)) return refused(conflict(`it is ${payment.status}: nothing is left to do`));
    const input = await inputOf(deps, payment);
    const started = await unlessRunning(() => withPatience(deps, patienceMs, () => startPayment(deps, payment, input)));
    if (started) await recordPaymentRestart(deps, payment, request);
    return started ? { kind: 'done' } : RUNS;
  });
}

async function inputOf(deps: Deps, payment: PaymentRecord): Promise<PaymentInput> {
  const { requestId, plan, amount, paymentId, status, captureBy, consent } = payment;
  const memory = await readPaymentMemory(deps.db, paymentId);
  return {
    state: {
      terms: { requestId, plan, amount, transit: memory.transit ?? deps.transit },
      paymentId,
      status,
      captureBy,
      requestedRealAt: consent.requestedRealAt,
      deadlineTold: memory.deadlineTold,
    },
    ...surroundingsOf(deps),
  };
}

async function startPayment({ client, taskQueue }: Deps, payment: PaymentRecord, input: PaymentInput): Promise<void> {
  const { workflowId, plan, amount, status } = payment;
  await client.workflow.start(PAYMENT_WORKFLOW, {
    workflowId,
    taskQueue: peopleQueue(taskQueue),
    args: [input],
    ...WHERE_NONE_RUNS,
    staticSummary: `${plan} ${formatMoney(amount)}`,
    typedSearchAttributes: [{ key: DUEDAY_STATUS, value: status }],
  });
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
