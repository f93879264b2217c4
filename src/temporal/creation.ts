import { type DraftRef, insertEvent, type NewEvent, type Pool, takeDraftOutcome } from '../ledger';
import type { CreateOutcome, ReplacedByAnother } from './outcomes';
import { isRunning, unlessRunning } from './starts';
import { askUntil, isAlreadyStarted, isNotReady, type TemporalGatewayDeps, withPatience } from './temporal';

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'db'>;

/**
 * Between a draft and the start of its workflow passes at most the time-out of the request that drafted it, and this
 * margin.
 */
export const DRAFT_MARGIN_MS = 15_000;

/** Real ms in which Temporal says whether a workflow runs: a caller waits, who may ask again. */
const LOOK_MS = 5_000;

/** What is drafted in the ledger, and made by a workflow that is started for it. */
export interface Creation {
  readonly draft: DraftRef;
  readonly workflowId: string;
  /** Written once the draft is stored. */
  readonly requested?: NewEvent;
  /** Inserts the draft, in place of one drafted before `staleBeforeReal`. @returns what stands in the way, or null. */
  insert(staleBeforeReal: number): Promise<'draft' | 'made' | ReplacedByAnother | null>;
  /** Starts the workflow. @throws if one of its id runs */
  start(): Promise<unknown>;
}

/** Draft, audit log, workflow, in this order; the answer is the ledger's, once the service has answered there. */
export async function createByWorkflow(deps: Deps, creation: Creation, patienceMs: number): Promise<CreateOutcome> {
  const until = performance.now() + patienceMs;
  try {
    const notStored = await storeDraft(deps, creation, patienceMs);
    if (notStored !== null) return notStored;
    if (creation.requested !== undefined) await insertEvent(deps.db, creation.requested);
    const outcome = await answerByWorkflow(deps, creation, patienceMs, until);
    return typeof outcome === 'string' ? CREATED[outcome] : outcome;
  } catch (error) {
    if (isAlreadyStarted(error)) return EXISTS;
    if (isNotReady(error)) return { kind: 'not_ready' };
    throw error;
  }
}

const CREATED = {
  opened: { kind: 'created' },
  open: { kind: 'not_ready' },
  gone: { kind: 'not_ready' },
} as const satisfies Record<string, CreateOutcome>;

const EXISTS = { kind: 'exists' } as const;

/**
 * Null where it is stored; else why not: it is made already, or being made. An expired draft is replaced, but never under a workflow that may
 * still read it: it would ask for the consent of the new terms and go on by the old ones.
 */
async function storeDraft(
  deps: Deps,
  creation: Creation,
  patienceMs: number,
): Promise<typeof EXISTS | ReplacedByAnother | null> {
  const inTheWay = await creation.insert(0);
  if (inTheWay !== 'draft') return inTheWay === 'made' ? EXISTS : inTheWay;
  const look = () => isRunning(deps.client, creation.workflowId);
  if (await withPatience(deps, Math.min(patienceMs, LOOK_MS), look)) return EXISTS;
  const stillInTheWay = await creation.insert(creation.draft.draftedRealAt - patienceMs - DRAFT_MARGIN_MS);
  return typeof stillInTheWay === 'string' ? EXISTS : stillInTheWay;
}

const FIRST_BETWEEN_STARTS_MS = 20;
const LONGEST_BETWEEN_STARTS_MS = 500;

/**
 * What became of a draft by a workflow that is started for it. That of an order of the same id that was refused a moment ago may
 * still run: it takes this one up when it asks the ledger what is next, or it ends, and another is started. `open` as
 * `untilAnswered` has it.
 */
async function answerByWorkflow(deps: Deps, creation: Creation, patienceMs: number, until: number) {
  const { draft } = creation;
  const start = () => withPatience(deps, patienceMs, () => creation.start());
  for (let wait = FIRST_BETWEEN_STARTS_MS; ; wait = Math.min(LONGEST_BETWEEN_STARTS_MS, 2 * wait)) {
    if (await unlessRunning(start)) return untilAnswered(deps, draft, until);
    const outcome = await untilAnswered(deps, draft, Math.min(until, performance.now() + wait));
    if (outcome !== 'open' || performance.now() >= until) return outcome;
  }
}

/** What became of the draft; `open` if the service has not answered by then. @param until by `performance.now` */
export function untilAnswered({ db }: { readonly db: Pool }, draft: DraftRef, until: number) {
  return askUntil(
    () => takeDraftOutcome(db, draft),
    (outcome) => outcome !== 'open',
    until,
  );
}
