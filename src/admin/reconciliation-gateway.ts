import type { Span } from '../domain/time';

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
