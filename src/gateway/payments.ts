import {
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type WorkflowUpdateHandle,
} from '@temporalio/client';
import type { ConsentRequestResult } from '../contract/activities';
import {
  PAYMENT_WORKFLOW,
  type PaymentState,
  releaseUpdate,
  requestPaymentUpdate,
  type CaptureProgress,
  captureUpdate,
} from '../contract/payments';
import {
  type Request,
  insertPaymentDraft,
  type PaymentDraft,
  type PaymentRecord,
  type OrderedCapture,
} from '../ledger';
import { checkPayment } from './checks';
import type { CreateOutcome, NotReady, WorkflowOutcome } from './outcomes';
import { restartPayment } from './restart';
import { captureInputOf, isRunning, paymentStart } from './starts';
import { created, type Drafting, storeDraft } from './subscription-start';
import { answered, isNotReady, readSteerError, type TemporalGatewayDeps, unlessAway, withPatience } from './temporal';

/** Real ms until an answer is given up. */
const PATIENCE = {
  /** Longer than one request to the payment service may take. */
  createMs: 45_000,
  releaseMs: 5_000,
  captureMs: 10_000,
  /** For the end of a capture: one that takes longer is answered as pending. */
  captureEndMs: 3_000,
};
export type PaymentPatience = Readonly<typeof PATIENCE>;

type PaymentGatewayDeps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'consoleUrl' | 'db' | 'taskQueue'> & {
  /** Ms before a capture deadline from which on nothing is sent any more. */
  readonly transit: number;
  readonly patience?: Partial<PaymentPatience>;
};

/** `check` asks the service now how the payment stands, `restart` begins its workflow anew where none runs (rule 30). */
export type PaymentVerb = 'check' | 'release' | 'restart';

/** The way from the admin API to the workflows of one-time payments. */
export interface PaymentGateway {
  create(draft: PaymentDraft): Promise<CreateOutcome>;
  /** `done` once the service has answered; `finished` where nothing can change any more. */
  steer(verb: PaymentVerb, payment: PaymentRecord, request: Request): Promise<WorkflowOutcome>;
  /** Has an ordered capture made, or joins the worker that makes it, and waits a short while for its end. */
  runCapture(payment: PaymentRecord, capture: OrderedCapture): Promise<OrderRun>;
  /** Has it made, and waits for nothing. */
  startCapture(payment: PaymentRecord, capture: OrderedCapture): Promise<OrderRun>;
}

export type OrderRun =
  /** A workflow is at it, or has been: the ledger has the order's state. */
  | { readonly kind: 'running' }
  /** The workflow that was to do it has ended. */
  | { readonly kind: 'finished' }
  | NotReady;

/** Makes and steers one-time payments by their workflows. */
export function createPaymentGateway(deps: PaymentGatewayDeps): PaymentGateway {
  const patience = { ...PATIENCE, ...deps.patience };
  return {
    create: (draft) => create(deps, draft, patience.createMs),
    steer(verb, payment, request) {
      switch (verb) {
        case 'check':
          return checkPayment(deps, payment, patience.createMs);
        case 'release':
          return release(deps, payment, patience.releaseMs);
        case 'restart':
          return restartPayment(deps, payment, request, patience.captureMs);
      }
    },
    async runCapture(payment, capture) {
      const { kind, update } = await beginCapture(deps, payment, capture, patience.captureMs);
      if (update !== undefined) await waitForCapture(deps, update, patience.captureEndMs);
      return { kind };
    },
    startCapture: (payment, capture) => startCapture(deps, payment, capture, patience.captureMs),
  };
}

/** Draft, then workflow: what starts the workflow finds the draft. */
function create(deps: PaymentGatewayDeps, draft: PaymentDraft, patienceMs: number): Promise<CreateOutcome> {
  return created(async () => {
    const notStored = await storeDraft(deps, draftingOf(deps, draft), patienceMs);
    if (notStored !== null) return notStored;
    const answer = await withPatience(deps, patienceMs, () => requestPayment(deps, draft));
    return answer.kind === 'requested' ? { kind: 'created' } : answer;
  });
}

