import type { SubscriptionId } from '../domain/ids';
import type { Actor } from '../domain/trail/event';
import type { Request, SubscriptionDraft } from '../ledger';
import { checkConsent } from './checks';
import type { CreateOutcome, SteerOutcome } from './outcomes';
import { restartSubscription } from './restart';
import { notifyWorkflow } from './starts';
import { createSteering, type Steering } from './steering';
import { createByWorkflow } from './subscription-start';
import { patienceOf, type TemporalGatewayDeps } from './temporal';

/** Creates, imports and steers subscriptions. Expected outcomes are returned; anything else throws. */
export interface SubscriptionGateway extends Steering {
  create(draft: SubscriptionDraft, by: Actor): Promise<CreateOutcome>;
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
    create: (draft, by) => createByWorkflow(deps, draft, by, patience.createMs),
    checkConsent: (id) => checkConsent(deps, id, patience.createMs),
    restart: (id, request) => restartSubscription(deps, id, request),
    notify,
  };
}
