import type { Span } from '../domain/span';

export type ReconciliationRun =
  /** Everything is compared; what differs is in the ledger under this run. */
  | { readonly kind: 'compared'; readonly runId: string }
  | { readonly kind: 'service_unavailable' }
  /** No worker has finished it in time, or Temporal cannot be reached. It may be finished later. */
  | { readonly kind: 'not_ready' };

/** The way from the admin API to the workflow that holds the ledger against the payment service. */
export interface ReconciliationGateway {
  /** Runs one, or joins the one of the same span that runs, and waits for its end. */
  run(span: Span, actor: string): Promise<ReconciliationRun>;
}
