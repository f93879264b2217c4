import type { FastifyRequest } from 'fastify';
import { subscriptionWorkflowId } from '../../contract/workflows';
import type { SubscriptionId } from '../../domain/ids';
import type { Actor } from '../../domain/audit/event';
import { getSubscription, IDEMPOTENCY_LIFE, isDraftedFor, type SubscriptionRecord } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import type { CreatePayment } from '../payments/schema';
import { actorOfCaller, type Caller, callerOf } from '../http/caller';
import { type ChosenId, idOfCreation } from '../http/idempotency';
import { LONGEST_RUN_MS } from '../http/idempotency-leases';
import { type Fault, invalidRequest, Problem, stateConflict, FAULT_ANSWERS } from '../http/problems';
import { schemaFaults } from '../http/validation';
import { refuseWhileHalted } from '../operations/halt';
import { findSubscription } from './read';
import { requireCreated, ruleFaults, readableFields, refuseUnreleased } from './rules';
import { CreateSubscription, SubscriptionOut, viewSubscription } from './schema';
import { creationWarnings, duplicateWarnings, replacementWarnings } from './warnings';

/** The caller's id; else one that follows from the request. */
function chooseId(body: CreateSubscription, caller: Caller, idempotencyKey: string | null): ChosenId<SubscriptionId> {
  const { subscriptionId } = body;
  const chosen = idOfCreation<SubscriptionId>('sub', body, caller, idempotencyKey);
  return subscriptionId === undefined ? chosen : { ...chosen, id: subscriptionId, isOfRequest: false };
}

/** What the same request has already made; null where it is new. */
async function findMade(deps: AdminDeps, chosen: ChosenId<SubscriptionId>): Promise<SubscriptionRecord | null> {
  return (await isOfSameRequest(deps, chosen)) ? getSubscription(deps.db, chosen.id) : null;
}

/** Of an id that the caller has chosen, the ledger knows whose it is, for as long as idempotency keys are kept. */
async function isOfSameRequest(deps: AdminDeps, chosen: ChosenId<SubscriptionId>): Promise<boolean> {
  return chosen.isOfRequest || isDraftedWithin(deps, chosen, IDEMPOTENCY_LIFE);
}

/** Another run of the same request may be asking the service. */
function isUnderWay(deps: AdminDeps, chosen: ChosenId<SubscriptionId>): Promise<boolean> {
  return isDraftedWithin(deps, chosen, LONGEST_RUN_MS);
}

async function isDraftedWithin(
  { db, clock }: AdminDeps,
  { id: subscriptionId, requestId }: ChosenId<SubscriptionId>,
  ms: number,
): Promise<boolean> {
  return requestId !== null && isDraftedFor(db, { subscriptionId, requestId, sinceReal: clock.realNow() - ms });
}

