import { setTimeout as pause } from 'node:timers/promises';
import { SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import type { SubscriptionInput } from '../contract/steps';
import { DUEDAY_REPETITION, DUEDAY_STANDING, DUEDAY_STATUS, subscriptionWorkflowId } from '../contract/workflows';
import type { PaymentId, SubscriptionId } from '../domain/ids';
import { DAY, type Instant } from '../domain/time';
import type { Money } from '../domain/money';
import type { Refusal } from '../domain/subscription/requests';
import type { Terms } from '../domain/subscription/state';
import { getSubscription, insertDraft, steer, type SteeringRequests } from '../ledger';
import type { SimulatedStack } from './simulated-stack';
import { notifySubscription, TASK_QUEUE } from './simulated-worker';

export interface SimulatedSubscription extends ReturnType<typeof requestsTo> {
  readonly terms: Terms;
  readonly paymentId: PaymentId;
}

const PAYER = { name: 'Ada Payer', street: 'Main Street 1', postalCode: '10115', city: 'Berlin', country: 'DE' };
const BY = { actor: 'simulation', reason: null };
const ANNOUNCE_AHEAD = 7 * DAY;

/** Draft, workflow and consent request, as the admin API makes them; the payer has yet to answer. */
export async function subscribe(stack: SimulatedStack, terms: Terms): Promise<SimulatedSubscription> {
  await stack.time.synchronise();
  await storeDraft(stack, terms);
  const { subscriptionId, repetition } = terms;
  const input: SubscriptionInput = { subscriptionId, clock: stack.clock.setting };
  await stack.client.workflow.start(SUBSCRIPTION_WORKFLOW, {
    workflowId: subscriptionWorkflowId(subscriptionId),
    taskQueue: TASK_QUEUE,
    args: [input],
    workflowIdConflictPolicy: 'FAIL',
    typedSearchAttributes: [
      { key: DUEDAY_STATUS, value: 'pending_consent' },
      { key: DUEDAY_STANDING, value: 'good' },
      { key: DUEDAY_REPETITION, value: repetition },
    ],
  });
  return { terms, paymentId: await untilRequested(stack, subscriptionId), ...requestsTo(stack, subscriptionId) };
}

/** Real ms until a request of the simulated service counts as failed. */
const PATIENCE = 60_000;
const BETWEEN_CHECKS = 10;

async function untilRequested({ ledger }: SimulatedStack, id: SubscriptionId): Promise<PaymentId> {
  const until = performance.now() + PATIENCE;
  while (performance.now() < until) {
    const subscription = await getSubscription(ledger, id);
    if (subscription?.paymentId != null) return subscription.paymentId;
    await pause(BETWEEN_CHECKS);
  }
  throw new Error(`no consent was requested for ${id}`);
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

/** A rule refuses what was asked. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** What may be asked of a subscription, in the ledger as the admin API asks it. Each rejects with {@link RefusedRequest}. */
function requestsTo(stack: SimulatedStack, id: SubscriptionId) {
  const ask = async <V extends keyof SteeringRequests>(verb: V, request: SteeringRequests[V]): Promise<void> => {
    const { ledger, clock, client } = stack;
    await stack.time.synchronise();
    const result = await steer(ledger, verb, id, request, { at: clock.now(), realAt: clock.realNow() });
    if (result.kind === 'refused') throw new RefusedRequest(result.refusal);
    if (result.kind === 'steered') await notifySubscription(client, id, result.revision);
  };
  return {
    pause: (until: Instant | null) => ask('pause', { ...BY, until }),
    resume: () => ask('resume', BY),
    cancel: () => ask('cancel', BY),
    skip: (cycle: number) => ask('skip', { ...BY, cycle }),
    retryNow: (cycle: number) => ask('retry', { ...BY, cycle }),
    /** From this cycle on; the payer is notified of an increase a week ahead. */
    changeAmount: (fromCycle: number, amount: Money) =>
      ask('change_amount', { ...BY, fromCycle, amount, announceAhead: ANNOUNCE_AHEAD }),
    /** What no cycle has frozen yet. */
    withdrawChange: () => ask('withdraw_change', BY),
    acknowledge: () => ask('acknowledge', BY),
  };
}
