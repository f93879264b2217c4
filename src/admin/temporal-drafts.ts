import { WorkflowNotFoundError } from '@temporalio/client';
import type { ConsentRequestResult } from '../contract/activities';
import type { CreateOutcome } from './subscription-gateway';
import { isAlreadyStarted, readSteerError } from './temporal-answers';
import { type TemporalGatewayDeps, withPatience } from './temporal-deps';

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock'>;

/** Between a draft and the start of its workflow no more than the patience of whoever ordered it passes, and this. */
export const DRAFT_MARGIN_MS = 15_000;

/** Real ms in which Temporal says whether a workflow runs: somebody waits who may ask again. */
const LOOK_MS = 5_000;

export interface Drafting {
  readonly workflowId: string;
  /** Real time. */
  readonly draftedRealAt: number;
  /** Inserts the draft, in place of one drafted before `staleBeforeReal`. @returns what stands in the way, or null. */
  insert(staleBeforeReal: number): Promise<'draft' | 'made' | null>;
}

/**
 * False where it is made already, or being made. A draft left behind is replaced, but never under a workflow that may
 * still read it: it would ask for the consent of the new terms and go on by the old ones.
 */
export async function storeDraft(deps: Deps, drafting: Drafting, patienceMs: number): Promise<boolean> {
  const inTheWay = await drafting.insert(0);
  if (inTheWay === null) return true;
  if (inTheWay === 'made' || (await isUnderWay(deps, drafting.workflowId, patienceMs))) return false;
  return (await drafting.insert(drafting.draftedRealAt - patienceMs - DRAFT_MARGIN_MS)) === null;
}

async function isUnderWay(deps: Deps, workflowId: string, patienceMs: number): Promise<boolean> {
  const handle = deps.client.workflow.getHandle(workflowId);
  try {
    const { status } = await withPatience(deps, Math.min(patienceMs, LOOK_MS), () => handle.describe());
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/** What a start that could not be made comes to. */
export async function created(create: () => Promise<CreateOutcome>): Promise<CreateOutcome> {
  try {
    return await create();
  } catch (error) {
    if (isAlreadyStarted(error)) return { kind: 'exists' };
    const { kind } = readSteerError(error) ?? {};
    // A workflow that ended before it answered may have made it: the ledger knows.
    if (kind === 'not_ready' || kind === 'finished') return { kind: 'not_ready' };
    throw error;
  }
}

export function outcomeOf(result: ConsentRequestResult): CreateOutcome {
  return result.kind === 'requested' ? { kind: 'created' } : result;
}
