import type { ApplicationFailure } from '@temporalio/common';
import type { PaymentRef } from '../../src/contract/activities';
import { type Contradicted, isRefusedState, type KnownRecord } from '../../src/domain/evidence';
import type { AuthorizationId } from '../../src/domain/ids';
import type { Listed } from '../../src/domain/send';
import type { CollectPlan, CollectResult } from '../../src/domain/subscription/state';
import { realDelay, toIso, type Instant } from '../../src/domain/time';
import type { EventData, SignedMark } from '../../src/domain/trail/event';
import type { WhyNow } from '../../src/domain/trail/grounds';
import type { EventType } from '../../src/domain/trail/events';
import {
  applyChange,
  type AttemptRecord,
  bearerOf,
  describeRefusal,
  heldAuthorizationIds,
  isRefusedByLedger,
  knownAuthorizations,
  latestSend,
  openContradiction,
  precheckAttempt,
  type Outcome,
  outcomeData,
  recordLook,
  recordOutcome,
  reopenAttempt,
  type SendRef,
} from '../../src/ledger';
import { type Authorization, mapAnswer } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import type { Again, Answer, Sending } from '../sending';
import { activityAge, HALTED, tryAgain, type Progress } from '../stops';
import { pauseUntil } from './pauses';
import type { TrailMemory } from './trail-memory';

/**
 * An attempt as the ledger plans it. `why` is for the audit log; if the row has a newer `revision` nothing is sent; from `plannedAt`
 * on, business time, the attempt is late; `trailMark`: how far the ledger had come when a cycle was collected last.
 */
export type CollectInput = PaymentRef &
  CollectPlan & {
    readonly revision: number;
    readonly why?: WhyNow;
    readonly plannedAt?: Instant;
    readonly trailMark?: SignedMark;
  };

/** An authorization that is followed, and whose outcome is written. */
export interface Following {
  readonly deps: Pick<Dependencies, 'ledger' | 'service' | 'clock' | 'log' | 'counting' | 'settings'>;
  readonly input: Pick<CollectInput, 'subscriptionId' | 'paymentId' | 'cycle' | 'parked' | 'nextDueAt' | 'trailMark'>;
  readonly progress: Progress;
  /** Of the worker. */
  readonly memory: TrailMemory;
  /** The attempt's last send as this run has just written it; null where it is to be read. */
  written: AttemptRecord | null;
}

/** One attempt under way. */
export interface Collecting extends Sending, Following {
  readonly deps: Dependencies;
  readonly input: CollectInput;
  readonly progress: Progress;
  /** From when on an authorization that the ledger lacks may be the cycle's debit (rule 40). */
  since: Instant;
}

/** A phase ends with a result, or has moved the attempt's row, which says what comes next. */
export type Phase = CollectResult | { readonly kind: 'moved' };

export const MOVED: Phase = { kind: 'moved' };

export function collectingOf(
  deps: Dependencies,
  input: CollectInput,
  memory: TrailMemory,
  progress: Progress,
): Collecting {
  const { ledger, service, clock } = deps;
  const { subscriptionId, paymentId, cycle, attempt, amount, dueAt, sendBefore } = input;
  const names = { subscriptionId, cycle, attempt };
  const self: Collecting = {
    deps,
    input,
    memory,
    written: null,
    progress,
    age: () => activityAge(clock),
    names,
    makes: 'authorization',
    since: dueAt,
    sendBefore,
    // Once nothing more is to be sent, one that is absent may be settled however often that was so before.
    sendsInVain: async () => (input.settleOnly ? 0 : (await precheckAttempt(ledger, input)).sends),
    place: { attempt },
    events: {
      unreadable: 'authorizations.unreadable',
      clocksDiffer: 'attempt.clocks_differ',
      notSent: 'attempt.not_sent',
    },
    list: async () => mapAnswer(await service.listAuthorizations(paymentId), (all) => all.map(listed)),
    captures: () => service.listCaptures(paymentId),
    post: async (options) => mapAnswer(await service.initiate(paymentId, amount, options), listed),
    known: () => knownAuthorizations(ledger, paymentId),
    reportFailedAgain: (found) => reportFailedAgain(self, found),
    reopen: (found) => reopenRefused(self, found),
    heldIds: () => heldAuthorizationIds(ledger, paymentId),
    record: async (send, answer) => recordAnswered(self, { ...names, send }, answer),
    recordLook: (send, look) => recordLook(ledger, { ...names, send }, look),
    recordEvent: (type, data) => recordEvent(self, type, data),
    later: (stop, message, atLeast) => tryAgain(stop, message, pauseUntil(self, sendBefore, self.age(), atLeast)),
    afterHalt: () => waitForLift(self),
  };
  return self;
}

