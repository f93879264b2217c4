/**
 * Subscriptions with a due date that has come and that the ledger shows as untried: held by a pause, stopped before
 * the first send, or no worker was up.
 */
export const UNTRIED = `subscriptions s
  where s.status in ('active', 'paused')
    and not exists (
      select from cycles k
      where (k.subscription_id, k.due_at) = (s.subscription_id, s.next_due_at) and k.status <> 'scheduled'
    )`;
