import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import { REPLACED_BY_ANOTHER, takesOver } from '../../domain/subscription/replacements';
import { afterConsent, startCancelling } from '../../domain/subscription/requests';
import {
  type CancelledBy,
  consentEndedBy,
  type ConsentResult,
  isTerminal,
  type SubscriptionState,
} from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { actorOf } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import type { Db } from '../sql/statements';
import { DUEDAY } from '../audit/entries';
import { writeTransition } from './changes';
import { endDeletion } from '../subscriptions/consent-checks';
import { answerDecision, cancelRequestedDecision } from './decisions';
import { readCurrent } from './facts';
import { writeEnd } from './outcome';
import { notifyReplaced, type ReplacementStage } from './replaced';
import { findLostGrant, lockWithReplaced } from '../subscriptions/replacements';
import type { ChangedRow } from './steering';

/** The changes caused by an answer about a consent: workflows must be notified. */
export interface ConsentRecorded {
  /** Null if nothing changed. */
  readonly changed: ChangedRow | null;
  /** The subscription that this one replaces or would have replaced, if it has changed. */
  readonly other: ChangedRow | null;
}

const NOTHING: ConsentRecorded = { changed: null, other: null };

/**
 * Records the answer of the payer, or the end of a consent that was granted before (rules 6, 7). A known answer changes nothing.
 * @param isWorkflowAsking whether the caller is the subscription's workflow, which decides next and need not be notified of the
 * answer
 */
export async function recordConsent(
  pool: Pool,
  subscriptionId: SubscriptionId,
  result: ConsentResult,
  at: Instant,
  isWorkflowAsking = false,
): Promise<ConsentRecorded> {
  return ofLive(pool, subscriptionId, at, async (db, before) => {
    if (before.status === 'pending_consent') return answered(db, before, result, at, !isWorkflowAsking);
    return result.kind === 'granted' ? NOTHING : ended(db, before, result, at);
  });
}

/**
 * Locks the row of the subscription and that of the one that it replaces, and then records. Nothing changes if the
 * subscription does not exist or has ended.
 */
function ofLive(
  pool: Pool,
  subscriptionId: SubscriptionId,
  at: Instant,
  record: (db: Db, before: SubscriptionState) => Promise<ConsentRecorded>,
): Promise<ConsentRecorded> {
  return inTransaction(pool, async (db) => {
    await lockWithReplaced(db, subscriptionId);
    const before = (await readCurrent(db, subscriptionId, at))?.state;
    return before === undefined || isTerminal(before.status) ? NOTHING : record(db, before);
  });
}

async function answered(
  db: Db,
  before: SubscriptionState,
  result: ConsentResult,
  at: Instant,
  raisesRevision: boolean,
): Promise<ConsentRecorded> {
  const { subscriptionId } = before.terms;
  if (result.kind === 'granted') {
    const lost = await findLostGrant(db, subscriptionId);
    if (lost !== null) return lost.isKnown ? NOTHING : loseGrant(db, before, at, raisesRevision);
    await endDeletion(db, subscriptionId);
  }
  const after = afterConsent(before, result);
  const decision = answerDecision(result, after);
  const key = `consent/${randomUUID()}`;
  const revision = await writeTransition(db, { key, at, actor: DUEDAY, before, after, decision, raisesRevision });
  const stage: ReplacementStage = takesOver(after) ? 'granted' : 'ended';
  return { changed: { subscriptionId, revision }, other: await notifyReplaced(db, after, stage, at) };
}

/** Another replacement was granted first: this one is cancelled, and its payer keeps the other mandate (rule 22). */
async function loseGrant(
  db: Db,
  before: SubscriptionState,
  at: Instant,
  raisesRevision: boolean,
): Promise<ConsentRecorded> {
  const { subscriptionId } = before.terms;
  const reason = REPLACED_BY_ANOTHER;
  const after = startCancelling(before, { at, actor: DUEDAY, reason });
  const decision = cancelRequestedDecision(reason);
  const common = { key: REPLACED_BY_ANOTHER, at, actor: DUEDAY, before, after, decision };
  const revision = await writeTransition(db, { ...common, raisesRevision });
  return { changed: { subscriptionId, revision }, other: null };
}

async function ended(
  db: Db,
  before: SubscriptionState,
  result: Exclude<ConsentResult, { kind: 'granted' }>,
  at: Instant,
): Promise<ConsentRecorded> {
  const by = result.kind === 'cancelled' ? result.by : consentEndedBy(result.reason, false);
  const end = { by, reason: result.reason, actor: DUEDAY, at, raisesRevision: true };
  const revision = await writeEnd(db, before, end);
  return { changed: { subscriptionId: before.terms.subscriptionId, revision }, other: null };
}

/** Records that the service has confirmed the end of a consent that was being cancelled (rule 24). */
export async function recordCancelled(
  pool: Pool,
  subscriptionId: SubscriptionId,
  by: CancelledBy,
  at: Instant,
): Promise<ConsentRecorded> {
  return ofLive(pool, subscriptionId, at, async (db, before) => {
    const { reason, ...canceller } = before.cancellation ?? { actor: DUEDAY, reason: null };
    const revision = await writeEnd(db, before, { ...actorOf(canceller), by, reason, at, raisesRevision: true });
    const isPending = before.status === 'pending_consent';
    const other = isPending ? await notifyReplaced(db, before, 'ended', at) : null;
    return { changed: { subscriptionId, revision }, other };
  });
}