/** As all that is listed, by its id. */
export function listed(authorization: Authorization): Listed {
  return { ...authorization, id: authorization.authorizationId };
}

function named({ id, createdAt }: Listed) {
  return { authorizationId: id as AuthorizationId, createdAt };
}

/** What the service has accepted and the ledger refuses to hold is kept as it came: it was made (rules 38, 43). */
async function recordAnswered(self: Collecting, ref: SendRef, answer: Answer): Promise<boolean> {
  try {
    return await recordAttempt(self, ref, await outcomeOfAnswer(self, answer));
  } catch (error) {
    if (answer.state !== 'taken' || !isRefusedByLedger(error)) throw error;
    const reason = `the ledger refuses what the service has accepted: ${describeRefusal(error)}`;
    const accepted = JSON.stringify(answer.made);
    if (await recordAttempt(self, ref, { state: 'unresolved', reason, accepted })) return true;
    // It is kept already: what goes on from here would meet the same refusal at once.
    throw error;
  }
}

async function outcomeOfAnswer(self: Collecting, answer: Answer): Promise<Outcome> {
  switch (answer.state) {
    case 'taken':
      return outcomeOfTaken(self, answer.made);
    case 'refused': {
      const { failure, value } = answer.refusal;
      const { retryable, detail, description } = failure;
      const state = retryable ? 'rejected_retryable' : 'rejected';
      return { state, detail, description, ...(value && named(value)) };
    }
    case 'not_sent':
    case 'unknown':
    case 'unresolved':
      return answer;
  }
}

/**
 * An answer may name an authorization that the ledger has: a refused one of the same cycle is open again, as this attempt; any
 * other leaves open what was made (rule 38).
 */
async function outcomeOfTaken({ deps, input }: Collecting, made: Listed): Promise<Outcome> {
  const { ledger, clock } = deps;
  const bearer = await bearerOf(ledger, input.paymentId, made.id);
  if (bearer === null || (isRefusedState(bearer.state) && bearer.cycle === input.cycle)) {
    const authorized = made.status === 'successful';
    return { state: 'pending', ...named(made), authorized, reportedReal: clock.realNow() };
  }
  const whose = `cycle ${bearer.cycle}, attempt ${bearer.attempt}`;
  const { id, createdAt, amount, status } = made;
  return {
    state: 'unresolved',
    reason: `the service accepted it as ${id}, which is that of ${whose}`,
    accepted: JSON.stringify({ authorizationId: id, createdAt: toIso(createdAt), amount, status }),
  };
}

/** What was once successful never becomes failed: its capture has decided, and an operator is notified (rule 37). */
async function reportFailedAgain(
  { deps, input }: Collecting,
  found: readonly Contradicted<KnownRecord, Listed>[],
): Promise<void> {
  const known = await knownAuthorizations(deps.ledger, input.paymentId);
  const at = deps.clock.now();
  for (const { known: record, listed: shown } of found) {
    const row = known.find(({ id, state }) => id === record.id && state === 'successful');
    if (row === undefined) continue;
    await openContradiction(
      deps.ledger,
      {
        ...{ subscriptionId: row.subscriptionId, paymentId: input.paymentId, cycle: row.cycle, amount: row.amount },
        authorizationId: row.id,
        ledger: { state: row.state, at: row.createdAt ?? row.dueAt },
        service: { state: shown.status, at: shown.createdAt },
        detail: `${row.id} was successful, and the service lists it as ${shown.status} now. Compare the captures before you refund anything.`,
      },
      at,
    );
  }
}

