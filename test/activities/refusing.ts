import type { Pool } from '../../src/ledger';
import { type AttentionItem, getSubscription, listAttention } from '../../src/ledger';
import type { SubscriptionId } from '../../src/domain/ids';
import type { World } from './activity-world';

/** Does the work while PostgreSQL refuses every written row of the table that does not satisfy the check. */
export async function refusing<T>({ deps }: World, table: string, check: string, work: () => Promise<T>): Promise<T> {
  await deps.ledger.query(`alter table ${table} add constraint refused_by_the_test check (${check}) not valid`);
  try {
    return await work();
  } finally {
    await accept(deps.ledger, table);
  }
}

/** Lets PostgreSQL accept all rows of the table again. */
export async function accept(ledger: Pool, table: string): Promise<void> {
  await ledger.query(`alter table ${table} drop constraint if exists refused_by_the_test`);
}

/** The open items of refused writes that a test has opened, by the id of what they are about. */
export async function refusedItems({ deps }: World, id: string): Promise<readonly AttentionItem[]> {
  const { items } = await listAttention(deps.ledger, { kind: 'unrecordable' }, { limit: 200, cursor: null });
  return items.filter((each) => each.ledger?.id === id);
}

export async function standingOf({ deps }: World, subscriptionId: SubscriptionId): Promise<string | undefined> {
  return (await getSubscription(deps.ledger, subscriptionId))?.standing;
}
