import type { SubscriptionId } from '../domain/ids';
import type { Actor } from '../domain/trail/event';
import type { Request, SubscriptionDraft } from '../ledger';
import { checkConsent } from './checks';
import type { CreateOutcome, SteerOutcome } from './outcomes';
import { restartSubscription } from './restart';
import { notifyWorkflow } from './starts';
import { createSteering, type Steering } from './steering';
import { adoptByWorkflow, type AdoptOutcome, type ImportOrder } from './subscription-import';
import { createByWorkflow } from './subscription-start';
import { patienceOf, type TemporalGatewayDeps, hasWorker } from './temporal';

/** Creates, imports and steers subscriptions. Expected outcomes are returned; anything else throws. */
export interface SubscriptionGateway extends Steering {
  /**
   * Whether a worker works on workflows; false if Temporal cannot be reached. Temporal remembers a worker that was
   * killed for some minutes.
   */
  hasWorker(): Promise<boolean>;
  create(draft: SubscriptionDraft, by: Actor): Promise<CreateOutcome>;
  /** @param patienceMs real ms that an answer is waited for; as long as a creation if it is left out */
  adopt(order: ImportOrder, patienceMs?: number): Promise<AdoptOutcome>;
  /** Asks the service for the consent now; what that changes is in the ledger. */
  checkConsent(id: SubscriptionId): Promise<SteerOutcome>;
  /** Starts the workflow again if none runs. */
  restart(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
  /** Notifies the workflow of the row's revision. @throws if Temporal cannot be reached now. */
  notify(id: SubscriptionId, revision: number): Promise<void>;
}

export function createTemporalGateway(deps: TemporalGatewayDeps): SubscriptionGateway {
  const patience = patienceOf(deps);
  const notify = (id: SubscriptionId, revision: number) => notifyWorkflow(deps, id, revision);
  return {
    ...createSteering({ ...deps, cancelMs: patience.cancelMs, notify }),
    hasWorker: () => hasWorker(deps),
    create: (draft, by) => createByWorkflow(deps, draft, by, patience.createMs),
    adopt: (order, answerMs = patience.createMs) =>
      adoptByWorkflow(deps, order, { draftMs: patience.createMs, answerMs }),
    checkConsent: (id) => checkConsent(deps, id, patience.createMs),
    restart: (id, request) => restartSubscription(deps, id, request),
    notify,
  };
}