/**
 * Followed again from here on, whichever cycle of the payment it is of (rule 36).
 * @param isWorkflowAsking whether the workflow of the subscription is answered with it, or hears of it otherwise
 */
export async function reopenRefused(
  { deps, input }: Pick<Following, 'deps' | 'input'>,
  { known, found, isCaptured }: Again,
  isWorkflowAsking = true,
): Promise<void> {
  const { ledger, clock } = deps;
  const row = (await knownAuthorizations(ledger, input.paymentId)).find(
    ({ id, state }) => id === known.id && isRefusedState(state),
  );
  if (row === undefined) return;
  const finding = { at: clock.now(), realAt: clock.realNow(), found, isCaptured };
  await reopenAttempt(ledger, row, finding, isWorkflowAsking);
}

/** Whether the cycle's collection window is over. */
export function isWindowOver({ deps, input }: Collecting): boolean {
  return deps.clock.now() >= input.collectBy;
}

/**
 * Whether the due date has not come by this machine's clock, even if the clock that woke the workflow says so (rule 3).
 */
export function isEarly({ deps, input }: Collecting): boolean {
  return deps.clock.now() < input.dueAt;
}

/** Whether this attempt has a send that was not settled as never made: of another worker, or a person's resolution. */
export async function isBegun({ deps, input }: Collecting): Promise<boolean> {
  const row = await latestSend(deps.ledger, input.subscriptionId, input.cycle, input.attempt);
  return row !== null && !isToBeSent(row);
}

/** Nothing of it was made, as far as this cycle goes: it never arrived, or another system had made it and it was refused. */
export function isToBeSent({ state, adopted }: AttemptRecord): boolean {
  return state === 'not_sent' || (adopted && isRefusedState(state));
}

/** Nothing may be sent before the due date, nor at or after `sendBefore`. */
export function maySend(collecting: Collecting): boolean {
  return !isEarly(collecting) && collecting.deps.clock.now() < collecting.input.sendBefore;
}

/**
 * Writes what became of a send; a final outcome that stands is never overwritten.
 * @returns whether it was written: where not, the row says what counts.
 */
export async function recordAttempt(following: Following, ref: SendRef, outcome: Outcome): Promise<boolean> {
  const { deps, input, memory } = following;
  const { cycle, attempt, send } = ref;
  const event = { type: `attempt.${outcome.state}`, data: { cycle, attempt, send, ...outcomeData(outcome) } } as const;
  const write = async () => {
    const result = await recordOutcome(deps.ledger, ref, outcome, deps.clock.now(), event);
    if (result.kind !== 'recorded') return result;
    following.written = result.send;
    deps.counting.recordAttempt(outcome.state);
    return result;
  };
  return (await memory.watch(deps, input.trailMark, write)).kind === 'recorded';
}

/** Written to the trail once for each attempt and type. */
export async function recordEvent({ deps, input }: Collecting, type: EventType, data: EventData = {}): Promise<void> {
  const { subscriptionId, cycle, attempt } = input;
  await applyChange(deps.ledger, {
    subscriptionId,
    key: `${type}/${subscriptionId}/${cycle}/${attempt}`,
    at: deps.clock.now(),
    actor: 'dueday',
    events: [{ type, data: { cycle, attempt, ...data } }],
  });
}

/**
 * What is inside its window when the halt is lifted is sent: so the pauses grow to a minute at most, and shorten again
 * towards the end, to a fifth of what is left.
 */
async function waitForLift(self: Collecting): Promise<ApplicationFailure> {
  const { deps, input, age } = self;
  await recordEvent(self, 'attempt.halted');
  const left = realDelay(deps.clock.setting, deps.clock.realNow(), input.sendBefore);
  return tryAgain('halted', HALTED, pauseUntil(self, input.sendBefore, Math.min(age(), left)));
}
