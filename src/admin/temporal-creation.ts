import { WithStartWorkflowOperation } from '@temporalio/client';
import type { ConsentRequestResult } from '../contract/activities';
import { requestConsentUpdate, SUBSCRIPTION_WORKFLOW, type SubscriptionInput } from '../contract/messages';
import { peopleQueue } from '../contract/task-queues';
import { subscriptionWorkflowId } from '../contract/workflow-ids';
import { toIso } from '../domain/time';
import { formatMoney } from '../domain/money';
import { newSubscription } from '../domain/subscription/state';
import { insertDraft, insertEvent, type NewEvent, type SubscriptionDraft } from '../ledger';
import { shownAtFirst, termsOf } from './new-workflow';
import type { CreateOutcome } from './subscription-gateway';
import { frozenFor } from './subscription-spread';
import { type TemporalGatewayDeps, withPatience } from './temporal-deps';
import { created, type Drafting, outcomeOf, storeDraft } from './temporal-drafts';

/** Draft, trail, workflow, in this order: what starts the workflow finds the draft. */
export function createByWorkflow(
  deps: TemporalGatewayDeps,
  draft: SubscriptionDraft,
  actor: string,
  patienceMs: number,
): Promise<CreateOutcome> {
  return created(async () => {
    if (!(await storeDraft(deps, draftingOf(deps, draft), patienceMs))) return { kind: 'exists' };
    await insertEvent(deps.db, requestedEvent(draft, actor));
    return outcomeOf(await withPatience(deps, patienceMs, () => requestConsent(deps, draft)));
  });
}

function draftingOf(deps: TemporalGatewayDeps, draft: SubscriptionDraft): Drafting {
  const frozen = frozenFor(deps, draft.subscriptionId);
  return {
    workflowId: draft.workflowId,
    draftedRealAt: draft.draftedRealAt,
    async insert(staleBeforeReal) {
      const result = await insertDraft(deps.db, draft, staleBeforeReal, frozen);
      if (result.kind === 'inserted') return null;
      return result.status === 'draft' ? 'draft' : 'made';
    },
  };
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

/** Start and first question in one call: either both are taken, or neither. */
async function requestConsent(deps: TemporalGatewayDeps, draft: SubscriptionDraft): Promise<ConsentRequestResult> {
  const startWorkflowOperation = new WithStartWorkflowOperation(SUBSCRIPTION_WORKFLOW, {
    workflowId: subscriptionWorkflowId(draft.subscriptionId),
    taskQueue: peopleQueue(deps.taskQueue),
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
  const frozen = frozenFor(deps, draft.subscriptionId);
  return {
    state: newSubscription({ terms: termsOf(draft), ...frozen, replaces: draft.replaces }),
    clock: deps.clock.setting,
  };
}
