import { paymentWorkflowId } from '../../contract/payments';
import { longestTimeToCapture, DEFAULT_TIME_TO_CAPTURE } from '../../domain/payment/capture-rules';
import type { Actor } from '../../domain/audit/event';
import { getPaymentOfRequest, type PaymentDraft, type PaymentRecord, readDraftProgress } from '../../ledger';
import type { AdminDeps, TypedApp, Policy } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import { creationIdOf } from '../http/idempotency';
import { MAX_RUN_MS } from '../http/idempotency-leases';
import { type Fault, invalidRequest, Problem, ERROR_RESPONSES } from '../http/problems';
import { fault, schemaFaults } from '../http/validation';
import { refuseWhileHalted } from '../operations/halt';
import { orderedNow } from '../subscriptions/create';
import { capFaults, returnFaults, requireCreated, readableFields } from '../subscriptions/rules';
import { CreatePayment, PaymentOut, viewPayment } from './schema';

/** The valid fields; an omitted optional field is present as undefined. */
type Known = Partial<CreatePayment>;

/** The faults of a one-time payment that no single field shows (rules 6, 26). */
function paymentFaults(body: unknown, policy: Policy): Fault[] {
  const known = readableFields(CreatePayment, body);
  return [
    ...flagFaults(known),
    ...timeFaults(known, policy),
    ...cappedFaults(known, policy),
    ...returnFaults(known, policy),
  ];
}

/** The merchant category code of the payment, or else that of the installation. */
export function categoryOf({ merchantCategoryCode }: Known, policy: Policy): string | undefined {
  return merchantCategoryCode ?? policy.merchantCategoryCode;
}

/** "Partial capture: Event Dependent only" (reference, Limits); the service books a Single Immediate payment whole. */
function flagFaults({ plan, partialCapture, multipleCapture }: Known): Fault[] {
  if (plan !== 'SINGLE') return [];
  const flags = Object.entries({ partialCapture, multipleCapture });
  return flags.flatMap(([name, flag]) => (flag === true ? [fault(name, 'false or no value for SINGLE', flag)] : []));
}

function timeFaults(known: Known, policy: Policy): Fault[] {
  const { plan, timeToCapture } = known;
  if (timeToCapture === undefined) return [];
  if (plan === 'SINGLE')
    return [fault('timeToCapture', 'no value for SINGLE, which is captured at once', timeToCapture)];
  const category = readableCategory(known, policy);
  const longest = longestTimeToCapture(category, policy.longCapturePermitted);
  if (timeToCapture <= longest) return [];
  const why = policy.longCapturePermitted ? `for category ${category}` : 'because LONG_CAPTURE_PERMITTED is off';
  return [fault('timeToCapture', `a number of at most ${longest}, ${why}`, timeToCapture)];
}

/** If a single capture takes the whole amount, the cap on captures applies to it (rule 26). */
function cappedFaults(known: Known, policy: Policy): Fault[] {
  const { plan, amount, partialCapture } = known;
  if (amount === undefined || plan === undefined) return [];
  const category = readableCategory(known, policy);
  if (plan === 'SINGLE') return capFaults(amount, category, `for category ${category}`);
  return partialCapture === false ? capFaults(amount, category, `for category ${category} without partialCapture`) : [];
}

/** Undefined if the payment's own category is invalid: rules that depend on it are not checked. */
function readableCategory(known: Known, policy: Policy): string | undefined {
  return 'merchantCategoryCode' in known ? categoryOf(known, policy) : undefined;
}

/** @throws Problem if a rule forbids the payment, the payment service refuses it, or no worker answers */
async function createPayment(
  deps: AdminDeps,
  body: CreatePayment,
  requestId: string,
  by: Actor,
): Promise<PaymentRecord> {
  const faults = paymentFaults(body, deps.policy);
  if (faults.length > 0) throw invalidRequest(faults);
  await refuseWhileHalted(deps, () => isUnderWay(deps, requestId));
  const outcome = await deps.payments.create(draftOf(deps, body, requestId, by));
  // The payment may also have been created a moment ago by an earlier run of the same request, whose caller stopped waiting.
  const created = await getPaymentOfRequest(deps.db, requestId);
  if (created !== null) return created;
  if (outcome.kind === 'unavailable') await refuseWhileHalted(deps);
  requireCreated(outcome, notYet());
  throw new Error(`the payment of request ${requestId} was created but cannot be found`);
}

/** Whether another run of the same request may still be calling the payment service. */
export async function isUnderWay({ db, clock }: AdminDeps, requestId: string): Promise<boolean> {
  const draft = await readDraftProgress(db, 'payments', requestId);
  return draft !== null && draft.answer === null && draft.draftedRealAt > clock.realNow() - MAX_RUN_MS;
}

function draftOf(deps: AdminDeps, body: CreatePayment, requestId: string, by: Actor): PaymentDraft {
  const { plan, amount, returnURL, partialCapture, multipleCapture, timeToCapture = DEFAULT_TIME_TO_CAPTURE } = body;
  return {
    ...orderedNow(deps, body),
    ...by,
    requestId,
    workflowId: paymentWorkflowId(requestId),
    plan,
    amount,
    returnURL,
    partialCapture,
    multipleCapture,
    timeToCapture: plan === 'SINGLE' ? null : timeToCapture,
    merchantCategoryCode: categoryOf(body, deps.policy) ?? null,
  };
}

/**
 * The answer if the payment was not created in time. A caller without an Idempotency-Key cannot find the payment later; then no payer
 * has the address of its session, and the session times out.
 */
function notYet(): Problem {
  const detail =
    'No worker answered in time. The payment may still be created: repeat the request with the same Idempotency-Key to find out.';
  return new Problem('not_ready', detail, {}, { 'retry-after': '5' });
}

/** `POST /payments`. */
export function createPaymentRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/payments',
    {
      config: { role: 'operator', scope: 'payments:create', hasLocation: true },
      attachValidation: true,
      schema: {
        tags: ['payments'],
        operationId: 'createPayment',
        summary: 'Creates a one-time payment and opens a consent session; the payer has 10 minutes to approve',
        body: CreatePayment,
        response: {
          201: PaymentOut.describe('The payment was created and waits for the payer’s consent.'),
          ...ERROR_RESPONSES,
        },
      },
    },
    async (request, reply) => {
      const faults = schemaFaults(request.validationError);
      if (faults.length > 0) throw invalidRequest([...faults, ...paymentFaults(request.body, deps.policy)]);
      const caller = callerOf(request);
      const chosen = creationIdOf('pay', request.body, caller, request.idempotentRun?.key ?? null);
      const created = chosen.isDerived ? await getPaymentOfRequest(deps.db, chosen.id) : null;
      const record = created ?? (await createPayment(deps, request.body, chosen.id, actorOfCaller(caller)));
      const location = `/v1/payments/${encodeURIComponent(record.paymentId)}`;
      return reply.code(201).header('location', location).send(viewPayment(record, caller));
    },
  );
}
