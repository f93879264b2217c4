import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import type { AttemptNumber } from '../../domain/subscription/step';
import type { Instant } from '../../domain/time';
import { inTransaction } from '../sql/database';
import type { Db } from '../sql/statements';
import { advance, type Advanced, stepWithoutWrite } from './advance';
import { type Current, readCurrent } from './facts';
import { type DraftProgress, readDraftProgress } from '../rows/draft-answers';
import { acknowledgeRevision } from './steering';
import { lockOf } from '../rows/subscription';

/** The caller's question. */
export interface DecideQuestion {
  /** Business time. */
  readonly at: Instant;
  /** Attempts that a separate `attempt` workflow follows to their outcome, in parallel to the subscription (rules 10, 36). */
  readonly followed: readonly AttemptNumber[];
  /** The newest revision that the workflow was notified of. */
  readonly revision: number;
}

export type Decided =
  | ({ readonly kind: 'decided' } & Advanced)
  | ({ readonly kind: 'draft' } & DraftProgress)
  /** There is no such subscription (any more). */
  | { readonly kind: 'gone' };

/**
 * The next step of a subscription, from its rows alone. Steps that need only the ledger are taken first, under the lock
 * of the row. If it is certain that nothing has to be written, nothing is locked: one statement reads everything, and
 * the workflow is notified of any later change by its revision.
 */
export async function decideNext(
  pool: Pool,
  subscriptionId: SubscriptionId,
  question: DecideQuestion,
): Promise<Decided> {
  const current = await readCurrent(pool, subscriptionId, question.at);
  const settled = current === null ? null : settledStep(current, question);
  return settled === null ? decideUnderLock(pool, subscriptionId, question) : { kind: 'decided', ...settled };
}

/** The next step; null if something has to be written before it, or may have to be. */
export function settledStep(current: Current, { at, followed, revision }: DecideQuestion): Advanced | null {
  return revision > current.acknowledged ? null : stepWithoutWrite(current, at, followed);
}

function decideUnderLock(
  pool: Pool,
  subscriptionId: SubscriptionId,
  { at, followed, revision }: DecideQuestion,
): Promise<Decided> {
  const decide = async (db: Db): Promise<Decided> => {
    const advanced = await advance(db, subscriptionId, at, followed);
    if (advanced === null) return readDraft(db, subscriptionId);
    if (revision > advanced.acknowledged) await acknowledgeRevision(db, subscriptionId, revision);
    return { kind: 'decided', ...advanced };
  };
  return inTransaction(pool, decide, `begin; ${lockOf(subscriptionId)}`);
}

async function readDraft(db: Db, subscriptionId: SubscriptionId): Promise<Decided> {
  const progress = await readDraftProgress(db, 'subscriptions', subscriptionId);
  return progress === null ? { kind: 'gone' } : { kind: 'draft', ...progress };
}
