import { setTimeout as pause } from 'node:timers/promises';
import type { AdoptionResult } from '../contract/activities';
import { SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import { ADOPT_CONSENT } from '../contract/steps';
import type { SubscriptionId } from '../domain/ids';
import { findMandates, type ImportDraft, insertImportDraft } from '../ledger';
import type { NotReady, ReplacedByAnother } from './outcomes';
import { isRunning, subscriptionStart } from './starts';
import { DRAFT_MARGIN_MS, frozenFor, untilAnswered } from './subscription-start';
import { isAlreadyStarted, type TemporalGatewayDeps, unlessAway, withPatience } from './temporal';

/** A mandate granted elsewhere, to be collected from here on. */
export interface ImportOrder {
  readonly draft: ImportDraft;
}

export type AdoptOutcome =
  | { readonly kind: 'adopted'; readonly warnings: readonly string[] }
  /** The id, or the payment, is another's. */
  | { readonly kind: 'taken'; readonly by: SubscriptionId }
  /** The payment service does not have the mandate as the order says, or gave no usable answer; nothing is left of it. */
  | Exclude<AdoptionResult, { kind: 'adopted' }>
  | ReplacedByAnother
  | NotReady;

/** Another request imports the same mandate: how often, and after how many real ms, to look again. */
const MOST_TRIES = 20;
const BETWEEN_TRIES_MS = 100;

/** Real ms. */
interface AdoptionPatience {
  /** As long as an import elsewhere may be under way. */
  readonly draftMs: number;
  /** Until this one's answer is given up. */
  readonly answerMs: number;
}

/**
 * Draft, then workflow: what starts the workflow finds the draft. An import that was killed in between, or is under way
 * elsewhere, is met and brought to its end.
 */
export function adoptByWorkflow(
  deps: TemporalGatewayDeps,
  order: ImportOrder,
  patience: AdoptionPatience,
): Promise<AdoptOutcome> {
  return unlessAway(async () => {
    for (let tried = 1; tried <= MOST_TRIES; tried += 1) {
      const outcome = await adoptOnce(deps, order, patience);
      if (outcome !== null) return outcome;
      await pause(BETWEEN_TRIES_MS);
    }
    return { kind: 'not_ready' };
  });
}

/** Null where another request was quicker: look again. */
async function adoptOnce(
  deps: TemporalGatewayDeps,
  order: ImportOrder,
  { draftMs, answerMs }: AdoptionPatience,
): Promise<AdoptOutcome | null> {
  const { draft } = order;
  const frozen = frozenFor(deps, draft.subscriptionId);
  const replaceable = { same: false, otherDraftedBeforeReal: draft.draftedRealAt - draftMs - DRAFT_MARGIN_MS };
  const inserted = await insertImportDraft(deps.db, draft, replaceable, frozen);
  if (typeof inserted !== 'boolean') return { kind: 'replaced_by_another', other: inserted };
  if (!inserted) {
    const outcome = await outcomeOfOther(deps, draft, answerMs);
    if (outcome !== 'expired') return outcome;
    if ((await insertImportDraft(deps.db, draft, { ...replaceable, same: true }, frozen)) !== true) return null;
  }
  try {
    const options = subscriptionStart(deps, draft, deps.taskQueue, ADOPT_CONSENT);
    await withPatience(deps, answerMs, () => deps.client.workflow.start(SUBSCRIPTION_WORKFLOW, options));
  } catch (error) {
    if (isAlreadyStarted(error)) return null;
    throw error;
  }
  return outcomeOf(deps, draft, answerMs);
}

/** What the ledger has once the service was asked. Null if another import has taken the place of this one. */
async function outcomeOf(
  deps: TemporalGatewayDeps,
  draft: ImportDraft,
  answerMs: number,
): Promise<AdoptOutcome | null> {
  const outcome = await untilAnswered(deps, draft, performance.now() + answerMs);
  if (outcome === 'open') return { kind: 'not_ready' };
  if (outcome === 'gone') return null;
  if (outcome !== 'opened') return outcome as Exclude<AdoptionResult, { kind: 'adopted' }>;
  const [adopted] = await findMandates(deps.db, draft);
  return { kind: 'adopted', warnings: adopted?.warnings ?? [] };
}

/** What the row in the way is, and what becomes of the workflow that works on it, if there is one. */
async function outcomeOfOther(
  deps: TemporalGatewayDeps,
  draft: ImportDraft,
  patienceMs: number,
): Promise<AdoptOutcome | 'expired' | null> {
  const found = await findMandates(deps.db, draft);
  const same = found.find((each) => isSameMandate(each, draft));
  const [other] = found;
  if (same === undefined) return other === undefined ? null : { kind: 'taken', by: other.subscriptionId };
  if (!same.isDraft) return { kind: 'adopted', warnings: same.warnings };
  const until = performance.now() + patienceMs;
  // One without a workflow was killed before it started it.
  while (await withPatience(deps, patienceMs, () => isRunning(deps.client, draft.workflowId))) {
    const [now] = (await findMandates(deps.db, draft)).filter((each) => isSameMandate(each, draft));
    if (now === undefined) return null;
    if (!now.isDraft) return { kind: 'adopted', warnings: now.warnings };
    if (performance.now() >= until) return { kind: 'not_ready' };
    await pause(BETWEEN_TRIES_MS);
  }
  return 'expired';
}

function isSameMandate(
  one: { readonly subscriptionId: string; readonly paymentId: string | null },
  draft: ImportDraft,
): boolean {
  return one.subscriptionId === draft.subscriptionId && one.paymentId === draft.paymentId;
}
