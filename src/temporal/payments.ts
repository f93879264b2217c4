import { type ChangedPayment, PAYMENT_WORKFLOW } from '../contract/payments';
import { REQUEST_CONSENT } from '../contract/draft-steps';
import { isSettled } from '../domain/payment/payment';
import {
  type Answers,
  getPayment,
  insertLinkDraft,
  insertPaymentDraft,
  type LinkDraft,
  type OrderedCapture,
  type PaymentDraft,
  type PaymentRecord,
  readPaymentRevision,
  type Request,
} from '../ledger';
import { checkPayment } from './checks';
import { createByWorkflow, type Creation } from './creation';
import { createCaptureWorkflows, type OrderRun } from './orders';
import type { CreateOutcome, RequestOutcome } from './outcomes';
import { restartPayment } from './restart';
import { type NotifyDeps, notifyPayment, paymentStart } from './starts';

/** Time-outs in real ms. */
const TIMEOUTS = {
  /** Longer than one request to the payment service may take. */
  createMs: 45_000,
  steerMs: 10_000,
  /** Wait for the service's answer: a slower check stores its result in the ledger. */
  checkMs: 800,
  /** Wait for Temporal when notifying of a release: if it takes longer, Temporal is unavailable, and the job notifies again (rule 31). */
  notifyMs: 700,
  /** Wait for the end of a release: a slower one is returned as accepted. */
  releaseMs: 5_000,
  /** Wait for the end of a capture: a slower one is returned as pending. */
  captureEndMs: 3_000,
};
export type PaymentTimeouts = Readonly<typeof TIMEOUTS>;

type PaymentWorkflowDeps = Omit<NotifyDeps, 'timeouts'> & {
  /** Ms before a capture deadline from which nothing more is sent. */
  readonly transit: number;
  readonly answers: Answers;
  readonly timeouts?: Partial<PaymentTimeouts>;
};

/**
 * `check` reads the payment from the service now, `release` notifies its workflow of a release in the ledger, `restart` starts
 * its workflow again if it is not running (rule 30).
 */
export type PaymentVerb = 'check' | 'release' | 'restart';

/** Connects the admin API to the workflows of one-time payments. */
export interface PaymentWorkflows {
  create(draft: PaymentDraft): Promise<CreateOutcome>;
  /** Creates a payment link. */
  createLink(draft: LinkDraft): Promise<CreateOutcome>;
  steer(verb: PaymentVerb, payment: PaymentRecord, request: Request): Promise<RequestOutcome>;
  /** Notifies the payment's workflow of its row's revision. @throws if Temporal cannot be reached now. */
  notify(changed: ChangedPayment): Promise<void>;
  /** Starts the workflow of an ordered capture, or joins the running one, and waits briefly for its end. */
  runCapture(capture: OrderedCapture): Promise<OrderRun>;
  /** Starts the workflow of an ordered capture, or joins the running one, without waiting for its end. */
  startCapture(capture: OrderedCapture): Promise<OrderRun>;
}

/** Creates and steers one-time payments. Expected outcomes are returned; anything else throws. */
export function createPaymentWorkflows(deps: PaymentWorkflowDeps): PaymentWorkflows {
  const timeouts = { ...TIMEOUTS, ...deps.timeouts };
  const { steerMs: startMs, captureEndMs: endMs } = timeouts;
  const captures = createCaptureWorkflows({ ...deps, timeouts: { startMs, endMs } });
  const notifying: NotifyDeps = { ...deps, timeouts: { steerMs: startMs } };
  return {
    create: (draft) => createByWorkflow(deps, creationOf(deps, draft), timeouts.createMs),
    createLink: (draft) => createByWorkflow(deps, linkCreationOf(deps, draft), timeouts.createMs),
    steer(verb, payment, request) {
      switch (verb) {
        case 'check':
          return checkPayment(deps, payment, { startMs, answerMs: timeouts.checkMs });
        case 'release':
          return release({ ...deps, timeouts: { steerMs: timeouts.notifyMs } }, payment, timeouts.releaseMs);
        case 'restart':
          return restartPayment(deps, payment, request, startMs);
      }
    },
    notify: (changed) => notifyPayment(notifying, changed),
    runCapture: (capture) => captures.run(capture),
    startCapture: (capture) => captures.start(capture),
  };
}

function creationOf(deps: PaymentWorkflowDeps, draft: PaymentDraft): Creation {
  return {
    ...startOf(deps, draft),
    insert: async (staleBeforeReal) =>
      (await insertPaymentDraft(deps.db, draft, staleBeforeReal, deps.transit)) ? null : 'draft',
  };
}

function linkCreationOf(deps: PaymentWorkflowDeps, draft: LinkDraft): Creation {
  return {
    ...startOf(deps, { ...draft, plan: 'SINGLE' }),
    async insert(staleBeforeReal) {
      const drafted = await insertLinkDraft(deps.db, draft, staleBeforeReal);
      if (drafted.kind === 'not_allowed') return drafted;
      return drafted.kind === 'inserted' ? null : 'draft';
    },
  };
}

function startOf(
  deps: PaymentWorkflowDeps,
  draft: Pick<PaymentDraft, 'requestId' | 'draftedRealAt' | 'workflowId' | 'plan' | 'amount'>,
): Omit<Creation, 'insert'> {
  const { requestId, draftedRealAt, workflowId } = draft;
  const options = paymentStart(deps, draft, REQUEST_CONSENT);
  return {
    draft: { table: 'payments', key: requestId, draftedRealAt },
    workflowId,
    start: () => deps.client.workflow.start(PAYMENT_WORKFLOW, options),
  };
}

/** The release is already in the ledger; the caller waits briefly for its end while Temporal is available. */
async function release(
  deps: NotifyDeps & { readonly answers: Answers },
  { requestId, paymentId }: PaymentRecord,
  timeoutMs: number,
): Promise<RequestOutcome> {
  const away = new AbortController();
  void readPaymentRevision(deps.db, paymentId)
    .then((changed) => notifyPayment(deps, changed))
    // The job notifies again.
    .catch(() => away.abort());
  await deps.answers.wait(
    `payment/${requestId}`,
    () => getPayment(deps.db, paymentId),
    (payment) => away.signal.aborted || payment === null || isSettled(payment.status),
    performance.now() + timeoutMs,
  );
  return { kind: 'done' };
}
