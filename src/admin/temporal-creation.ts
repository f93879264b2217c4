import { WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import type { ConsentRequestResult } from '../contract/activities';
import { requestConsentUpdate, SUBSCRIPTION_WORKFLOW, type SubscriptionInput } from '../contract/messages';
import { subscriptionWorkflowId } from '../contract/workflow-ids';
import type { SubscriptionId } from '../domain/ids';
import { toIso } from '../domain/instant';
import { formatMoney } from '../domain/money';
import { newSubscription } from '../domain/subscription';
import { insertDraft, insertEvent, type NewEvent, type SubscriptionDraft } from '../ledger';
import { DRAFT_MARGIN_MS, shownAtFirst, termsOf } from './new-workflow';
import type { CreateOutcome } from './subscription-gateway';
import { spreadOf } from './subscription-spread';
import { isAlreadyStarted, isNotReady } from './temporal-answers';
import { type TemporalGatewayDeps, withPatience } from './temporal-deps';

/** Draft, trail, workflow, in this order: what starts the workflow finds the draft. */
export async function createByWorkflow(
  deps: TemporalGatewayDeps,
  draft: SubscriptionDraft,
  actor: string,
  patienceMs: number,
): Promise<CreateOutcome> {
  try {
    if (!(await storeDraft(deps, draft, patienceMs))) return { kind: 'exists' };
    await insertEvent(deps.db, requestedEvent(draft, actor));
    return outcomeOf(await withPatience(deps, patienceMs, () => requestConsent(deps, draft)));
  } catch (error) {
    if (isAlreadyStarted(error)) return { kind: 'exists' };
    if (isNotReady(error)) return { kind: 'not_ready' };
    throw error;
  }
}

/**
 * False where the id is taken. A draft left behind is replaced, but never under a workflow that may still read it: it
 * would ask for the consent of the new terms and collect by the old ones.
 */
async function storeDraft(deps: TemporalGatewayDeps, draft: SubscriptionDraft, patienceMs: number): Promise<boolean> {
  const first = await insertDraft(deps.db, draft, 0);
  if (first.kind === 'inserted') return true;
  if (first.status !== 'draft' || (await isUnderWay(deps, draft.subscriptionId, patienceMs))) return false;
  const again = await insertDraft(deps.db, draft, draft.draftedRealAt - patienceMs - DRAFT_MARGIN_MS);
  return again.kind === 'inserted';
}

async function isUnderWay(deps: TemporalGatewayDeps, id: SubscriptionId, patienceMs: number): Promise<boolean> {
  const handle = deps.client.workflow.getHandle(subscriptionWorkflowId(id));
  try {
    const { status } = await withPatience(deps, patienceMs, () => handle.describe());
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function requestedEvent(draft: SubscriptionDraft, actor: string): NewEvent {
  const { subscriptionId, repetition, consentAmount, replaces } = draft;
  const { firstPaymentAt, endAt } = draft;
  const dates = { firstPaymentAt: toIso(firstPaymentAt), endAt: endAt === null ? null : toIso(endAt) };
  return {
    subscriptionId,
    at: draft.createdAt,
    actor,
    type: 'subscription.requested',
    data: { amount: consentAmount, repetition, ...dates, replaces },
  };
}

function outcomeOf(result: ConsentRequestResult): CreateOutcome {
  return result.kind === 'requested' ? { kind: 'created' } : result;
}

/** Start and first question in one call: either both are taken, or neither. */
async function requestConsent(deps: TemporalGatewayDeps, draft: SubscriptionDraft): Promise<ConsentRequestResult> {
  const startWorkflowOperation = new WithStartWorkflowOperation(SUBSCRIPTION_WORKFLOW, {
    workflowId: subscriptionWorkflowId(draft.subscriptionId),
    taskQueue: deps.taskQueue,
    args: [inputOf(deps, draft)],
    // A creation under way is never joined: its terms may be others.
    workflowIdConflictPolicy: 'FAIL',
    // An order that the service refused left nothing; its id may be used again.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `${draft.repetition} ${formatMoney(draft.consentAmount)}`,
    typedSearchAttributes: shownAtFirst(draft.repetition),
  });
  return deps.client.workflow.executeUpdateWithStart(requestConsentUpdate, { startWorkflowOperation });
}

function inputOf(deps: TemporalGatewayDeps, draft: SubscriptionDraft): SubscriptionInput {
  const spread = spreadOf(draft.subscriptionId, deps.spreadSeconds);
  return {
    state: newSubscription({ terms: termsOf(draft), policy: deps.retryPolicy, spread, replaces: draft.replaces }),
    clock: deps.clock.setting,
  };
}
