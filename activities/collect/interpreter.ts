import { Context } from '@temporalio/activity';
import type { Action, Answer, ComeBack } from '../../src/domain/attempt/action';
import { type Answered, type Done, type Facts, isToBeSent, type Shown } from '../../src/domain/attempt/attempt';
import { nextAction } from '../../src/domain/attempt/next-action';
import { hasUnknownOutcome } from '../../src/domain/send';
import { readStoredBackOff, type StoredBackOff } from '../../src/ledger';
import type { ServiceResult, Reservation } from '../../src/payment-service';
import { inSpan } from '../../src/platform/tracing';
import type { Dependencies } from '../dependencies';
import { describe, type Progress, retryAfter, tryAgain, WORKER_STOPPED } from '../stops';
import { type BackOff, continueBackOff, endIfEarly, waitFrom } from './back-off';
import { sendOnce } from './post';
import { startStopwatch } from './stopwatch';
import type { Subject } from './subject';

/** What the interpreter uses. */
export type Interpreting = Pick<Dependencies, 'ledger' | 'service' | 'clock' | 'polling' | 'settings'>;

/** One attempt, and the state of this run of its activity. */
interface Run {
  readonly deps: Interpreting;
  readonly subject: Subject;
  readonly progress: Progress;
  readonly backOff: BackOff;
  /** The service's answer to a POST, for the next pass. */
  answered: Shown | null;
}

/**
 * Carries out the actions of `nextAction` until there is an answer. Safe to run any number of times: the row says how far it got, and
 * a row without an outcome is reconciled, never sent again (rule 16). All that moves money passes here: debits, captures, refunds.
 * @param stored the back-off that a previous activity left, if it has been read already
 * @throws ApplicationFailure to be retried
 */
export async function carryOut(
  deps: Interpreting,
  subject: Subject,
  progress: Progress,
  stored?: StoredBackOff | null,
): Promise<Answer['result']> {
  const backOff = continueBackOff(
    deps,
    stored === undefined ? await readStoredBackOff(deps.ledger, subject.key) : stored,
  );
  const run: Run = { deps, subject, progress, backOff, answered: null };
  for (;;) {
    const end = await pass(run);
    if (end.kind === 'answer') return end.result;
    if (end.kind === 'come_back') await comeBack(run, end);
  }
}

/** The same, once and alongside other work: stops where it would have to wait. */
export async function checkOnce(deps: Interpreting, subject: Subject, progress: Progress): Promise<void> {
  const run: Run = { deps, subject, progress, backOff: waitFrom(deps.clock.realNow()), answered: null };
  let end;
  do end = await pass(run);
  while (end.kind === 'stale');
}

/** Waits in the activity's slot, or ends the activity until then. */
async function comeBack({ deps, subject, backOff }: Run, end: ComeBack): Promise<void> {
  if (end.inPlace !== null && (await deps.polling.wait(end.inPlace))) return;
  await backOff.keep(deps, subject.key, end);
  throw tryAgain(end.stop, end.why, end.pause);
}

/** The row has changed: everything checked before is stale. */
const STALE = { kind: 'stale' } as const;

type End = Answer | ComeBack | typeof STALE;

/** From reading the row until it changes. */
async function pass(run: Run): Promise<End> {
  const { deps, subject } = run;
  const facts: Facts = { ...blank(run), ...(await subject.readSend()) };
  run.answered = null;
  const first = nextAction(subject.attempt, facts);
  if (first.kind === 'answer') return notified(run, first);
  endIfEarly(deps.clock, run.backOff);
  const span = spanOf(subject, facts);
  const work = () => (span === null ? follow(run, facts, null) : inSpan(span, () => follow(run, facts, null)));
  if (facts.beside !== null || subject.attempt.settleOnly || !isToBeSent(facts.send)) return work();
  return inSpan(`send ${subject.noun}`, () => inPermit(run, (permit) => follow(run, facts, permit)));
}

