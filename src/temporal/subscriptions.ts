import { SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import { REQUEST_CONSENT } from '../contract/draft-steps';
import { interactiveQueue } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { isoOrNull, toIso } from '../domain/time';
import type { Actor } from '../domain/audit/event';
import { insertDraft, type NewEvent, type Request, type SubscriptionDraft } from '../ledger';
import { checkConsent } from './checks';
import type { CreateOutcome, RequestOutcome } from './outcomes';
import { restartSubscription } from './restart';
import { createByWorkflow, type Creation } from './creation';
import { frozenFor, notifyWorkflow, subscriptionStart } from './starts';
import { createSteering, type Steering } from './steering';
import { timeoutsOf, type TemporalDeps } from './temporal';

/** Creates, checks, restarts and steers subscriptions. Expected outcomes are returned; anything else throws. */
export interface SubscriptionWorkflows extends Steering {
  create(draft: SubscriptionDraft, by: Actor): Promise<CreateOutcome>;
  /** Reads the consent from the service now; any change is written to the ledger. */
  checkConsent(id: SubscriptionId): Promise<RequestOutcome>;
  /** Starts the workflow again if it is not running. */
  restart(id: SubscriptionId, request: Request): Promise<RequestOutcome>;
  /** Notifies the workflow of the row's revision. @throws if Temporal cannot be reached now. */
  notify(id: SubscriptionId, revision: number): Promise<void>;
}

export function createSubscriptionWorkflows(deps: TemporalDeps): SubscriptionWorkflows {
  const timeouts = timeoutsOf(deps);
  const notify = (id: SubscriptionId, revision: number) => notifyWorkflow(deps, id, revision);
  return {
    ...createSteering({ ...deps, cancelMs: timeouts.cancelMs, notify }),
    create: (draft, by) => createSubscription(deps, draft, by, timeouts.createMs),
    checkConsent: (id) => checkConsent(deps, id, { startMs: timeouts.createMs, answerMs: timeouts.checkMs }),
    restart: (id, request) => restartSubscription(deps, id, request),
    notify,
  };
}

/** Drafts a subscription and starts its workflow, see {@link createByWorkflow}. */
function createSubscription(
  deps: TemporalDeps,
  draft: SubscriptionDraft,
  by: Actor,
  timeoutMs: number,
): Promise<CreateOutcome> {
  const { subscriptionId, draftedRealAt, workflowId } = draft;
  const options = subscriptionStart(deps, draft, interactiveQueue(deps.taskQueue), REQUEST_CONSENT);
  const creation: Creation = {
    draft: { table: 'subscriptions', key: subscriptionId, draftedRealAt },
    workflowId,
    requested: requestedEvent(draft, by),
    async insert(staleBeforeReal) {
      const result = await insertDraft(deps.db, draft, staleBeforeReal, frozenFor(deps, subscriptionId));
      if (result.kind === 'inserted') return null;
      if (result.kind === 'replaced_by_another') return result;
      return result.status === 'draft' ? 'draft' : 'created';
    },
    start: () => deps.client.workflow.start(SUBSCRIPTION_WORKFLOW, options),
  };
  return createByWorkflow(deps, creation, timeoutMs);
}

function requestedEvent(draft: SubscriptionDraft, by: Actor): NewEvent {
  const { subscriptionId, repetition, consentAmount, replaces } = draft;
  const { firstPaymentAt, endAt } = draft;
  const dates = { firstPaymentAt: toIso(firstPaymentAt), endAt: isoOrNull(endAt) };
  return {
    subscriptionId,
    at: draft.createdAt,
    ...by,
    type: 'subscription.requested',
    data: { amount: consentAmount, repetition, ...dates, replaces },
  };
}
