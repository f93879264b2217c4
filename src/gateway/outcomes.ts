import type { CycleRequest, PauseRequest, Request, ResolveRequest } from '../contract/messages';
import type { SubscriptionId } from '../domain/ids';
import type { Money } from '../domain/money';
import type { AdoptionFault } from '../domain/subscription/adoption';
import type { RefusedAmount } from '../domain/subscription/amount';
import type { AmountChange } from '../domain/subscription/amount-request';
import type { Adoption } from '../domain/subscription/state';
import type { Instant, Span } from '../domain/time';
import type {
  ImportDraft,
  SubscriptionDraft,
  OrderedCapture,
  PaymentDraft,
  PaymentRecord,
  RefundRecord,
} from '../ledger';

export type CreateOutcome =
  | { readonly kind: 'created' }
  /** The id is taken, or a creation with it is under way. */
  | { readonly kind: 'exists' }
  /** The payment service refused, in its own words. */
  | { readonly kind: 'refused'; readonly detail: string; readonly description: string }
  /** The payment service gave no usable answer; nothing is left of the order. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  | NotReady;

/** A mandate granted elsewhere, to be collected from here on. */
export interface ImportOrder {
  readonly draft: ImportDraft;
  readonly lastIncreaseAt: Instant | null;
  readonly adoption: Adoption;
}

export type AdoptOutcome =
  | { readonly kind: 'adopted'; readonly warnings: readonly string[] }
  /** The id, or the payment, is another's. */
  | { readonly kind: 'taken'; readonly by: SubscriptionId }
  /** The payment service does not have the mandate as the order says; nothing is left of it. */
  | { readonly kind: 'refused'; readonly faults: readonly AdoptionFault[] }
  | { readonly kind: 'unavailable'; readonly reason: string }
  | NotReady;

export type SteerOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'conflict'; readonly message: string }
  | { readonly kind: 'invalid'; readonly message: string }
  /** The service's limits forbid the retry. */
  | { readonly kind: 'limited'; readonly message: string }
  /** A rule forbids the amount. */
  | { readonly kind: 'forbidden'; readonly message: string; readonly verdict: RefusedAmount }
  /** The workflow has ended: the ledger tells how it stands. */
  | { readonly kind: 'finished' }
  | NotReady;

export type ChangeOutcome =
  { readonly kind: 'changed'; readonly change: AmountChange } | Exclude<SteerOutcome, { kind: 'done' }>;

/** A new amount from a cycle on; null: from the next one on. */
export interface ChangeOrder extends Request {
  readonly amount: Money;
  readonly fromCycle: number | null;
}

/** No worker answered in time, or Temporal cannot be reached. What was asked may still be accepted. */
export interface NotReady {
  readonly kind: 'not_ready';
  /** Temporal has said that it does not take the request for now: it will not be accepted later. */
  readonly isRefused?: true;
}

/** The way from the admin API to the workflows. Expected outcomes are returned; anything else throws. */
export interface SubscriptionGateway {
  /**
   * Whether somebody works on workflows; false where Temporal cannot be reached. Temporal remembers a worker that was
   * killed for some minutes.
   */
  hasWorker(): Promise<boolean>;
  /** `actor` is the name of the API key that asks. */
  create(draft: SubscriptionDraft, actor: string): Promise<CreateOutcome>;
  /** @param patienceMs real ms that an answer is waited for; as long as a creation where it is not said */
  adopt(order: ImportOrder, patienceMs?: number): Promise<AdoptOutcome>;
  /** Holds in the ledger before the workflow is told (rule 31). */
  pause(id: SubscriptionId, request: PauseRequest): Promise<SteerOutcome>;
  resume(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
  /** `done` once the service has confirmed; `not_ready` until then, when the ledger has the hold (rule 31). */
  cancel(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
  checkConsent(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
  skip(id: SubscriptionId, request: CycleRequest): Promise<SteerOutcome>;
  retry(id: SubscriptionId, request: CycleRequest): Promise<SteerOutcome>;
  changeAmount(id: SubscriptionId, order: ChangeOrder): Promise<ChangeOutcome>;
  /** What the change would be; nothing is changed. */
  judgeAmount(id: SubscriptionId, order: ChangeOrder): Promise<ChangeOutcome>;
  withdrawChange(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
  resolve(id: SubscriptionId, request: ResolveRequest): Promise<SteerOutcome>;
  acknowledge(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
  /** Tells the workflow that its row was steered. @throws where it cannot be told now. */
  tell(id: SubscriptionId, revision: number): Promise<void>;
  /** Begins a workflow anew from the ledger where none runs (rule 30). */
  restart(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
}

export type OrderRun =
  /** A workflow is at it, or has been: the ledger tells how the order stands. */
  | { readonly kind: 'running' }
  /** The workflow that was to do it has ended. */
  | { readonly kind: 'finished' }
  | NotReady;

/** The way from the admin API to the workflows of one-time payments. */
export interface PaymentGateway {
  create(draft: PaymentDraft): Promise<CreateOutcome>;
  /** Asks the service now how the payment stands; `finished` where nothing can change any more. */
  check(payment: PaymentRecord): Promise<SteerOutcome>;
  /** Has an ordered capture made, or joins whoever makes it, and waits a short while for its end. */
  runCapture(payment: PaymentRecord, capture: OrderedCapture): Promise<OrderRun>;
  /** Has it made, and waits for nothing. */
  startCapture(payment: PaymentRecord, capture: OrderedCapture): Promise<OrderRun>;
  /** Has an ordered release made; `done` once the service has confirmed it. */
  release(payment: PaymentRecord): Promise<SteerOutcome>;
  /** Begins a workflow anew from the ledger where none runs (rule 30). */
  restart(payment: PaymentRecord, request: Request): Promise<SteerOutcome>;
}

export type RefundRun =
  /** Its workflow runs, or has ended: the ledger tells how the refund stands. */
  | { readonly kind: 'running' }
  /** Temporal cannot be reached. What was asked may still be accepted. */
  | { readonly kind: 'not_ready' };

/** The way from the admin API to the workflows that make refunds. */
export interface RefundGateway {
  /** Starts the workflow of an ordered refund, or joins the one that runs, and waits a short while for its end. */
  run(refund: RefundRecord): Promise<RefundRun>;
  /** Starts it where it does not run, and waits for nothing. */
  start(refund: RefundRecord): Promise<RefundRun>;
}

export type OrderedReconciliation =
  /** It runs; `runId` names it in the ledger too. */
  | { readonly kind: 'begun'; readonly runId: string }
  /** One of the same span runs already. */
  | { readonly kind: 'joined'; readonly runId: string }
  /** One of another span runs: there is one at a time. */
  | { readonly kind: 'busy'; readonly runId: string; readonly span: Span }
  /** Temporal cannot be reached. */
  | { readonly kind: 'not_ready' };

/** The way from the admin API to the workflow that holds the ledger against the payment service. */
export interface ReconciliationGateway {
  /** Begins one, or joins the one of the same span that runs. Nobody waits for its end. */
  order(span: Span, actor: string): Promise<OrderedReconciliation>;
}
