/** What has a page for each of its things. */
type Collection = 'subscriptions' | 'bulk' | 'attention' | 'payments' | 'events';

/** Of the page of one thing. The payment service chooses ids, too: each stays one segment of the path, whatever is in it. */
export function pathTo(collection: Collection, id: string): string {
  return `/${collection}/${encodeURIComponent(id)}`;
}
