import type { WorkflowHandle } from '@temporalio/client';
import {
  CONSENT_CHECK_WORKFLOW,
  type ConsentCheckInput,
  type ConsentCheckResult,
  consentCheckWorkflowId,
  PAYMENT_CHECK_WORKFLOW,
  paymentCheckWorkflowId,
} from '../contract/messages';
import type { PaymentChecked, PaymentReference } from '../contract/payments';
import { peopleQueue } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { isTerminal } from '../domain/subscription/state';
import { SECOND } from '../domain/time';
import { getSubscription, type PaymentRecord, type SubscriptionRecord } from '../ledger';
import type { SteerOutcome } from './outcomes';
import { OR_JOINED } from './starts';
import { type TemporalGatewayDeps, unlessAway, withPatience } from './temporal';

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'db' | 'taskQueue'>;

/** A check that the service does not answer for so long is given up, and so is the answer to its caller. */
const LONGEST_CHECK = 60 * SECOND;

/** Asks for the consent in a short workflow; what that changes is in the ledger by its end. */
export async function checkConsent(deps: Deps, id: SubscriptionId, patienceMs: number): Promise<SteerOutcome> {
  const subscription = await getSubscription(deps.db, id);
  if (subscription === null || isTerminal(subscription.status)) return { kind: 'done' };
  return unlessAway(() =>
    withPatience(deps, patienceMs, async () => {
      const handle = await startConsentCheck(deps, subscription);
      const { unavailable } = await handle.result();
      return unavailable === undefined ? { kind: 'done' } : { kind: 'unavailable', reason: unavailable };
    }),
  );
}

function startConsentCheck(
  { client, taskQueue }: Deps,
  { subscriptionId, paymentId }: SubscriptionRecord,
): Promise<WorkflowHandle<(input: ConsentCheckInput) => Promise<ConsentCheckResult>>> {
  if (paymentId === null) throw new Error(`the subscription ${subscriptionId} has no payment`);
  return client.workflow.start(CONSENT_CHECK_WORKFLOW, {
    workflowId: consentCheckWorkflowId(subscriptionId),
    taskQueue: peopleQueue(taskQueue),
    args: [{ subscriptionId, paymentId }],
    ...JOINED,
    staticSummary: `ask for the consent of ${subscriptionId}`,
  });
}

/** The same for a one-time payment. One that takes long is answered before: what it reads is in the ledger then. */
export async function checkPayment(
  deps: Deps,
  { requestId, paymentId }: PaymentRecord,
  { startMs, answerMs }: { readonly startMs: number; readonly answerMs: number },
): Promise<SteerOutcome> {
  return unlessAway(async () => {
    const handle = await withPatience(deps, startMs, () =>
      deps.client.workflow.start<PaymentCheck>(PAYMENT_CHECK_WORKFLOW, {
        workflowId: paymentCheckWorkflowId(requestId),
        taskQueue: peopleQueue(deps.taskQueue),
        args: [{ paymentId }],
        ...JOINED,
        staticSummary: `ask for the consent of payment ${paymentId}`,
      }),
    );
    const checked = await unlessAway(() => withPatience(deps, answerMs, () => handle.result()));
    const reason = 'unavailable' in checked ? checked.unavailable : undefined;
    return reason === undefined ? { kind: 'done' } : { kind: 'unavailable', reason };
  });
}

type PaymentCheck = (reference: PaymentReference) => Promise<PaymentChecked>;

const JOINED = { ...OR_JOINED, workflowExecutionTimeout: LONGEST_CHECK };
