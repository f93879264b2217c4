import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { paymentWorkflowId } from '../../contract/payments';
import { type CycleRecord, getCycle, getPaymentOfRequest, linkExpiry, type PaymentRecord } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import { creationIdOf } from '../http/idempotency';
import { ERROR_RESPONSES, invalidRequest, Problem, stateConflict } from '../http/problems';
import { schemaFaults } from '../http/validation';
import { refuseWhileHalted } from '../operations/halt';
import { findSubscription } from '../subscriptions/read';
import { capFaults, readableFields, requireCreated, returnFaults } from '../subscriptions/rules';
import { CycleParams } from '../subscriptions/schema';
import { isUnderWay } from './create';
import { CreatePaymentLink, PaymentLinkOut } from './schema';

/** `POST /subscriptions/{id}/cycles/{n}/payment-link` (rule 15). */
export function paymentLinkRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/cycles/:n/payment-link',
    {
      config: { role: 'operator', scope: 'payments:create', asks: 'payment_link', hasLocation: true },
      attachValidation: true,
      schema: {
        tags: ['cycles'],
        operationId: 'createPaymentLink',
        summary: 'Opens a session in which the payer pays a failed or missed cycle; the payer has 10 minutes',
        description:
          'Creates a Single Immediate payment of the amount of the cycle. Refused while the collection window is open, while an outcome is unknown, and while another link of the cycle is open.',
        params: CycleParams,
        body: CreatePaymentLink,
        response: {
          201: PaymentLinkOut.describe('The session is open: send the payer to `redirectURL`.'),
          ...ERROR_RESPONSES,
        },
      },
    },
    async (request, reply) => {
      const known = readableFields(CreatePaymentLink, request.body);
      const faults = [...schemaFaults(request.validationError), ...returnFaults(known, deps.policy)];
      if (faults.length > 0) throw invalidRequest(faults);
      const payment = await findOrCreate(deps, request);
      const location = `/v1/payments/${encodeURIComponent(payment.paymentId)}`;
      return reply.code(201).header('location', location).send(viewLink(payment));
    },
  );
}

type LinkRequest = FastifyRequest<{ Params: z.output<typeof CycleParams>; Body: CreatePaymentLink }>;

/** The payment of the link, which an earlier run of the same request may have created. */
async function findOrCreate(deps: AdminDeps, request: LinkRequest): Promise<PaymentRecord> {
  const { params, body, idempotentRun } = request;
  const { subscriptionId } = await findSubscription(deps.db, params.id);
  const fingerprinted = { subscriptionId, cycle: params.n, body };
  const chosen = creationIdOf<string>('pay', fingerprinted, callerOf(request), idempotentRun?.key ?? null);
  const created = chosen.isDerived ? await getPaymentOfRequest(deps.db, chosen.id) : null;
  if (created !== null) return created;
  const cycle = await getCycle(deps.db, subscriptionId, params.n);
  if (cycle === null) throw stateConflict(`cycle ${params.n} has not fallen due yet, or does not exist`);
  return createLink(deps, request, cycle, chosen.id);
}

/** @throws Problem if a rule forbids the link, the payment service refuses it, or no worker answers */
async function createLink(
  deps: AdminDeps,
  request: LinkRequest,
  { subscriptionId, cycle, amount }: CycleRecord,
  requestId: string,
): Promise<PaymentRecord> {
  const { policy, clock, payments, db } = deps;
  const { returnURL, reason = null } = request.body;
  const [capped] = capFaults(amount, policy.merchantCategoryCode, `for category ${policy.merchantCategoryCode}`);
  if (capped !== undefined)
    throw stateConflict(`the amount of cycle ${cycle} cannot be paid at once: ${capped.message}`);
  await refuseWhileHalted(deps, () => isUnderWay(deps, requestId));
  const outcome = await payments.createLink({
    ...actorOfCaller(callerOf(request)),
    subscriptionId,
    cycle,
    amount,
    requestId,
    returnURL,
    reason,
    workflowId: paymentWorkflowId(requestId),
    merchantCategoryCode: policy.merchantCategoryCode ?? null,
    createdAt: clock.now(),
    draftedRealAt: clock.realNow(),
  });
  // The link may also have been created a moment ago by an earlier run of the same request, whose caller stopped waiting.
  const created = await getPaymentOfRequest(db, requestId);
  if (created !== null) return created;
  if (outcome.kind === 'unavailable') await refuseWhileHalted(deps);
  requireCreated(outcome, notYet());
  throw new Error(`the payment link of request ${requestId} was created but cannot be found`);
}

/**
 * The answer if the link was not created in time. A caller without an Idempotency-Key cannot find the link later; then no payer has
 * the address, and the session times out.
 */
function notYet(): Problem {
  const detail =
    'No worker answered in time. The link may still be created: repeat the request with the same Idempotency-Key to find out.';
  return new Problem('not_ready', detail, {}, { 'retry-after': '5' });
}

/** @throws Problem if the payer has been erased since the link was created */
function viewLink({ paymentId, consent }: PaymentRecord): z.infer<typeof PaymentLinkOut> {
  const { redirectURL, requestedRealAt } = consent;
  if (redirectURL === null) throw stateConflict('the personal data of the payer was erased');
  return { paymentId, redirectURL, expiresAt: linkExpiry({ requestedRealAt }) };
}
