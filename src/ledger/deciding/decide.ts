import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import type { AttemptNumber } from '../../domain/subscription/step';
import type { Instant } from '../../domain/time';
import { inTransaction } from '../database';
import { readValue } from '../statements';
import { advance, type Advanced } from './advance';
import { type DraftProgress, readDraftProgress } from '../creation/draft-answers';
import { acknowledgeRevision } from './steering';

/** What is known by the one who asks. */
export interface DecideQuestion {
  /** Business time. */
  readonly at: Instant;
  /** Attempts that have workflows of their own. */
  readonly followed: readonly AttemptNumber[];
  /** The newest revision that the workflow was notified of. */
  readonly revision: number;
}

export type Decided =
  | ({ readonly kind: 'decided' } & Advanced)
  | ({ readonly kind: 'draft' } & DraftProgress)
  /** There is no such subscription (any more). */
  | { readonly kind: 'gone' };

/** What a subscription does next, by its rows alone and under its lock; what needs only the ledger is done by then. */
export async function decideNext(
  pool: Pool,
  subscriptionId: SubscriptionId,
  { at, followed, revision }: DecideQuestion,
): Promise<Decided> {
  return inTransaction(pool, async (db): Promise<Decided> => {
    const status = await readValue<string>(
      db,
      'select status from subscriptions where subscription_id = $1 for update',
      [subscriptionId],
    );
    if (status === null) return { kind: 'gone' };
    if (status === 'draft') {
      const progress = await readDraftProgress(db, 'subscriptions', subscriptionId);
      return progress === null ? { kind: 'gone' } : { kind: 'draft', ...progress };
    }
    const advanced = await advance(db, subscriptionId, at, followed);
    if (advanced === null) return { kind: 'gone' };
    if (revision > advanced.acknowledged) await acknowledgeRevision(db, subscriptionId, revision);
    return { kind: 'decided', ...advanced };
  });
}
