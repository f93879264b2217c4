import { randomUUID } from 'node:crypto';
import { ATTEMPT_WORKFLOW, SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import { CAPTURE_WORKFLOW, PAYMENT_WORKFLOW, REFUND_WORKFLOW } from '../contract/payments';
import type { AttemptRef } from '../contract/steps';
import { attemptWorkflowId, subscriptionWorkflowId } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { isSettled } from '../domain/payment/payment';
import { nextStep } from '../domain/subscription/next-step';
import { conflict } from '../domain/subscription/requests';
import type { SubscriptionState } from '../domain/subscription/state';
import { toIso } from '../domain/time';
import { actorOf } from '../domain/audit/event';
import {
  applyChange,
  DUEDAY,
  forgetRestarts,
  getSubscription,
  insertEvent,
  type PaymentRecord,
  readCurrent,
  type Request,
  unmarkOrphaned,
} from '../ledger';
import { refused, type RequestOutcome } from './outcomes';
import { isRunning, paymentStart, subscriptionStart, unlessRunning, UNLESS_RUNNING } from './starts';
import { timeoutsOf, type TemporalDeps, unlessUnavailable, withTimeout, onTaskQueue } from './temporal';

/**
 * Starts a subscription's workflow again. It continues from the ledger, as always, so there is nothing to restore (rule 30).
 */
export async function restartSubscription(
  deps: TemporalDeps,
  id: SubscriptionId,
  request: Request,
): Promise<RequestOutcome> {
  return unlessUnavailable(async () => {
    const { steerMs } = timeoutsOf(deps);
    if (await withTimeout(deps, steerMs, () => isRunning(deps.client, subscriptionWorkflowId(id)))) return RUNS;
    const now = deps.clock.now();
    const current = await readCurrent(deps.db, id, now);
    const subscription = await getSubscription(deps.db, id);
    if (current === null || subscription === null) return refused(conflict('its consent has not been requested yet'));
    if (nextStep(current.state, now).kind === 'finish') return refused(conflict('it has ended: nothing is left to do'));
    const options = subscriptionStart(deps, subscription, deps.taskQueue);
    const start = () => deps.client.workflow.start(SUBSCRIPTION_WORKFLOW, options);
    const started = await unlessRunning(() => withTimeout(deps, steerMs, start));
    if (started) await recordRestart(deps, current.state, request);
    if (started && request.actor !== DUEDAY) await forgetRestarts(deps.db, { kind: 'subscription', id });
    return started ? { kind: 'done' } : RUNS;
  });
}

const RUNS = refused(conflict('its workflow is already running'));

async function recordRestart({ db, clock }: TemporalDeps, state: SubscriptionState, request: Request) {
  const { terms, revision } = state;
  await unmarkOrphaned(db, { kind: 'subscription', id: terms.subscriptionId }, clock.now());
  await applyChange(db, {
    subscriptionId: terms.subscriptionId,
    key: `restarted/${randomUUID()}`,
    at: clock.now(),
    ...actorOf(request),
    events: [{ type: 'subscription.restarted', data: { revision, reason: request.reason } }],
  });
}

type Deps = Pick<TemporalDeps, 'client' | 'clock' | 'db' | 'taskQueue'>;

/** Starts the workflow of a one-time payment again if it is not running. */
export async function restartPayment(
  deps: Deps,
  payment: PaymentRecord,
  request: Request,
  timeoutMs: number,
): Promise<RequestOutcome> {
  return unlessUnavailable(async () => {
    const subject = { kind: 'payment', id: payment.paymentId } as const;
    if (isSettled(payment.status)) {
      await unmarkOrphaned(deps.db, subject, deps.clock.now());
      return refused(conflict(`it is ${payment.status}: nothing is left to do`));
    }
    const options = paymentStart(deps, payment);
    const start = () => deps.client.workflow.start(PAYMENT_WORKFLOW, options);
    const started = await unlessRunning(() => withTimeout(deps, timeoutMs, start));
    if (started) await recordPaymentRestart(deps, payment, request);
    if (started && request.actor !== DUEDAY) await forgetRestarts(deps.db, subject);
    return started ? { kind: 'done' } : RUNS;
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

/** @param id the id of an attempt workflow, without its type */
export function attemptOfWorkflow(id: string): AttemptRef & { readonly subscriptionId: SubscriptionId } {
  const [subscriptionId, cycle, attempt] = id.split('/');
  return { subscriptionId: subscriptionId as SubscriptionId, cycle: Number(cycle), attempt: Number(attempt) };
}

/** Restarts the workflow that polls an attempt until its outcome is known, unless it is running. */
export async function startAttempt(
  deps: Pick<TemporalDeps, 'client' | 'clock' | 'taskQueue' | 'timeouts'>,
  subscriptionId: SubscriptionId,
  { cycle, attempt }: AttemptRef,
): Promise<void> {
  const start = () =>
    deps.client.workflow.start(ATTEMPT_WORKFLOW, {
      workflowId: attemptWorkflowId(subscriptionId, { cycle, attempt }),
      taskQueue: deps.taskQueue,
      args: [{ subscriptionId, cycle, attempt, clock: deps.clock.setting }],
      ...UNLESS_RUNNING,
      staticSummary: `the outcome of cycle ${cycle}, attempt ${attempt}`,
    });
  await unlessRunning(() => withTimeout(deps, timeoutsOf(deps).steerMs, start));
}

const TYPES = [SUBSCRIPTION_WORKFLOW, ATTEMPT_WORKFLOW, PAYMENT_WORKFLOW, CAPTURE_WORKFLOW, REFUND_WORKFLOW] as const;

/** A workflow that has ended in any way; one that continued as new has not. */
export interface ClosedWorkflow {
  readonly type: (typeof TYPES)[number];
  /**
   * Its workflow id without its type: the id of the subscription, the payment's request or the order; for an attempt,
   * what {@link attemptOfWorkflow} reads.
   */
  readonly id: string;
  /** When it ended, according to Temporal's clock; epoch ms. */
  readonly endedReal: number;
}

/** Workflows of a task queue that ended at or after an instant of real time. Temporal's lists lag. */
export async function* listClosed(
  { client, taskQueue }: Pick<TemporalDeps, 'client' | 'taskQueue'>,
  sinceReal: number,
): AsyncGenerator<ClosedWorkflow> {
  const types = TYPES.map((type) => `'${type}'`).join(', ');
  const query = `WorkflowType in (${types}) and ${onTaskQueue(taskQueue)}
    and ExecutionStatus in ('Completed', 'Failed', 'Canceled', 'Terminated', 'TimedOut') and CloseTime >= '${toIso(sinceReal)}'`;
  for await (const { type, workflowId, closeTime } of client.workflow.list({ query, pageSize: 500 })) {
    const known = TYPES.find((each) => each === type);
    const id = workflowId.slice(workflowId.indexOf('/') + 1);
    if (known !== undefined) yield { type: known, id, endedReal: closeTime?.getTime() ?? sinceReal };
  }
}
