import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import {
  acknowledgeUpdate,
  cancelUpdate,
  changeAmountUpdate,
  pauseUpdate,
  requestConsentUpdate,
  resumeUpdate,
  retryCycleUpdate,
  skipCycleUpdate,
  stateQuery,
  SUBSCRIPTION_WORKFLOW,
  type SubscriptionInput,
  withdrawChangeUpdate,
} from '../contract/messages';
import type { Brought, RecordedVerb } from '../contract/requests';
import { DUEDAY_REPETITION, DUEDAY_STANDING, DUEDAY_STATUS, subscriptionWorkflowId } from '../contract/workflows';
import type { PaymentId, SubscriptionId } from '../domain/ids';
import { DAY, type Instant } from '../domain/time';
import type { Money } from '../domain/money';
import { newSubscription, type SubscriptionState, type Terms } from '../domain/subscription/state';
import { insertDraft, putRequest } from '../ledger';
import type { SimulatedStack } from './simulated-stack';
import { TASK_QUEUE } from './simulated-worker';

export interface SimulatedSubscription extends ReturnType<typeof requestsTo> {
  readonly terms: Terms;
  readonly paymentId: PaymentId;
  /** As the workflow holds it. */
  state(): Promise<SubscriptionState>;
}

const PAYER = { name: 'Ada Payer', street: 'Main Street 1', postalCode: '10115', city: 'Berlin', country: 'DE' };
const BY = { actor: 'simulation', reason: null };
const ANNOUNCE_AHEAD = 7 * DAY;

/** Draft, workflow and consent request, as the admin API makes them; the payer has yet to answer. */
export async function subscribe(stack: SimulatedStack, terms: Terms): Promise<SimulatedSubscription> {
  await stack.time.synchronise();
  await storeDraft(stack, terms);
  const workflowId = subscriptionWorkflowId(terms.subscriptionId);
  const input: SubscriptionInput = {
    state: newSubscription({ terms, policy: stack.retryPolicy, spread: 0, replaces: null }),
    clock: stack.clock.setting,
  };
  const startWorkflowOperation = new WithStartWorkflowOperation(SUBSCRIPTION_WORKFLOW, {
    workflowId,
    taskQueue: TASK_QUEUE,
    args: [input],
    workflowIdConflictPolicy: 'FAIL',
    typedSearchAttributes: [
      { key: DUEDAY_STATUS, value: 'pending_consent' },
      { key: DUEDAY_STANDING, value: 'good' },
      { key: DUEDAY_REPETITION, value: terms.repetition },
    ],
  });
  const answer = await stack.client.workflow.executeUpdateWithStart(requestConsentUpdate, { startWorkflowOperation });
  if (answer.kind !== 'requested') throw new Error(`no consent was requested: ${JSON.stringify(answer)}`);
  const handle = stack.client.workflow.getHandle(workflowId);
  return {
    terms,
    paymentId: answer.paymentId,
    ...requestsTo(stack, terms.subscriptionId, handle),
    state: () => handle.query(stateQuery),
  };
}

async function storeDraft({ clock, ledger, retryPolicy }: SimulatedStack, terms: Terms): Promise<void> {
  const draft = {
    ...terms,
    workflowId: subscriptionWorkflowId(terms.subscriptionId),
    returnURL: 'https://shop.example/return',
    payer: { email: null, reference: null },
    billingAddress: PAYER,
    shippingAddress: null,
    replaces: null,
    warnings: [],
    createdAt: clock.now(),
    draftedRealAt: clock.realNow(),
  };
  const result = await insertDraft(ledger, draft, 0, { policy: retryPolicy, spread: 0 });
  if (result.kind !== 'inserted') throw new Error(`the id ${terms.subscriptionId} is taken`);
}

/**
 * What people may ask of a subscription: the workflow's own updates, on record before the workflow is asked, as the admin API
 * has them. Each rejects where the workflow refuses.
 */
function requestsTo({ ledger }: SimulatedStack, id: SubscriptionId, handle: WorkflowHandle) {
  const ask = async <T, R extends Brought>(
    verb: RecordedVerb,
    update: UpdateDefinition<T, [R]>,
    request: R,
  ): Promise<void> => {
    await handle.executeUpdate(update, { args: [await putRequest(ledger, id, verb, request)] });
  };
  return {
    pause: (until: Instant | null) => ask('pause', pauseUpdate, { ...BY, until }),
    resume: () => ask('resume', resumeUpdate, BY),
    cancel: () => ask('cancel', cancelUpdate, BY),
    skip: (cycle: number) => ask('skip', skipCycleUpdate, { ...BY, cycle }),
    retryNow: (cycle: number) => ask('retry', retryCycleUpdate, { ...BY, cycle }),
    /** From this cycle on; the payer is notified of an increase a week ahead. */
    changeAmount: (fromCycle: number, amount: Money) =>
      ask('change_amount', changeAmountUpdate, { ...BY, fromCycle, amount, announceAhead: ANNOUNCE_AHEAD }),
    /** What no cycle has frozen yet. */
    withdrawChange: () => ask('withdraw_change', withdrawChangeUpdate, BY),
    acknowledge: () => ask('acknowledge', acknowledgeUpdate, BY),
  };
}