function draftingOf({ db, transit }: PaymentGatewayDeps, draft: PaymentDraft): Drafting {
  return {
    workflowId: draft.workflowId,
    draftedRealAt: draft.draftedRealAt,
    insert: async (staleBeforeReal) =>
      (await insertPaymentDraft(db, draft, staleBeforeReal, transit)) ? null : 'draft',
  };
}

/** Start and first question in one call: either both are taken, or neither. */
function requestPayment(deps: PaymentGatewayDeps, draft: PaymentDraft): Promise<ConsentRequestResult> {
  const options = paymentStart(deps, newPayment(draft, deps.transit));
  const startWorkflowOperation = new WithStartWorkflowOperation(PAYMENT_WORKFLOW, options);
  return deps.client.workflow.executeUpdateWithStart(requestPaymentUpdate, { startWorkflowOperation });
}

/** What the workflow keeps: no personal data, which histories must not hold (rules 28, 29). */
function newPayment({ requestId, plan, amount }: PaymentDraft, transit: number): PaymentState {
  return {
    terms: { requestId, plan, amount, transit },
    paymentId: null,
    requestedRealAt: null,
    status: 'pending_consent',
    captureBy: null,
    deadlineTold: false,
  };
}

/** Under one id: a release asked for again joins the one that is under way. */
function release(
  deps: PaymentGatewayDeps,
  { workflowId }: PaymentRecord,
  patienceMs: number,
): Promise<WorkflowOutcome> {
  const handle = deps.client.workflow.getHandle(workflowId);
  return answered(async () => {
    await withPatience(deps, patienceMs, () => handle.executeUpdate(releaseUpdate, { updateId: 'release' }));
    return { kind: 'done' };
  });
}

interface BegunCapture {
  readonly kind: OrderRun['kind'];
  /** Where it runs. */
  readonly update?: WorkflowUpdateHandle<CaptureProgress>;
}

/** Begun twice, it is one update; begun after its end, it does nothing twice: the ledger's rows say what was sent (rule 16). */
async function beginCapture(
  deps: PaymentGatewayDeps,
  payment: PaymentRecord,
  capture: OrderedCapture,
  patienceMs: number,
): Promise<BegunCapture> {
  const handle = deps.client.workflow.getHandle(payment.workflowId);
  const [input, updateId] = [captureInputOf(payment, capture, deps.transit), capture.orderId];
  try {
    const update = await withPatience(deps, patienceMs, () =>
      handle.startUpdate(captureUpdate, { args: [input], updateId, waitForStage: 'ACCEPTED' }),
    );
    return { kind: 'running', update };
  } catch (error) {
    const outcome = readSteerError(error);
    if (outcome?.kind === 'finished' || outcome?.kind === 'not_ready') return outcome;
    throw error;
  }
}

/** A workflow that was terminated still knows the updates that it had taken, and works on none of them. */
async function startCapture(
  deps: PaymentGatewayDeps,
  payment: PaymentRecord,
  capture: OrderedCapture,
  patienceMs: number,
): Promise<OrderRun> {
  return unlessAway(async () => {
    const runs = await withPatience(deps, patienceMs, () => isRunning(deps.client, payment.workflowId));
    if (!runs) return { kind: 'finished' };
    const { kind } = await beginCapture(deps, payment, capture, patienceMs);
    return { kind };
  });
}

/** However it ends, and whether it ends in time: the ledger is asked afterwards. */
async function waitForCapture(
  deps: PaymentGatewayDeps,
  update: WorkflowUpdateHandle<CaptureProgress>,
  patienceMs: number,
): Promise<void> {
  try {
    await withPatience(deps, patienceMs, () => update.result());
  } catch (error) {
    const isOver = error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError;
    if (!isOver && !isNotReady(error)) throw error;
  }
}