/** What is asked for. */
interface Requested {
  readonly body: CreateSubscription;
  /** The body as the caller wrote it. */
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

/** @throws Problem where a rule, the ledger, the payment service or the lack of a worker stands against it. */
async function createSubscription(
  deps: AdminDeps,
  request: Requested,
  chosen: ChosenId<SubscriptionId>,
  by: Actor,
): Promise<SubscriptionRecord> {
  const { body } = request;
  const faults = await faultsBetween(deps, body);
  // What was right when the request was first sent, a date ahead for one, need not be by its second run.
  if (faults.length > 0 && (await isUnderWay(deps, chosen))) throw notYet(chosen);
  if (faults.length > 0) throw invalidRequest(faults);
  // Made by the same request, which was given up on, a moment ago.
  const made = await findMade(deps, chosen);
  if (made !== null) return made;
  const other = await getSubscription(deps.db, chosen.id);
  if (other !== null) throw taken(chosen, other);
  await refuseWhileHalted(deps, () => isUnderWay(deps, chosen));
  const warnings = await warningsOf(deps, request, chosen.id);
  const { requestId } = chosen;
  const draft = { ...agreementOf(deps, body, chosen.id), requestId, returnURL: body.returnURL, warnings };
  const outcome = await deps.subscriptions.create(draft, by);
  // The ledger decides, not the outcome here (rule 18): Temporal's answer may have been lost, or another
  // process has taken this request over, or is the one from which this one has.
  const isOwn = body.subscriptionId === undefined || (await isOfSameRequest(deps, chosen));
  const onRecord = isOwn ? await getSubscription(deps.db, chosen.id) : null;
  if (onRecord !== null) return onRecord;
  if (outcome.kind === 'unavailable') await refuseWhileHalted(deps);
  if (outcome.kind === 'exists' && !isOwn) throw taken(chosen, await getSubscription(deps.db, chosen.id));
  requireCreated(outcome, notYet(chosen));
  return findSubscription(deps.db, chosen.id);
}

/** The faults that show only in several fields, the clock, the configuration and the ledger together. */
async function faultsBetween(deps: AdminDeps, known: Partial<CreateSubscription>): Promise<Fault[]> {
  const ofRules = ruleFaults(known, deps.policy, deps.clock.now());
  return [...ofRules, ...(await replacesFaults(deps, known.replaces))];
}

/** Only what is in force can be replaced. */
export async function replacesFaults(deps: AdminDeps, replaces: SubscriptionId | undefined): Promise<Fault[]> {
  if (replaces === undefined) return [];
  const status = (await getSubscription(deps.db, replaces))?.status;
  if (status === 'active' || status === 'paused') return [];
  const got = status === undefined ? 'an id that is not known' : `one that is ${status}`;
  return [{ path: 'replaces', message: `expected the id of an active or paused subscription; got ${got}` }];
}

/** What is kept of a subscription to be, whether it is created here or was granted elsewhere. */
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

/** What is kept of anything that is ordered, also of a one-time payment: for whom, and when. */
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
  const detail = `No worker answered in time. Subscription ${id} may still be created: look for it, or repeat with the same Idempotency-Key.`;
  return new Problem('not_ready', detail, { subscriptionId: id }, { 'retry-after': '5' });
}

/** @param other null while only its draft exists */
function taken({ id }: ChosenId, other: SubscriptionRecord | null): Problem {
  if (other?.status !== 'consent_failed') return stateConflict(`The id ${id} is taken.`);
  return stateConflict(
    `The id ${id} is taken by a subscription whose consent failed. Use a new subscriptionId for the next try.`,
  );
}

/** The subscription that the first request created: its payer may have approved since, or the session have ended. */
async function asItIsNow({ db }: AdminDeps, kept: unknown, request: FastifyRequest): Promise<SubscriptionOut> {
  const { subscriptionId } = kept as { readonly subscriptionId: SubscriptionId };
  return viewSubscription(await findSubscription(db, subscriptionId), callerOf(request));
}

/** `POST /subscriptions`. */
export function createSubscriptionRoute(app: TypedApp, deps: AdminDeps): void {
  const written = new WeakMap<FastifyRequest, unknown>();
  app.post(
    '/subscriptions',
    {
      config: {
        role: 'operator',
        scope: 'subscriptions:create',
        hasLocation: true,
        replayedAs: (kept, request) => asItIsNow(deps, kept, request),
      },
      attachValidation: true,
      // Once it is checked its instants have no offset any more.
      preValidation: async (request) => void written.set(request, request.body),
      schema: {
        tags: ['subscriptions'],
        operationId: 'createSubscription',
        summary: 'Creates a subscription and opens the consent session, for which the payer has 10 minutes',
        body: CreateSubscription,
        response: {
          201: SubscriptionOut.describe('The subscription is created, and waits for the consent of its payer.'),
          ...FAULT_ANSWERS,
        },
      },
    },
    async (request, reply) => {
      refuseUnreleased(deps.policy);
      const faults = schemaFaults(request.validationError);
      if (faults.length > 0) {
        const known = readableFields(CreateSubscription, request.body);
        throw invalidRequest([...faults, ...(await faultsBetween(deps, known))]);
      }
      const caller = callerOf(request);
      const chosen = chooseId(request.body, caller, request.idempotentRun?.key ?? null);
      const made = await findMade(deps, chosen);
      const requested = { body: request.body, written: written.get(request) };
      const record = made ?? (await createSubscription(deps, requested, chosen, actorOfCaller(caller)));
      return reply
        .code(201)
        .header('location', `/v1/subscriptions/${chosen.id}`)
        .send(viewSubscription(record, caller));
    },
  );
}
