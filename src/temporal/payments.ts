import { type ChangedPayment, PAYMENT_WORKFLOW } from '../contract/payments';
import { REQUEST_CONSENT } from '../contract/steps';
import { isSettled } from '../domain/payment/payment';
import {
  getPayment,
  insertPaymentDraft,
  type OrderedCapture,
  type PaymentDraft,
  type PaymentRecord,
  readPaymentRevision,
  type Request,
} from '../ledger';
import { checkPayment } from './checks';
import { createByWorkflow, type Creation } from './creation';
import { createCaptureGateway, type OrderRun } from './orders';
import type { CreateOutcome, SteerOutcome } from './outcomes';
import { restartPayment } from './restart';
import { type NotifyDeps, notifyPayment, paymentStart } from './starts';
import { askUntil } from './temporal';

/** Real ms until an answer is given up. */
const PATIENCE = {
  /** Longer than one request to the payment service may take. */
  createMs: 45_000,
  steerMs: 10_000,
  /** For the answer of the service: a check that takes longer is in the ledger afterwards. */
  checkMs: 800,
  /** For Temporal to be notified of a release; it is away if it takes longer, and the job notifies again (rule 31). */
  notifyMs: 700,
  /** For the end of a release: one that takes longer is answered as accepted. */
  releaseMs: 5_000,
  /** For the end of a capture: one that takes longer is answered as pending. */
  captureEndMs: 3_000,
};
export type PaymentPatience = Readonly<typeof PATIENCE>;

type PaymentGatewayDeps = Omit<NotifyDeps, 'patience'> & {
  /** Ms before a capture deadline from which on nothing is sent any more. */
  readonly transit: number;
  readonly patience?: Partial<PaymentPatience>;
};

/**
 * `check` asks the service now for the payment, `release` notifies its workflow of a release that the ledger has, `restart`
 * starts its workflow again if none runs (rule 30).
 */
export type PaymentVerb = 'check' | 'release' | 'restart';

/** The way from the admin API to the workflows of one-time payments. */
export interface PaymentGateway {
  create(draft: PaymentDraft): Promise<CreateOutcome>;
  steer(verb: PaymentVerb, payment: PaymentRecord, request: Request): Promise<SteerOutcome>;
  /** Notifies its workflow of the row's revision. @throws if Temporal cannot be reached now. */
  notify(changed: ChangedPayment): Promise<void>;
  /** Has an ordered capture made, or joins the workflow that makes it, and waits a short while for its end. */
  runCapture(capture: OrderedCapture): Promise<OrderRun>;
  /** Has it made, and waits for nothing. */
  startCapture(capture: OrderedCapture): Promise<OrderRun>;
}

/** Creates and steers one-time payments. Expected outcomes are returned; anything else throws. */
export function createPaymentGateway(deps: PaymentGatewayDeps): PaymentGateway {
  const patience = { ...PATIENCE, ...deps.patience };
  const { steerMs: startMs, captureEndMs: endMs } = patience;
  const captures = createCaptureGateway({ ...deps, patience: { startMs, endMs } });
  const notifying: NotifyDeps = { ...deps, patience: { steerMs: startMs } };
  return {
    create: (draft) => createByWorkflow(deps, creationOf(deps, draft), patience.createMs),
    steer(verb, payment, request) {
      switch (verb) {
        case 'check':
          return checkPayment(deps, payment, { startMs, answerMs: patience.checkMs });
        case 'release':
          return release({ ...deps, patience: { steerMs: patience.notifyMs } }, payment, patience.releaseMs);
        case 'restart':
          return restartPayment(deps, payment, request, startMs);
      }
    },
    notify: (changed) => notifyPayment(notifying, changed),
    runCapture: (capture) => captures.run(capture),
    startCapture: (capture) => captures.start(capture),
  };
}

function creationOf(deps: PaymentGatewayDeps, draft: PaymentDraft): Creation {
  const { requestId, draftedRealAt, workflowId } = draft;
  const options = paymentStart(deps, draft, REQUEST_CONSENT);
  return {
    draft: { table: 'payments', key: requestId, draftedRealAt },
    workflowId,
    insert: async (staleBeforeReal) =>
      (await insertPaymentDraft(deps.db, draft, staleBeforeReal, deps.transit)) ? null : 'draft',
    start: () => deps.client.workflow.start(PAYMENT_WORKFLOW, options),
  };
}

/** It holds in the ledger, with Temporal or without it; for its end the caller waits a moment, while Temporal is there. */
async function release(deps: NotifyDeps, { paymentId }: PaymentRecord, patienceMs: number): Promise<SteerOutcome> {
  const away = new AbortController();
  void readPaymentRevision(deps.db, paymentId)
    .then((changed) => notifyPayment(deps, changed))
    // The job notifies again.
    .catch(() => away.abort());
  await askUntil(
    () => getPayment(deps.db, paymentId),
    (payment) => away.signal.aborted || payment === null || isSettled(payment.status),
    performance.now() + patienceMs,
  );
  return { kind: 'done' };
}