function spanOf({ noun, attempt }: Subject, { send, beside }: Facts): string | null {
  if (beside !== null && isToBeSent(send)) return null;
  if (isToBeSent(send)) return attempt.settleOnly ? 'check again' : null;
  if (send !== null && hasUnknownOutcome(send.state)) return `settle ${noun}`;
  return send?.state === 'pending' ? `poll ${noun}` : null;
}

/** Nothing is known yet. */
function blank({ deps: { clock, settings }, backOff, answered }: Run): Facts {
  const { settle, requestTimeout, listDays = null } = settings;
  const realNow = clock.realNow();
  return {
    now: clock.now(),
    realNow,
    clock: clock.setting,
    age: realNow - backOff.sinceReal,
    settle,
    requestTimeout,
    listDays,
    send: null,
    beside: null,
    ledger: null,
    consent: null,
    list: null,
    own: null,
    heldIds: null,
    captures: null,
    sent: null,
    answered,
    done: new Set<Done>(),
  };
}

/**
 * Reserves the calls together if calls are capped: what was read stays fresh, and no "sending" row waits in a queue
 * (rule 31).
 */
async function inPermit({ deps, subject }: Run, work: (permit: Permit) => Promise<End>): Promise<End> {
  const done = await deps.service.withReservation(subject.calls, work, Context.current().cancellationSignal);
  if (done === null) throw tryAgain('not_sent', WORKER_STOPPED, 1);
  return done;
}

type Permit = Pick<Reservation, 'ready'>;

/** More than any row needs: a state machine that repeats itself is a bug. */
const MAX_ACTIONS = 200;

async function follow(run: Run, initial: Facts, permit: Permit | null): Promise<End> {
  const carrier = new Carrier(run, permit);
  let facts = initial;
  try {
    for (let actions = 0; actions < MAX_ACTIONS; actions += 1) {
      const { clock } = run.deps;
      const realNow = clock.realNow();
      facts = { ...facts, now: clock.now(), realNow, age: realNow - run.backOff.sinceReal };
      const next = await carrier.carryOut(nextAction(run.subject.attempt, facts), facts);
      if (next.kind !== 'learned') return next;
      facts = { ...facts, ...next.facts };
    }
  } finally {
    await run.subject.endPass();
  }
  throw new Error(`${run.subject.key}: no end after ${MAX_ACTIONS} actions`);
}

async function notified<E extends Answer | ComeBack>({ subject }: Run, end: E): Promise<E> {
  for (const notice of end.notify) await subject.notify(notice);
  return end;
}

/** A fact that the state machine has asked for. */
interface Learned {
  readonly kind: 'learned';
  readonly facts: Partial<Facts>;
}

function learned(facts: Partial<Facts>): Learned {
  return { kind: 'learned', facts };
}

/** Carries out the actions of one pass. */
class Carrier {
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
        return learned({ list: toAnswered(await subject.list()) });
      case 'own':
        return learned({ own: await subject.readOwn() });
      case 'heldIds':
        return learned({ heldIds: await subject.readHeldIds() });
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
    return learned({ list: toAnswered(await subject.list()) });
  }

  private async checkCaptures(of: Extract<Action, { kind: 'check_captures' }>['authorizationId']): Promise<Learned> {
    const { subject, progress } = this.run;
    if (of === null) progress('checking captures');
    else progress('capture', { authorizationId: of });
    return learned({ captures: toAnswered(await subject.listCaptures(of)) });
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

function withDone({ done }: Facts, what: Done): Facts['done'] {
  return new Set([...done, what]);
}

function sendOf({ send }: Facts): NonNullable<Facts['send']> {
  if (send === null) throw new Error('the action needs a send, but there is none');
  return send;
}

function answerUnresolved(reason: string): Answer {
  return { kind: 'answer', result: { kind: 'unresolved', reason }, notify: [] };
}

function toAnswered<T>(answer: ServiceResult<readonly T[]>): Answered<T> {
  if (answer.kind !== 'accepted') return { kind: 'unreadable', why: describe(answer), retryAfter: retryAfter(answer) };
  const { value, incomplete, clockLead } = answer;
  return { kind: 'listed', records: value, incomplete, clockLead };
}
