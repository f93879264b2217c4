import type { Request } from '../contract/messages';
import type { OrderedCapture, PaymentDraft, PaymentRecord } from '../ledger';
import type { CreateOutcome, NotReady, SteerOutcome } from './subscription-gateway';

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
