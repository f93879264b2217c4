import type { FastifyRequest } from 'fastify';
import { subscriptionWorkflowId } from '../../contract/workflows';
import type { SubscriptionId } from '../../domain/ids';
import type { Actor } from '../../domain/audit/event';
import { getSubscription, IDEMPOTENCY_LIFE, isDraftedFor, type SubscriptionRecord } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import type { CreatePayment } from '../payments/schema';
import { actorOfCaller, type Caller, callerOf } from '../http/caller';
import { type ChosenId, creationIdOf } from '../http/idempotency';
import { MAX_RUN_MS } from '../http/idempotency-leases';
import { type Fault, invalidRequest, Problem, stateConflict, ERROR_RESPONSES } from '../http/problems';
import { schemaFaults } from '../http/validation';
import { refuseWhileHalted } from '../operations/halt';
import { findSubscription, showSubscription } from './read';
import { requireCreated, ruleFaults, readableFields, refuseUnreleased } from './rules';
import { CreateSubscription, SubscriptionOut } from './schema';
import { viewSubscription } from './view';
import { creationWarnings, duplicateWarnings, replacementWarnings } from './warnings';

/** The id that the caller chose; otherwise one derived from the request. */
function chooseId(body: CreateSubscription, caller: Caller, idempotencyKey: string | null): ChosenId<SubscriptionId> {
  const { subscriptionId } = body;
  const chosen = creationIdOf<SubscriptionId>('sub', body, caller, idempotencyKey);
  return subscriptionId === undefined ? chosen : { ...chosen, id: subscriptionId, isDerived: false };
}

/** The subscription that the same request has already created; null if there is none. */
async function findCreated(deps: AdminDeps, chosen: ChosenId<SubscriptionId>): Promise<SubscriptionRecord | null> {
  return (await isFromSameRequest(deps, chosen)) ? getSubscription(deps.db, chosen.id) : null;
}

/** For an id chosen by the caller, the ledger knows which request used it, for as long as idempotency keys are kept. */
async function isFromSameRequest(deps: AdminDeps, chosen: ChosenId<SubscriptionId>): Promise<boolean> {
  return chosen.isDerived || isDraftedWithin(deps, chosen, IDEMPOTENCY_LIFE);
}

/** Whether another run of the same request may still be calling the payment service. */
function isUnderWay(deps: AdminDeps, chosen: ChosenId<SubscriptionId>): Promise<boolean> {
  return isDraftedWithin(deps, chosen, MAX_RUN_MS);
}

async function isDraftedWithin(
  { db, clock }: AdminDeps,
  { id: subscriptionId, requestId }: ChosenId<SubscriptionId>,
  ms: number,
): Promise<boolean> {
  return requestId !== null && isDraftedFor(db, { subscriptionId, requestId, sinceReal: clock.realNow() - ms });
}

/** The request's body, parsed and as sent. */
interface Requested {
  readonly body: CreateSubscription;
  /** The body as the caller sent it. */
  readonly written: unknown;
}

async function warningsOf(
  deps: AdminDeps,
  { body, written }: Requested,
  id: SubscriptionId,
): Promise<readonly string[]> {
  const duplicates = await duplicateWarnings(deps, [{ ...body, id }]);
  const replacement = await replacementWarnings(deps, body);
  return [...creationWarnings(body, written, deps.policy), ...duplicates.values(), ...replacement];
}

/** @throws Problem if a rule or the ledger forbids the subscription, the payment service refuses it, or no worker answers */
async function createSubscription(
  deps: AdminDeps,
  request: Requested,
  chosen: ChosenId<SubscriptionId>,
  by: Actor,
): Promise<SubscriptionRecord> {
  const { body } = request;
  const faults = await combinedFaults(deps, body);
  // A body that was valid when first sent, for example with a future date, may be invalid when the request is repeated.
  if (faults.length > 0 && (await isUnderWay(deps, chosen))) throw notYet(chosen);
  if (faults.length > 0) throw invalidRequest(faults);
  // An earlier run of the same request, whose caller stopped waiting, may have created it a moment ago.
  const created = await findCreated(deps, chosen);
  if (created !== null) return created;
  const other = await getSubscription(deps.db, chosen.id);
  if (other !== null) throw taken(chosen, other);
  await refuseWhileHalted(deps, () => isUnderWay(deps, chosen));
  const warnings = await warningsOf(deps, request, chosen.id);
  const { requestId } = chosen;
  const draft = { ...agreementOf(deps, body, chosen.id), requestId, returnURL: body.returnURL, warnings };
  const outcome = await deps.subscriptions.create(draft, by);
  // The ledger decides, not the outcome (rule 18): Temporal's answer may have been lost, or another process may have taken
  // over this request, or lost it to this one.
  const isOwn = body.subscriptionId === undefined || (await isFromSameRequest(deps, chosen));
  const onRecord = isOwn ? await getSubscription(deps.db, chosen.id) : null;
  if (onRecord !== null) return onRecord;
  if (outcome.kind === 'unavailable') await refuseWhileHalted(deps);
  if (outcome.kind === 'exists' && !isOwn) throw taken(chosen, await getSubscription(deps.db, chosen.id));
  requireCreated(outcome, notYet(chosen));
  return findSubscription(deps.db, chosen.id);
}

