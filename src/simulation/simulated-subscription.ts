import { subscriptionWorkflowId } from '../contract/workflows';
import type { PaymentId, SubscriptionId } from '../domain/ids';
import { DAY, type Instant, SECOND } from '../domain/time';
import type { Money } from '../domain/money';
import type { Refusal } from '../domain/subscription/requests';
import type { Terms } from '../domain/subscription/state';
import { createHold, getSubscription, insertDraft, steer, type SteeringRequests } from '../ledger';
import type { SimulatedStack } from './simulated-stack';

export interface SimulatedSubscription extends ReturnType<typeof requestsTo> {
  readonly terms: Terms;
  readonly paymentId: PaymentId;
}

const PAYER = { name: 'Ada Payer', street: 'Main Street 1', postalCode: '10115', city: 'Berlin', country: 'DE' };
const BY = { actor: 'simulation', reason: null };
const ANNOUNCE_AHEAD = 7 * DAY;

/** Advances the clock to the instant. */
type PassUntil = (at: Instant) => Promise<void>;

/** Time for the workflow to request the consent. */
const REQUESTED = SECOND;

/** Creates draft, workflow and consent request as the admin API does; the payer has yet to answer. */
export async function subscribe(
  stack: SimulatedStack,
  terms: Terms,
  passUntil: PassUntil,
): Promise<SimulatedSubscription> {
  const { subscriptionId } = terms;
  await storeDraft(stack, terms);
  stack.conductor.start(subscriptionId);
  await passUntil(stack.clock.now() + REQUESTED);
  const { paymentId = null } = (await getSubscription(stack.ledger, subscriptionId)) ?? {};
  if (paymentId === null) throw new Error(`no consent was requested for ${subscriptionId}`);
  return { terms, paymentId, ...requestsTo(stack, subscriptionId) };
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
  if (result.kind !== 'inserted') throw new Error(`the id ${terms.subscriptionId} is already used`);
}

/** A rule refuses the request. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** The requests to a subscription, made in the ledger as the admin API does. Each rejects if a rule refuses it. */
function requestsTo(stack: SimulatedStack, id: SubscriptionId) {
  const ask = async <V extends keyof SteeringRequests>(verb: V, request: SteeringRequests[V]): Promise<void> => {
    const { ledger, clock, conductor } = stack;
    const result = await steer(ledger, verb, id, request, { at: clock.now(), realAt: clock.realNow() });
    if (result.kind === 'refused') throw new RefusedRequest(result.refusal);
    if (result.kind === 'steered') conductor.changed(id, result.revision);
  };
  return {
    pause: (until: Instant | null) => ask('pause', { ...BY, until }),
    resume: () => ask('resume', BY),
    cancel: () => ask('cancel', BY),
    skip: (cycle: number) => ask('skip', { ...BY, cycle }),
    postpone: (cycle: number, until: Instant) => ask('postpone', { ...BY, cycle, until }),
    /** Creates a hold for this subscription alone. */
    async hold(until: Instant): Promise<void> {
      const at = stack.clock.now();
      const order = { actor: BY.actor, at, holdId: `hold_${id}_${at}`, filter: { q: id }, until, reason: 'simulation' };
      const held = await createHold(stack.ledger, order);
      if (held.kind !== 'created' || !held.isSettled) throw new Error(`${id} could not be held: ${held.kind}`);
    },
    /** @param at null: now */
    retry: (cycle: number, at: Instant | null = null) => ask('retry', { ...BY, cycle, retryAt: at }),
    /** Effective from this cycle; the payer is notified of an increase a week ahead. */
    changeAmount: (fromCycle: number, amount: Money) =>
      ask('change_amount', { ...BY, fromCycle, amount, announceAhead: ANNOUNCE_AHEAD }),
    /** Withdraws a change that no cycle has frozen yet. */
    withdrawChange: () => ask('withdraw_change', BY),
    acknowledge: () => ask('acknowledge', BY),
  };
}
