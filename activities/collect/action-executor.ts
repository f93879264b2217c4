import type { Action, Answer, RetryLater } from '../../src/domain/attempt/action';
import type { ListResult, DoneStep, Facts, ServiceRecord } from '../../src/domain/attempt/attempt';
import type { ServiceResult, Reservation } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { describe, type Progress, retryAfter } from '../stops';
import type { BackOff } from './back-off';
import { sendOnce } from './post';
import { startStopwatch } from '../stopwatch';
import type { DebitInProgress, OrderInProgress, Subject } from './subject';

/** What carrying out an attempt needs. */
export type ExecutorDeps = Pick<Dependencies, 'ledger' | 'service' | 'clock' | 'polling' | 'settings'>;

/** One attempt, and the state of this run of its activity. */
export interface Run {
  readonly deps: ExecutorDeps;
  readonly subject: Subject;
  readonly progress: Progress;
  readonly backOff: BackOff;
  /** The service's answer to a POST, for the next pass. */
  answered: ServiceRecord | null;
}

/** The row has changed: everything checked before is stale. */
export const STALE = { kind: 'stale' } as const;

/** The attempt leaves the workflow task, and the activity on the queue continues it. */
export const HAND_OVER = { kind: 'hand_over' } as const;

export type End = Answer | RetryLater | typeof STALE | typeof HAND_OVER;

export type Permit = Pick<Reservation, 'ready'>;

export async function recordSideEffects({ subject }: Run, { sideEffects }: Answer | RetryLater): Promise<void> {
  for (const sideEffect of sideEffects) await subject.record(sideEffect);
}

/** Facts that the state machine has requested, or that follow from an action. */
interface NewFacts {
  readonly kind: 'new_facts';
  readonly facts: Partial<Facts>;
}

function newFacts(facts: Partial<Facts>): NewFacts {
  return { kind: 'new_facts', facts };
}

/** Executes the actions of one pass. */
export class ActionExecutor {
  /** Real ms since consent and list were requested; null until then. */
  private elapsedSinceChecks: (() => number) | null = null;

  constructor(
    private readonly run: Run,
    private readonly permit: Permit | null,
  ) {}

  async execute(action: Action, facts: Facts): Promise<End | NewFacts> {
    const { subject } = this.run;
    switch (action.kind) {
      case 'check':
        return this.check(action.fact, facts);
      case 'poll':
        return this.poll(facts);
      case 'check_captures':
        return this.checkCaptures(action.authorizationId);
      case 'send':
        return this.send(action.knownIds);
      case 'count_absence':
        return this.countAbsence(facts, action);
      case 'observe':
        return this.rowAfter(facts, await this.debit.observe(sendOf(facts), action.seen));
      case 'settle':
        return this.settle(facts, action);
      case 'reopen':
        return this.reopen(action);
      case 'adopt':
        return (await this.debit.adopt(action.record)) ? STALE : answerUnresolved(action.otherwise);
      case 'side_effect':
        await subject.record(action.sideEffect);
        return newFacts({ done: withDone(facts, action.sideEffect.kind) });
      case 'give_up':
        return (await this.order.giveUp()) ? STALE : newFacts({ sent: { kind: 'other_unknown' } });
      case 'follow_reopened':
        return this.followReopened();
      case 'poll_reopened':
        await this.debit.pollReopened();
        return newFacts({ done: withDone(facts, 'reopened') });
      case 'answer':
      case 'retry_later':
        await recordSideEffects(this.run, action);
        return action;
    }
  }

  private async check(fact: Extract<Action, { kind: 'check' }>['fact'], facts: Facts): Promise<End | NewFacts> {
    const { subject, progress } = this.run;
    switch (fact) {
      case 'ledger':
        return newFacts({ ledger: await subject.readLedger() });
      case 'consent':
        this.startChecks();
        progress('consent');
        return newFacts({ consent: await this.debit.readConsent() });
      case 'list':
        this.startChecks();
        progress('pre-send check');
        return newFacts({ list: toListResult(await subject.list()) });
      case 'own':
        return newFacts({ own: await subject.readOwn() });
      case 'takenIds':
        return newFacts({ takenIds: await subject.readTakenIds() });
      case 'row':
        return (await this.debit.hasStarted()) ? STALE : newFacts({ done: withDone(facts, 'reread') });
    }
  }

