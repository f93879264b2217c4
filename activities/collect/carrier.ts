import type { Action, Answer, ComeBack } from '../../src/domain/attempt/action';
import type { ListResult, DoneStep, Facts, ServiceRecord } from '../../src/domain/attempt/attempt';
import type { ServiceResult, Reservation } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { describe, type Progress, retryAfter } from '../stops';
import type { BackOff } from './back-off';
import { sendOnce } from './post';
import { startStopwatch } from './stopwatch';
import type { Subject } from './subject';

/** What the interpreter uses. */
export type Interpreting = Pick<Dependencies, 'ledger' | 'service' | 'clock' | 'polling' | 'settings'>;

/** One attempt, and the state of this run of its activity. */
export interface Run {
  readonly deps: Interpreting;
  readonly subject: Subject;
  readonly progress: Progress;
  readonly backOff: BackOff;
  /** The service's answer to a POST, for the next pass. */
  answered: ServiceRecord | null;
}

/** The row has changed: everything checked before is stale. */
export const STALE = { kind: 'stale' } as const;

/** The rest of the attempt is left to the queue. */
export const HAND_OVER = { kind: 'hand_over' } as const;

export type End = Answer | ComeBack | typeof STALE | typeof HAND_OVER;

export type Permit = Pick<Reservation, 'ready'>;

export async function notified<E extends Answer | ComeBack>({ subject }: Run, end: E): Promise<E> {
  for (const notice of end.notify) await subject.notify(notice);
  return end;
}

/** A fact that the state machine has requested. */
interface Learned {
  readonly kind: 'learned';
  readonly facts: Partial<Facts>;
}

function learned(facts: Partial<Facts>): Learned {
  return { kind: 'learned', facts };
}

/** Carries out the actions of one pass. */
export class Carrier {
  private sinceChecks: (() => number) | null = null;

  constructor(
    private readonly run: Run,
    private readonly permit: Permit | null,
  ) {}

  async carryOut(action: Action, facts: Facts): Promise<End | Learned> {
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
      case 'count':
        return this.count(facts, action);
      case 'observe':
        return this.rowAfter(facts, await subject.observe(sendOf(facts), action.seen));
      case 'settle':
        return this.settle(facts, action);
      case 'reopen':
        return this.reopen(action);
      case 'adopt':
        return (await subject.adopt(action.record)) ? STALE : answerUnresolved(action.otherwise);
      case 'notify':
        await subject.notify(action.notice);
        return learned({ done: withDone(facts, action.notice.kind) });
      case 'give_up':
        return (await subject.giveUp()) ? STALE : learned({ sent: { kind: 'other_unknown' } });
      case 'follow_beside':
        return this.followBeside();
      case 'poll_beside':
        await subject.pollBeside();
        return learned({ done: withDone(facts, 'beside') });
      case 'answer':
      case 'come_back':
        return notified(this.run, action);
    }
  }

  private async check(fact: Extract<Action, { kind: 'check' }>['fact'], facts: Facts): Promise<End | Learned> {
    const { subject, progress } = this.run;
    switch (fact) {
      case 'ledger':
        return learned({ ledger: await subject.readLedger() });
      case 'consent':
        this.startChecks();
        progress('consent');
        return learned({ consent: await subject.readConsent() });
      case 'list':
        this.startChecks();
        progress('pre-send check');
        return learned({ list: toListResult(await subject.list()) });
      case 'own':
        return learned({ own: await subject.readOwn() });
      case 'takenIds':
        return learned({ takenIds: await subject.readTakenIds() });
      case 'row':
        return (await subject.hasStarted()) ? STALE : learned({ done: withDone(facts, 'reread') });
    }
  }

  /** Consent and list permit a POST only for a limited time, counted from before the first of them is read. */
  private startChecks(): void {
    this.sinceChecks ??= startStopwatch(this.run.deps.clock);
  }

  private async poll({ send }: Facts): Promise<Learned> {
    const { subject, progress } = this.run;
    if (send?.state === 'pending') progress(subject.attempt.makes, { [subject.idName]: send.id });
    else progress('reconciling', { ...subject.shownAs, send: send?.send });
    return learned({ list: toListResult(await subject.list()) });
  }

  private async checkCaptures(of: Extract<Action, { kind: 'check_captures' }>['authorizationId']): Promise<Learned> {
    const { subject, progress } = this.run;
    if (of === null) progress('checking captures');
    else progress('capture', { authorizationId: of });
    return learned({ captures: toListResult(await subject.listCaptures(of)) });
  }

  private async send(knownIds: readonly string[]): Promise<End | Learned> {
    const { deps, subject, progress } = this.run;
    await this.permit?.ready();
    const sinceChecks = this.sinceChecks ?? startStopwatch(deps.clock);
    const sent = await sendOnce(deps, subject, knownIds, { sinceChecks, progress });
    if (sent === null) return STALE;
    const { send, result } = sent;
    this.run.answered = result.kind === 'accepted' ? result.made : null;
    return learned(send === null ? { sent: result } : { sent: result, send });
  }

  private async count(facts: Facts, { absent, then }: Extract<Action, { kind: 'count' }>): Promise<End | Learned> {
    const counted = this.rowAfter(facts, await this.run.subject.count(sendOf(facts), absent));
    if (counted.kind !== 'learned') return counted;
    const now = { ...facts, ...counted.facts, done: withDone(facts, 'counted') };
    return then === undefined ? learned(now) : this.carryOut(then, now);
  }

  private async settle(facts: Facts, { outcome, then, always }: Extract<Action, { kind: 'settle' }>): Promise<End> {
    const isWritten = await this.run.subject.settle(sendOf(facts), outcome);
    return then !== undefined && (isWritten || always === true) ? notified(this.run, then) : STALE;
  }

  private async reopen({ again, stops }: Extract<Action, { kind: 'reopen' }>): Promise<End | Learned> {
    const result = await this.run.subject.reopen(again);
    if (!stops) return learned({ own: null });
    return result === null ? STALE : { kind: 'answer', result, notify: [] };
  }

  private async followBeside(): Promise<End | Learned> {
    const send = await this.run.subject.readBeside();
    return send === null ? STALE : learned({ send, beside: null });
  }

  /** Facts about the row hold only while its state is unchanged. */
  private rowAfter(before: Facts, send: Facts['send']): End | Learned {
    return send === null || send.state !== before.send?.state ? STALE : learned({ send });
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
  return { kind: 'answer', result: { kind: 'unresolved', reason }, notify: [] };
}

function toListResult<T>(answer: ServiceResult<readonly T[]>): ListResult<T> {
  if (answer.kind !== 'accepted') return { kind: 'unreadable', why: describe(answer), retryAfter: retryAfter(answer) };
  const { value, incomplete, clockLead } = answer;
  return { kind: 'listed', records: value, incomplete, clockLead };
}
