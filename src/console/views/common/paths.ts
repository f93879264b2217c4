/** Collections with a page for each record. */
type Collection = 'subscriptions' | 'bulk' | 'attention' | 'payments' | 'events';

/** The path of a record's page. Ids are encoded: some are chosen by the payment service and may contain any character. */
export function pathTo(collection: Collection, id: string): string {
  return `/${collection}/${encodeURIComponent(id)}`;
}
