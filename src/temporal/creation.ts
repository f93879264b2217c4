import { type DraftRef, insertEvent, type NewEvent, takeDraftOutcome } from '../ledger';
import type { CreateOutcome, NotAllowed, ReplacedByAnother } from './outcomes';
import { isRunning, unlessRunning } from './starts';
import { isAlreadyStarted, isNotReady, type TemporalDeps, withTimeout } from './temporal';

type Deps = Pick<TemporalDeps, 'client' | 'clock' | 'db' | 'answers'>;

/** The workflow of a draft is started within the time-out of the drafting request plus this margin. */
export const DRAFT_MARGIN_MS = 15_000;

/** Real ms within which Temporal must report whether a workflow is running: the caller waits meanwhile, and may retry. */
const CHECK_MS = 5_000;

/** A subscription or payment that is drafted in the ledger, and created by a workflow that is started for the draft. */
export interface Creation {
  readonly draft: DraftRef;
  readonly workflowId: string;
  /** Written once the draft is stored. */
  readonly requested?: NewEvent;
  /** Inserts the draft, replacing one drafted before `staleBeforeReal`. @returns what prevents it, or null */
  insert(staleBeforeReal: number): Promise<'draft' | 'created' | Forbidden | null>;
  /** Starts the workflow. @throws if one with its id is running */
  start(): Promise<unknown>;
}

/** The state of the ledger forbids the draft. */
type Forbidden = ReplacedByAnother | NotAllowed;

/** Writes the draft and the audit entry, then starts the workflow; returns the outcome once the ledger has it. */
export async function createByWorkflow(deps: Deps, creation: Creation, timeoutMs: number): Promise<CreateOutcome> {
  const until = performance.now() + timeoutMs;
  try {
    const notStored = await storeDraft(deps, creation, timeoutMs);
    if (notStored !== null) return notStored;
    if (creation.requested !== undefined) await insertEvent(deps.db, creation.requested);
    const outcome = await answerByWorkflow(deps, creation, timeoutMs, until);
    return typeof outcome === 'string' ? OUTCOMES[outcome] : outcome;
  } catch (error) {
    if (isAlreadyStarted(error)) return EXISTS;
    if (isNotReady(error)) return { kind: 'not_ready' };
    throw error;
  }
}

const OUTCOMES = {
  opened: { kind: 'created' },
  unanswered: { kind: 'not_ready' },
  gone: { kind: 'not_ready' },
} as const satisfies Record<string, CreateOutcome>;

const EXISTS = { kind: 'exists' } as const;

/**
 * Stores the draft. An expired draft is replaced, but never while a workflow may still read it: that workflow would request the
 * consent for the new terms and continue with the old ones.
 * @returns null if the draft is stored; else why not: what it would create already exists or is being created, or is forbidden
 */
async function storeDraft(
  deps: Deps,
  creation: Creation,
  timeoutMs: number,
): Promise<typeof EXISTS | Forbidden | null> {
  const blocker = await creation.insert(0);
  if (blocker !== 'draft') return blocker === 'created' ? EXISTS : blocker;
  const check = () => isRunning(deps.client, creation.workflowId);
  if (await withTimeout(deps, Math.min(timeoutMs, CHECK_MS), check)) return EXISTS;
  const stillBlocking = await creation.insert(creation.draft.draftedRealAt - timeoutMs - DRAFT_MARGIN_MS);
  return typeof stillBlocking === 'string' ? EXISTS : stillBlocking;
}

const FIRST_BETWEEN_STARTS_MS = 20;
const MAX_BETWEEN_STARTS_MS = 500;

/**
 * The outcome of a draft for which a workflow is started. The workflow of a request with the same id that was just refused may
 * still be running: it either picks up this draft when it reads the ledger, or ends, and another one is started. `unanswered`: see
 * `untilAnswered`.
 */
async function answerByWorkflow(deps: Deps, creation: Creation, timeoutMs: number, until: number) {
  const { draft } = creation;
  const start = () => withTimeout(deps, timeoutMs, () => creation.start());
  for (let wait = FIRST_BETWEEN_STARTS_MS; ; wait = Math.min(MAX_BETWEEN_STARTS_MS, 2 * wait)) {
    if (await unlessRunning(start)) return untilAnswered(deps, draft, until);
    const outcome = await untilAnswered(deps, draft, Math.min(until, performance.now() + wait));
    if (outcome !== 'unanswered' || performance.now() >= until) return outcome;
  }
}

/** The outcome of the draft; `unanswered` if the service has not answered by `until`. @param until by `performance.now` */
export function untilAnswered({ db, answers }: Pick<Deps, 'db' | 'answers'>, draft: DraftRef, until: number) {
  const { table, key } = draft;
  return answers.wait(
    table === 'payments' ? `payment/${key}` : `subscription/${key}`,
    () => takeDraftOutcome(db, draft),
    (outcome) => outcome !== 'unanswered',
    until,
  );
}
