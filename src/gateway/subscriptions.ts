import type { UpdateDefinition } from '@temporalio/common';
import {
  changeAmountUpdate,
  judgeChangeQuery,
  type Request,
  STEERING_UPDATES,
  type SteeringRequests,
  type Verb,
} from '../contract/messages';
import type { Brought, RecordedVerb } from '../contract/requests';
import { subscriptionWorkflowId } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import type { Money } from '../domain/money';
import { type AmountChange, refusalOf } from '../domain/subscription/amount-request';
import type { Actor } from '../domain/trail/event';
import { putRequest, readProgress, type SubscriptionDraft } from '../ledger';
import { checkConsent } from './checks';
import { cancelInLedger, pauseInLedger, notifyWorkflow } from './holds';
import { type CreateOutcome, type NotDone, refused, type SteerOutcome } from './outcomes';
import { restartSubscription } from './restart';
import { adoptByWorkflow, type AdoptOutcome, type ImportOrder } from './subscription-import';
import { createByWorkflow } from './subscription-start';
import { answered, patienceOf, type TemporalGatewayDeps, withPatience, hasWorker } from './temporal';

export type ChangeOutcome = { readonly kind: 'changed'; readonly change: AmountChange } | NotDone;

/** A new amount from a cycle on; null: from the next one on. */
export interface ChangeOrder extends Request {
  readonly amount: Money;
  readonly fromCycle: number | null;
}

/** The way from the admin API to the workflows. Expected outcomes are returned; anything else throws. */
export interface SubscriptionGateway {
  /**
   * Whether a worker works on workflows; false where Temporal cannot be reached. Temporal remembers a worker that was
   * killed for some minutes.
   */
  hasWorker(): Promise<boolean>;
  create(draft: SubscriptionDraft, by: Actor): Promise<CreateOutcome>;
  /** @param patienceMs real ms that an answer is waited for; as long as a creation where it is not said */
  adopt(order: ImportOrder, patienceMs?: number): Promise<AdoptOutcome>;
  /**
   * `done` once the workflow has accepted it and the ledger has it. `pause` and `cancel` hold in the ledger before the
   * workflow is notified (rule 31): a cancellation is `not_ready` until the service has confirmed it.
   */
  steer<V extends Verb>(verb: V, id: SubscriptionId, request: SteeringRequests[V]): Promise<SteerOutcome>;
  changeAmount(id: SubscriptionId, order: ChangeOrder): Promise<ChangeOutcome>;
  /** What the change would be; nothing is changed. */
  judgeAmount(id: SubscriptionId, order: ChangeOrder): Promise<ChangeOutcome>;
  /** Notifies the workflow that its row was steered. @throws where it cannot be reached now. */
  notify(id: SubscriptionId, revision: number): Promise<void>;
}

/** Steers subscriptions by updates of their workflows. */
export function createTemporalGateway(deps: TemporalGatewayDeps): SubscriptionGateway {
  const patience = patienceOf(deps);
  const steers = steersOf(deps);
  return {
    hasWorker: () => hasWorker(deps),
    create: (draft, by) => createByWorkflow(deps, draft, by, patience.createMs),
    adopt: (order, answerMs = patience.createMs) =>
      adoptByWorkflow(deps, order, { draftMs: patience.createMs, answerMs }),
    steer: (verb, id, request) => steers[verb](id, request),
    changeAmount: (id, order) => changeAmount(deps, id, order),
    judgeAmount: (id, order) => judgeAmount(deps, id, order, patience.steerMs),
    notify: (id, revision) => notifyWorkflow(deps, id, revision),
  };
}

type Steers = {
  readonly [V in Verb]: (id: SubscriptionId, request: SteeringRequests[V]) => Promise<SteerOutcome>;
};

/** What carries out each verb: an update of the workflow, but for those that are more. */
function steersOf(deps: TemporalGatewayDeps): Steers {
  const { createMs } = patienceOf(deps);
  const updates = Object.entries(STEERING_UPDATES).map(([verb, update]) => {
    const ask = (id: SubscriptionId, request: Repeatable) =>
      answered(async (): Promise<SteerOutcome> => {
        await updateWorkflow<void, Repeatable>(deps, { verb: verb as RecordedVerb, update }, id, request);
        return { kind: 'done' };
      });
    return [verb, ask];
  });
  return {
    ...(Object.fromEntries(updates) as Pick<Steers, keyof typeof STEERING_UPDATES>),
    pause: (id, request) => pauseInLedger(deps, id, request),
    cancel: (id, request) => cancelInLedger(deps, id, request),
    check_consent: (id) => checkConsent(deps, id, createMs),
    restart: (id, request) => restartSubscription(deps, id, request),
  };
}

type Repeatable = Brought & Pick<Request, 'requestId'>;

/**
 * Once it is on record, and with what the ledger has: a workflow that has not heard of that yet does so first. A request
 * that is repeated is known by its id, for as long as the workflow's run lasts.
 */
async function updateWorkflow<T, R extends Repeatable>(
  deps: TemporalGatewayDeps,
  { verb, update }: { readonly verb: RecordedVerb; readonly update: UpdateDefinition<T, [R]> },
  id: SubscriptionId,
  request: R,
): Promise<T> {
  const handle = deps.client.workflow.getHandle(subscriptionWorkflowId(id));
  const onRecord = await putRequest(deps.db, id, verb, request);
  const args: [R] = [{ ...onRecord, ...(await readProgress(deps.db, id)) }];
  const { requestId } = request;
  const known = requestId === undefined ? {} : { updateId: `${update.name}/${requestId}` };
  return withPatience(deps, patienceOf(deps).steerMs, () => handle.executeUpdate(update, { args, ...known }));
}

const CHANGE_AMOUNT = { verb: 'change_amount', update: changeAmountUpdate } as const;

async function changeAmount(deps: TemporalGatewayDeps, id: SubscriptionId, order: ChangeOrder): Promise<ChangeOutcome> {
  const request = { ...order, announceAhead: deps.increaseNotice };
  return answered(async () => {
    const change = await updateWorkflow(deps, CHANGE_AMOUNT, id, request);
    return { kind: 'changed', change };
  });
}

async function judgeAmount(
  deps: TemporalGatewayDeps,
  id: SubscriptionId,
  { amount, fromCycle }: ChangeOrder,
  patienceMs: number,
): Promise<ChangeOutcome> {
  const handle = deps.client.workflow.getHandle(subscriptionWorkflowId(id));
  const request = { amount, fromCycle, announceAhead: deps.increaseNotice };
  return answered(async () => {
    const judgement = await withPatience(deps, patienceMs, () => handle.query(judgeChangeQuery, request));
    return judgement.kind === 'allowed' ? { kind: 'changed', change: judgement.change } : refused(refusalOf(judgement));
  });
}