  /** Consent and list permit a POST only for a limited time, counted from before the first of them is read. */
  private startChecks(): void {
    this.elapsedSinceChecks ??= startStopwatch(this.run.deps.clock);
  }

  private async poll(facts: Facts): Promise<NewFacts> {
    const { subject, progress } = this.run;
    const send = sendOf(facts);
    if (send.state === 'pending') progress(subject.attempt.recordKind, { [subject.idName]: send.id });
    else progress('settling', { ...subject.shownAs, send: send.send });
    return newFacts({ list: toListResult(await subject.list()) });
  }

  private async checkCaptures(of: Extract<Action, { kind: 'check_captures' }>['authorizationId']): Promise<NewFacts> {
    const { progress } = this.run;
    if (of === null) progress('checking captures');
    else progress('capture', { authorizationId: of });
    return newFacts({ captures: toListResult(await this.debit.listCaptures(of)) });
  }

  private async send(knownIds: readonly string[]): Promise<End | NewFacts> {
    const { deps, subject, progress } = this.run;
    await this.permit?.ready();
    const elapsedSinceChecks = this.elapsedSinceChecks ?? startStopwatch(deps.clock);
    const sent = await sendOnce(deps, subject, knownIds, { elapsedSinceChecks, progress });
    if (sent.kind === 'changed') return STALE;
    const { result } = sent;
    this.run.answered = result.kind === 'accepted' ? result.made : null;
    return newFacts(sent.kind === 'started' ? { sent: result, send: sent.send } : { sent: result });
  }

  private async countAbsence(
    facts: Facts,
    { absent, then }: Extract<Action, { kind: 'count_absence' }>,
  ): Promise<End | NewFacts> {
    const counted = this.rowAfter(facts, await this.run.subject.countAbsence(sendOf(facts), absent));
    if (counted.kind !== 'new_facts') return counted;
    const now = { ...facts, ...counted.facts, done: withDone(facts, 'counted') };
    return then === undefined ? newFacts(now) : this.execute(then, now);
  }

  private async settle(
    facts: Facts,
    { outcome, then, evenIfNotWritten }: Extract<Action, { kind: 'settle' }>,
  ): Promise<End> {
    const isWritten = await this.run.subject.settle(sendOf(facts), outcome);
    if (then === undefined || !(isWritten || evenIfNotWritten === true)) return STALE;
    await recordSideEffects(this.run, then);
    return then;
  }

  private async reopen({ again, blocksAttempt }: Extract<Action, { kind: 'reopen' }>): Promise<End | NewFacts> {
    const result = await this.debit.reopen(again);
    if (!blocksAttempt) return newFacts({ own: null });
    return result === null ? STALE : { kind: 'answer', result, sideEffects: [] };
  }

  private async followReopened(): Promise<End | NewFacts> {
    const send = await this.debit.readReopened();
    return send === null ? STALE : newFacts({ send, reopened: null });
  }

  private get debit(): DebitInProgress {
    const { subject } = this.run;
    if (subject.noun !== 'attempt') throw new Error(`order ${subject.key}: the action is one for debits`);
    return subject;
  }

  private get order(): OrderInProgress {
    const { subject } = this.run;
    if (subject.noun !== 'order') throw new Error(`attempt ${subject.key}: the action is one for orders`);
    return subject;
  }

  /** Facts about the row hold only while its state is unchanged. */
  private rowAfter(before: Facts, send: Facts['send']): End | NewFacts {
    return send === null || send.state !== before.send?.state ? STALE : newFacts({ send });
  }
}

function withDone({ done }: Facts, what: DoneStep): Facts['done'] {
  return new Set([...done, what]);
}

function sendOf({ send }: Facts): NonNullable<Facts['send']> {
  if (send === null) throw new Error('the action needs a send, but there is none');
  return send;
}

function answerUnresolved(reason: string): Answer {
  return { kind: 'answer', result: { kind: 'unresolved', reason }, sideEffects: [] };
}

function toListResult<T>(answer: ServiceResult<readonly T[]>): ListResult<T> {
  if (answer.kind !== 'accepted') return { kind: 'unreadable', why: describe(answer), retryAfter: retryAfter(answer) };
  const { value, incomplete, clockLead } = answer;
  return { kind: 'listed', records: value, incomplete, clockLead };
}
