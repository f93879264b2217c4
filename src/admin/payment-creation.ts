import { paymentWorkflowId } from '../contract/payments';
import { USUAL_TIME_TO_CAPTURE } from '../domain/payment/capture-rules';
import { getPaymentOfRequest, type PaymentDraft, type PaymentRecord } from '../ledger';
import type { AdminDeps } from './admin-deps';
import type { ChosenId } from './chosen-id';
import { requireCreated } from './creation-answers';
import { readableFields } from './creation-rules';
import { refuseWhileHalted } from './halted';
import { categoryOf, paymentFaults } from './payment-rules';
import { invalidRequest, Problem } from './problems';
import { CreatePayment } from './schemas/payment-request';

/** What the same request has already made; null where it is new. */
export async function findMadePayment({ db }: AdminDeps, chosen: ChosenId): Promise<PaymentRecord | null> {
  return chosen.isOfRequest ? getPaymentOfRequest(db, chosen.id) : null;
}

/** @throws Problem where a rule, the payment service or the lack of a worker stands against it. */
export async function createPayment(
  deps: AdminDeps,
  body: CreatePayment,
  requestId: string,
  actor: string,
): Promise<PaymentRecord> {
  const faults = paymentFaults(readableFields(CreatePayment, body), deps.policy);
  if (faults.length > 0) throw invalidRequest(faults);
  await refuseWhileHalted(deps);
  const outcome = await deps.payments.create(draftOf(deps, body, requestId, actor));
  // It may also have been made by the same request, which was given up on, a moment ago.
  const made = await getPaymentOfRequest(deps.db, requestId);
  if (made !== null) return made;
  if (outcome.kind === 'unavailable') await refuseWhileHalted(deps);
  requireCreated(outcome, { exists: notYet, notReady: notYet });
  throw new Error(`the payment of ${requestId} was created and is gone`);
}

function draftOf({ clock, policy }: AdminDeps, body: CreatePayment, requestId: string, actor: string): PaymentDraft {
  const { plan, amount, returnURL, partialCapture, multipleCapture, billingAddress } = body;
  return {
    ...{ requestId, workflowId: paymentWorkflowId(requestId), actor },
    ...{ plan, amount, returnURL, partialCapture, multipleCapture, billingAddress },
    shippingAddress: body.shippingAddress ?? null,
    timeToCapture: plan === 'SINGLE' ? null : (body.timeToCapture ?? USUAL_TIME_TO_CAPTURE),
    merchantCategoryCode: categoryOf(body, policy) ?? null,
    createdAt: clock.now(),
    draftedRealAt: clock.realNow(),
  };
}

/** Without an Idempotency-Key nobody can find it: its session, of which nobody has the address, times out. */
function notYet(): Problem {
  const detail =
    'No worker answered in time. The payment may still be created: repeat with the same Idempotency-Key to hear of it.';
  return new Problem('not_ready', detail, {}, { 'retry-after': '5' });
}
