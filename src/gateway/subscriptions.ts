import type { SubscriptionId } from '../domain/ids';
import type { Actor } from '../domain/trail/event';
import type { Request, SteeringRequests, SubscriptionDraft } from '../ledger';
import { checkConsent } from './checks';
import type { CreateOutcome, SteerOutcome } from './outcomes';
import { restartSubscription } from './restart';
import { type ChangeOrder, type ChangeOutcome, changeAmount, judgeAmount, notifyWorkflow, steerInLedger } from './steering';
import { adoptByWorkflow, type AdoptOutcome, type ImportOrder } from './subscription-import';
import { createByWorkflow } from './subscription-start';
import { patienceOf, type TemporalGatewayDeps, hasWorker } from './temporal';

/** Creates, imports and steers subscriptions. Expected outcomes are returned; anything else throws. */
export interface SubscriptionGateway {
  /**
   * Whether a worker works on workflows; false if Temporal cannot be reached. Temporal remembers a worker that was
   * killed for some minutes.
   */
  hasWorker(): Promise<boolean>;
  create(draft: SubscriptionDraft, by: Actor): Promise<CreateOutcome>;
  /** @param patienceMs real ms that an answer is waited for; as long as a creation if it is left out */
  adopt(order: ImportOrder, patienceMs?: number): Promise<AdoptOutcome>;
  /**
   * `done` once it holds in the ledger, with Temporal or without it. A cancellation is `not_ready` until the service has confirmed
   * it (rule 24).
   */
  steer<V extends keyof SteeringRequests>(
    verb: V,
    id: SubscriptionId,
    request: SteeringRequests[V],
  ): Promise<SteerOutcome>;
  /** Asks the service for the consent now; what that changes is in the ledger. */
  checkConsent(id: SubscriptionId): Promise<SteerOutcome>;
  /** Starts the workflow again if none runs. */
  restart(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
  changeAmount(id: SubscriptionId, order: ChangeOrder): Promise<ChangeOutcome>;
  /** What the change would be; nothing is changed. */
  judgeAmount(id: SubscriptionId, order: ChangeOrder): Promise<ChangeOutcome>;
  /** Notifies the workflow of the row's revision. @throws if Temporal cannot be reached now. */
  notify(id: SubscriptionId, revision: number): Promise<void>;
}

export function createTemporalGateway(deps: TemporalGatewayDeps): SubscriptionGateway {
  const patience = patienceOf(deps);
  return {
    hasWorker: () => hasWorker(deps),
    create: (draft, by) => createByWorkflow(deps, draft, by, patience.createMs),
    adopt: (order, answerMs = patience.createMs) =>
      adoptByWorkflow(deps, order, { draftMs: patience.createMs, answerMs }),
    steer: (verb, id, request) => steerInLedger(deps, verb, id, request),
    checkConsent: (id) => checkConsent(deps, id, patience.createMs),
    restart: (id, request) => restartSubscription(deps, id, request),
    changeAmount: (id, order) => changeAmount(deps, id, order),
    judgeAmount: (id, order) => judgeAmount(deps, id, order),
    notify: (id, revision) => notifyWorkflow(deps, id, revision),
  };
}
