import type { RefundRecord } from '../ledger';

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
