import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import { REQUEST_CONSENT } from '../contract/steps';
import { peopleQueue } from '../contract/workflows';
import type { SubscriptionId } from '../domain/ids';
import { isoOrNull, SECOND, toIso } from '../domain/time';
import type { Actor } from '../domain/trail/event';
import {
  type Frozen,
  insertDraft,
  insertEvent,
  type NewEvent,
  type SubscriptionDraft,
  takeDraftOutcome,
} from '../ledger';
import type { CreateOutcome, ReplacedByAnother } from './outcomes';
import { isRunning, subscriptionStart, unlessRunning } from './starts';
import { type TemporalGatewayDeps, isAlreadyStarted, readSteerError, withPatience } from './temporal';

/** Ms after a due date before its first attempt: the same for a subscription always, even over all of them. */
export function spreadOf(id: SubscriptionId, spreadSeconds: number): number {
  if (spreadSeconds === 0) return 0;
  const hash = createHash('sha256').update(id).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * spreadSeconds * SECOND);
}

/** What a subscription is begun with, and keeps. */
export function frozenFor(
  { retryPolicy, spreadSeconds }: Pick<TemporalGatewayDeps, 'retryPolicy' | 'spreadSeconds'>,
  id: SubscriptionId,
): Frozen {
  return { policy: retryPolicy, spread: spreadOf(id, spreadSeconds) };
}

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock'>;

/**
 * Between a draft and the start of its workflow passes at most the time-out of the request that drafted it, and this
 * margin.
 */
export const DRAFT_MARGIN_MS = 15_000;

/** Real ms in which Temporal says whether a workflow runs: a caller waits, who may ask again. */
const LOOK_MS = 5_000;

export interface Drafting {
  readonly workflowId: string;
  /** Real time. */
  readonly draftedRealAt: number;
  /** Inserts the draft, in place of one drafted before `staleBeforeReal`. @returns what stands in the way, or null. */
  insert(staleBeforeReal: number): Promise<'draft' | 'made' | ReplacedByAnother | null>;
}

/**
 * Null where it is stored; else why not: it is made already, or being made. An expired draft is replaced, but never under a workflow that may
 * still read it: it would ask for the consent of the new terms and go on by the old ones.
 */
export async function storeDraft(deps: Deps, drafting: Drafting, patienceMs: number): Promise<NotStored | null> {
  const inTheWay = await drafting.insert(0);
  if (inTheWay !== 'draft') return inTheWay === 'made' ? EXISTS : inTheWay;
  const look = () => isRunning(deps.client, drafting.workflowId);
  if (await withPatience(deps, Math.min(patienceMs, LOOK_MS), look)) return EXISTS;
  const stillInTheWay = await drafting.insert(drafting.draftedRealAt - patienceMs - DRAFT_MARGIN_MS);
  return typeof stillInTheWay === 'string' ? EXISTS : stillInTheWay;
}

type NotStored = Extract<CreateOutcome, { kind: 'exists' }> | ReplacedByAnother;

const EXISTS = { kind: 'exists' } as const;

/** The outcome of a start, also of one that could not be made. */
export async function created(create: () => Promise<CreateOutcome>): Promise<CreateOutcome> {
  try {
    return await create();
  } catch (error) {
    if (isAlreadyStarted(error)) return { kind: 'exists' };
    const { kind } = readSteerError(error) ?? {};
    // A workflow that ended before it answered, or went on in another run, may have made it: the ledger knows.
    if (kind === 'not_ready' || kind === 'finished' || kind === 'refused') return { kind: 'not_ready' };
    throw error;
  }
}

/** Draft, audit log, workflow, in this order; the answer is the ledger's, once the service has answered there. */
export function createByWorkflow(
  deps: TemporalGatewayDeps,
  draft: SubscriptionDraft,
  by: Actor,
  patienceMs: number,
): Promise<CreateOutcome> {
  const until = performance.now() + patienceMs;
  return created(async () => {
    const notStored = await storeDraft(deps, draftingOf(deps, draft), patienceMs);
    if (notStored !== null) return notStored;
    await insertEvent(deps.db, requestedEvent(draft, by));
    const options = subscriptionStart(deps, draft, peopleQueue(deps.taskQueue), REQUEST_CONSENT);
    const start = () =>
      withPatience(deps, patienceMs, () => deps.client.workflow.start(SUBSCRIPTION_WORKFLOW, options));
    const outcome = await answerByWorkflow(deps, draft, start, until);
    return typeof outcome === 'string' ? CREATED[outcome] : outcome;
  });
}

const CREATED = {
  opened: { kind: 'created' },
  open: { kind: 'not_ready' },
  gone: { kind: 'not_ready' },
} as const satisfies Record<string, CreateOutcome>;

const BETWEEN_CHECKS_MS = 20;
const LONGEST_BETWEEN_STARTS_MS = 500;

/**
 * What became of a draft by a workflow that is started for it. That of an order of the same id that was refused a moment ago may
 * still run: it takes this one up when it asks the ledger what is next, or it ends, and another is started. `open` as
 * `untilAnswered` has it.
 */
async function answerByWorkflow(
  deps: Pick<TemporalGatewayDeps, 'db'>,
  draft: SubscriptionDraft,
  start: () => Promise<unknown>,
  until: number,
) {
  for (let wait = BETWEEN_CHECKS_MS; ; wait = Math.min(LONGEST_BETWEEN_STARTS_MS, 2 * wait)) {
    if (await unlessRunning(start)) return untilAnswered(deps, draft, until);
    const outcome = await untilAnswered(deps, draft, Math.min(until, performance.now() + wait));
    if (outcome !== 'open' || performance.now() >= until) return outcome;
  }
}

/** What became of the draft; `open` if the service has not answered by then. @param until by `performance.now` */
export async function untilAnswered(
  { db }: Pick<TemporalGatewayDeps, 'db'>,
  { subscriptionId, draftedRealAt }: Pick<SubscriptionDraft, 'subscriptionId' | 'draftedRealAt'>,
  until: number,
) {
  for (;;) {
    const outcome = await takeDraftOutcome(db, subscriptionId, draftedRealAt);
    if (outcome !== 'open' || performance.now() >= until) return outcome;
    await pause(BETWEEN_CHECKS_MS);
  }
}

function draftingOf(deps: TemporalGatewayDeps, draft: SubscriptionDraft): Drafting {
  const frozen = frozenFor(deps, draft.subscriptionId);
  return {
    workflowId: draft.workflowId,
    draftedRealAt: draft.draftedRealAt,
    async insert(staleBeforeReal) {
      const result = await insertDraft(deps.db, draft, staleBeforeReal, frozen);
      if (result.kind === 'inserted') return null;
      if (result.kind === 'replaced_by_another') return result;
      return result.status === 'draft' ? 'draft' : 'made';
    },
  };
}

function requestedEvent(draft: SubscriptionDraft, by: Actor): NewEvent {
  const { subscriptionId, repetition, consentAmount, replaces } = draft;
  const { firstPaymentAt, endAt } = draft;
  const dates = { firstPaymentAt: toIso(firstPaymentAt), endAt: isoOrNull(endAt) };
  return {
    subscriptionId,
    at: draft.createdAt,
    ...by,
    type: 'subscription.requested',
    data: { amount: consentAmount, repetition, ...dates, replaces },
  };
}