/** The faults that depend on several fields, the clock, the configuration or the ledger. */
async function combinedFaults(deps: AdminDeps, known: Partial<CreateSubscription>): Promise<Fault[]> {
  const ofRules = ruleFaults(known, deps.policy, deps.clock.now());
  return [...ofRules, ...(await replacesFaults(deps, known.replaces))];
}

/** Only an active or paused subscription can be replaced. */
export async function replacesFaults(deps: AdminDeps, replaces: SubscriptionId | undefined): Promise<Fault[]> {
  if (replaces === undefined) return [];
  const status = (await getSubscription(deps.db, replaces))?.status;
  if (status === 'active' || status === 'paused') return [];
  const got = status === undefined ? 'an unknown id' : `one that is ${status}`;
  return [{ path: 'replaces', message: `expected the id of an active or paused subscription; got ${got}` }];
}

/** What is stored for a new subscription, whether it is created here or imported. */
export function agreementOf(
  deps: AdminDeps,
  body: Omit<CreateSubscription, 'returnURL'>,
  subscriptionId: SubscriptionId,
) {
  const { amount, repetition, startAt, firstPaymentAt, endAt = null, onExhausted, replaces = null } = body;
  return {
    ...orderedNow(deps, body),
    subscriptionId,
    workflowId: subscriptionWorkflowId(subscriptionId),
    consentAmount: amount,
    repetition,
    startAt,
    firstPaymentAt,
    endAt,
    onExhausted,
    replaces,
  };
}

/**
 * What is stored for every new subscription or one-time payment: the payer, the addresses, the metadata and the times.
 */
export function orderedNow(
  { clock }: AdminDeps,
  body: Pick<CreatePayment, 'payer' | 'billingAddress' | 'shippingAddress' | 'metadata'>,
) {
  const { billingAddress, shippingAddress = null, metadata = {} } = body;
  const { email = null, reference = null, language = null } = body.payer ?? {};
  const payer = { email, reference, language };
  return { payer, billingAddress, shippingAddress, metadata, createdAt: clock.now(), draftedRealAt: clock.realNow() };
}

function notYet({ id }: ChosenId): Problem {
  const detail = `No worker answered in time. Subscription ${id} may still be created: look it up, or repeat the request with the same Idempotency-Key.`;
  return new Problem('not_ready', detail, { subscriptionId: id }, { 'retry-after': '5' });
}

/** @param other the subscription that has the id; null while only a draft of it exists */
function taken({ id }: ChosenId, other: SubscriptionRecord | null): Problem {
  if (other?.status !== 'consent_failed') return stateConflict(`The id ${id} is already in use.`);
  return stateConflict(`The id ${id} is used by a subscription whose consent failed. Use a new subscriptionId.`);
}

/** The current state of the subscription that the first request created: its consent may have changed since. */
function currentView(deps: AdminDeps, stored: unknown, request: FastifyRequest): Promise<SubscriptionOut> {
  const { subscriptionId } = stored as { readonly subscriptionId: SubscriptionId };
  return showSubscription(deps, request, subscriptionId);
}

/** `POST /subscriptions`. */
export function createSubscriptionRoute(app: TypedApp, deps: AdminDeps): void {
  const originalBodies = new WeakMap<FastifyRequest, unknown>();
  app.post(
    '/subscriptions',
    {
      config: {
        role: 'operator',
        scope: 'subscriptions:create',
        hasLocation: true,
        replayedAs: (stored, request) => currentView(deps, stored, request),
      },
      attachValidation: true,
      // Validation removes the offsets of instants, so keep the original body.
      preValidation: async (request) => void originalBodies.set(request, request.body),
      schema: {
        tags: ['subscriptions'],
        operationId: 'createSubscription',
        summary: 'Creates a subscription and opens a consent session; the payer has 10 minutes to approve',
        body: CreateSubscription,
        response: {
          201: SubscriptionOut.describe('The subscription was created and waits for the payer’s consent.'),
          ...ERROR_RESPONSES,
        },
      },
    },
    async (request, reply) => {
      refuseUnreleased(deps.policy);
      const faults = schemaFaults(request.validationError);
      if (faults.length > 0) {
        const known = readableFields(CreateSubscription, request.body);
        throw invalidRequest([...faults, ...(await combinedFaults(deps, known))]);
      }
      const caller = callerOf(request);
      const chosen = chooseId(request.body, caller, request.idempotentRun?.key ?? null);
      const created = await findCreated(deps, chosen);
      const requested = { body: request.body, written: originalBodies.get(request) };
      const record = created ?? (await createSubscription(deps, requested, chosen, actorOfCaller(caller)));
      return reply
        .code(201)
        .header('location', `/v1/subscriptions/${chosen.id}`)
        .send(viewSubscription(record, caller, deps.clock.now()));
    },
  );
}
