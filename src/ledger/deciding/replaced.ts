import { randomUUID } from 'node:crypto';
import type { SubscriptionId } from '../../domain/ids';
import { endReplacement, replacedBy, startReplacement } from '../../domain/subscription/replacements';
import { refuseCancel, startCancelling } from '../../domain/subscription/requests';
import { dueAt } from '../../domain/subscription/schedule';
import { isTerminal, type SubscriptionState } from '../../domain/subscription/state';
import { type Instant, toIso } from '../../domain/time';
import type { Db } from '../sql/statements';
import { DUEDAY } from '../audit/entries';
import { advance } from './advance';
import { writeTransition } from './changes';
import { cancelRequestedDecision } from './decisions';
import { readState } from './facts';

/** The stage of a subscription that replaces another. */
export type ReplacementStage = 'requested' | 'granted' | 'ended';

/**
 * Records in the replaced subscription which stage its replacement has reached, and from when the replacement collects; once the
 * consent is granted, the replaced one is cancelled (rule 22). Runs in the transaction of that change, which holds the locks of
 * both rows.
 * @returns the other row, whose workflow must be notified; null if there is none, or nothing changes for it
 */
export async function notifyReplaced(
  db: Db,
  { replaces, terms, cycle }: SubscriptionState,
  stage: ReplacementStage,
  at: Instant,
): Promise<{ readonly subscriptionId: SubscriptionId; readonly revision: number } | null> {
  if (replaces === null) return null;
  const before = await readState(db, replaces, at);
  if (isTerminal(before.status)) return null;
  const by = terms.subscriptionId;
  const from = dueAt(terms, cycle);
  const transition = { key: `replacement/${by}/${stage}`, at, actor: DUEDAY, before, raisesRevision: true };
  const revision = await write(db, before, { by, from }, stage, transition);
  if (revision === null) return null;
  await advance(db, replaces, at);
  return { subscriptionId: replaces, revision };
}

type Common = Omit<Parameters<typeof writeTransition>[1], 'after' | 'decision'>;

async function write(
  db: Db,
  before: SubscriptionState,
  { by, from }: { readonly by: SubscriptionId; readonly from: Instant },
  stage: ReplacementStage,
  common: Common,
): Promise<number | null> {
  switch (stage) {
    case 'requested': {
      const decision = {
        events: [{ type: 'subscription.replacement_requested' as const, data: { by, from: toIso(from) } }],
      };
      return writeTransition(db, { ...common, after: startReplacement(before, { by, from }), decision });
    }
    case 'ended': {
      if (!before.replacements.some((each) => each.by === by)) return null;
      const decision = { events: [{ type: 'subscription.replacement_failed' as const, data: { by } }] };
      return writeTransition(db, { ...common, after: endReplacement(before, by), decision });
    }
    case 'granted': {
      const replaced = replacedBy(before, { by, from });
      const decision = { events: [{ type: 'subscription.replaced' as const, data: { by, from: toIso(from) } }] };
      const revision = await writeTransition(db, { ...common, after: replaced, decision });
      return (await cancelReplaced(db, replaced, by, common.at)) ?? revision;
    }
  }
}

/**
 * Cancels the replaced subscription, as an operator's request would. Null if it is being cancelled already, or cannot
 * be cancelled.
 */
async function cancelReplaced(
  db: Db,
  before: SubscriptionState,
  by: SubscriptionId,
  at: Instant,
): Promise<number | null> {
  if (before.cancellation !== null || refuseCancel(before) !== null) return null;
  const reason = `replaced by ${by}`;
  const after = startCancelling(before, { at, actor: DUEDAY, reason });
  const decision = cancelRequestedDecision(reason);
  const key = `replaced/${randomUUID()}`;
  return writeTransition(db, { key, at, actor: DUEDAY, before, after, decision, raisesRevision: true });
}
