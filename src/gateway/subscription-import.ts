import { setTimeout as pause } from 'node:timers/promises';
import { WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import type { AdoptionResult } from '../contract/activities';
import { adoptConsentUpdate, SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import type { SubscriptionId } from '../domain/ids';
import { importedSubscription } from '../domain/subscription/adoption';
import type { Adoption } from '../domain/subscription/state';
import type { Instant } from '../domain/time';
import { findMandates, type ImportDraft, insertImportDraft } from '../ledger';
import type { NotReady, ReplacedByAnother } from './outcomes';
import { subscriptionStart } from './starts';
import { DRAFT_MARGIN_MS, frozenFor, termsOf } from './subscription-start';
import { isAlreadyStarted, readSteerError, type TemporalGatewayDeps, unlessAway, withPatience } from './temporal';

/** A mandate granted elsewhere, to be collected from here on. */
export interface ImportOrder {
  readonly draft: ImportDraft;
  readonly lastIncreaseAt: Instant | null;
  readonly adoption: Adoption;
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
    return await withPatience(deps, answerMs, () => startAdoption(deps, order));
  } catch (error) {
    if (isAlreadyStarted(error)) return null;
    throw error;
  }
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
  const answer = await withPatience(deps, patienceMs, () => joinAdoption(deps, draft));
  if (answer === null) return 'expired';
  // What the other was refused for may not be in this line.
  return answer.kind === 'adopted' ? answer : null;
}

function isSameMandate(
  one: { readonly subscriptionId: string; readonly paymentId: string | null },
  draft: ImportDraft,
): boolean {
  return one.subscriptionId === draft.subscriptionId && one.paymentId === draft.paymentId;
}

/** Waits for the answer of an import under way; null where no workflow is at work. */
async function joinAdoption(deps: TemporalGatewayDeps, draft: ImportDraft): Promise<AdoptionResult | null> {
  try {
    return await deps.client.workflow.getHandle(draft.workflowId).executeUpdate(adoptConsentUpdate);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || readSteerError(error)?.kind === 'finished') return null;
    throw error;
  }
}

/** Start and question in one call: either both are taken, or neither. */
function startAdoption(
  deps: TemporalGatewayDeps,
  { draft, lastIncreaseAt, adoption }: ImportOrder,
): Promise<AdoptionResult> {
  const { subscriptionId, paymentId, amount } = draft;
  const how = { ...frozenFor(deps, subscriptionId), replaces: draft.replaces };
  const state = importedSubscription({ terms: termsOf(draft), ...how, paymentId, amount, lastIncreaseAt, adoption });
  const startWorkflowOperation = new WithStartWorkflowOperation(
    SUBSCRIPTION_WORKFLOW,
    subscriptionStart(deps, state, deps.taskQueue, amount),
  );
  return deps.client.workflow.executeUpdateWithStart(adoptConsentUpdate, { startWorkflowOperation });
}
