import type { Action, Answer, Settled } from '../../../src/domain/attempt/action';
import type { Attempt, Facts, Send, SendResult, ServiceRecord } from '../../../src/domain/attempt/attempt';
import { maySendAt } from '../../../src/domain/attempt/before-send';
import { nextAction } from '../../../src/domain/attempt/next-action';
import { LEDGER, listing, ownRecords, own, sent, UNREADABLE, unasked, NOW } from './facts-under-test';

/**
 * What becomes of one POST. `lost`, `late`: makes a debit, unanswered and listed after the lag. `never`: lost on the way.
 * `dies`: as `lost`, and the process ends; `dies_before`: the process ends before the POST.
 */
export type Fate = 'accepted' | 'not_sent' | 'lost' | 'late' | 'never' | 'refused' | 'dies' | 'dies_before';

/** The fates of the POSTs in order, and the numbers of the lists that cannot be read: the first list that is read is 1. */
export interface Script {
  readonly fates: readonly Fate[];
  readonly unreadable: readonly number[];
  /** Real ms until the service lists a record whose POST was not answered; less than the settle time. */
  readonly lag: number;
}

interface Made extends ServiceRecord {
  readonly listedFrom: number;
}

/** A model of ledger and service: carries out the actions of the state machine as the interpreter does. */
export class AttemptModel {
  now = NOW;
  readonly sends: Send[] = [];
  readonly made: Made[] = [];
  /** When each POST left. */
  readonly posts: number[] = [];
  /** The number of sends that were open when another was started. */
  openAtSend = 0;
  private questions = 0;

  constructor(
    private readonly attempt: Attempt,
    private readonly script: Script,
  ) {}

  /** Runs the attempt until it is answered; null if that takes too long. */
  run(passes = 3_000): Answer['result'] | null {
    for (let pass = 0; pass < passes; pass += 1) {
      const end = this.pass();
      if (end?.kind === 'answer') return end.result;
      if (end?.kind === 'retry_later') this.now += Math.max(1, end.wait);
    }
    return null;
  }

  private pass(): Extract<Action, { kind: 'answer' | 'retry_later' }> | null {
    let facts = unasked({ now: this.now, age: this.now - NOW, send: this.sends.at(-1) ?? null });
    for (let actions = 0; actions < 50; actions += 1) {
      const action = nextAction(this.attempt, facts);
      if (action.kind === 'answer' || action.kind === 'retry_later') return action;
      const learned = this.carryOut(action, facts);
      if (learned === null) return thenOf(action);
      facts = { ...facts, ...learned };
    }
    throw new Error('the machine asks the same again and again');
  }

  /** Carries out an action. @returns what it has read; null if the row has changed, so that the pass ends */
  private carryOut(action: Action, facts: Facts): Partial<Facts> | null {
    switch (action.kind) {
      case 'check':
        return this.check(action.fact, facts);
      case 'poll':
        return { list: this.list() };
      case 'check_captures':
        return { captures: listing(...this.captures()) };
      case 'send':
        return this.send();
      case 'count_absence': {
        const send = this.replace({ absentChecks: action.absent ? (facts.send?.absentChecks ?? 0) + 1 : 0 });
        const done = new Set([...facts.done, 'counted' as const]);
        return action.then?.kind === 'settle' ? this.settle(action.then.outcome) : { send, done };
      }
      case 'observe':
        return { send: this.replace(action.seen) };
      case 'settle':
        return this.settle(action.outcome);
      case 'adopt':
      case 'answer':
      case 'retry_later':
      case 'follow_reopened':
      case 'give_up':
      case 'side_effect':
      case 'poll_reopened':
      case 'reopen':
        throw new Error(`nothing in this model leads to ${action.kind}`);
    }
  }

  private check(fact: Extract<Action, { kind: 'check' }>['fact'], facts: Facts): Partial<Facts> {
    const unknown = this.sends.filter(
      ({ state, unknownSinceReal }) => state === 'not_sent' && unknownSinceReal !== null,
    );
    const known = this.sends.flatMap(({ id, state }) =>
      id === null ? [] : [own(id, { state, reportedRealAt: this.now })],
    );
    const lastUnknownReal = unknown.at(-1)?.unknownSinceReal ?? null;
    switch (fact) {
      case 'ledger':
        return { ledger: { ...LEDGER, sends: unknown.length, lastUnknownReal } };
      case 'consent':
        return { consent: { kind: 'granted' } };
      case 'list':
        return { list: this.list() };
      case 'own':
        return { own: ownRecords(...known) };
      case 'takenIds':
        return { takenIds: known.map(({ id }) => id) };
      case 'row':
        return { done: new Set([...facts.done, 'reread' as const]) };
    }
  }

  private list(): Facts['list'] {
    this.questions += 1;
    if (this.script.unreadable.includes(this.questions)) return UNREADABLE;
    return listing<ServiceRecord>(...this.made.filter(({ listedFrom }) => listedFrom <= this.now));
  }

  private captures() {
    const booked = this.made.filter(({ status, listedFrom }) => status === 'successful' && listedFrom <= this.now);
    return booked.map(({ id, createdAt }) => {
      return { captureId: `cap_${id}`, authorizationId: id, status: 'successful', createdAt };
    });
  }

  private send(): Partial<Facts> | null {
    this.openAtSend += this.sends.filter(({ state }) => !['not_sent'].includes(state)).length;
    const send = sent({
      send: this.sends.length,
      state: 'sending',
      at: this.now,
      sendingRealAt: this.now,
      unknownSinceReal: null,
    });
    this.sends.push(send);
    if (!maySendAt(this.attempt, this.now)) throw new Error('a POST outside its window');
    const fate = this.script.fates[send.send] ?? 'accepted';
    if (fate !== 'not_sent' && fate !== 'dies_before') this.posts.push(this.now);
    if (['accepted', 'lost', 'late', 'dies'].includes(fate)) this.make(fate === 'accepted' ? 0 : this.script.lag);
    return fate === 'dies' || fate === 'dies_before' ? null : { send, sent: this.answerOf(fate) };
  }

  private make(lag: number): void {
    const id = `aut_${this.made.length + 1}`;
    this.made.push({
      ...{ id, amount: this.attempt.amount, createdAt: this.now, status: 'successful', listedFrom: this.now + lag },
    });
  }

  private answerOf(fate: Fate): SendResult {
    switch (fate) {
      case 'accepted':
        return { kind: 'accepted', made: this.made.at(-1) as ServiceRecord };
      case 'refused':
        return { kind: 'rejected', detail: 'NO_MONEY', description: '', retryable: true };
      case 'not_sent':
        return { kind: 'not_sent', reason: '429', retryAfter: 0 };
      case 'lost':
      case 'late':
      case 'never':
      case 'dies':
      case 'dies_before':
        return { kind: 'unknown', reason: 'no complete answer' };
    }
  }

  private settle(outcome: Settled): null {
    this.replace(this.changesOf(outcome));
    return null;
  }

  private changesOf(outcome: Settled): Partial<Send> {
    const { state } = outcome;
    if (state === 'accepted') return { state: 'pending', id: outcome.made.id, createdAt: outcome.made.createdAt };
    if (state === 'refused') return { state: outcome.retryable ? 'rejected_retryable' : 'rejected' };
    if (state === 'refused_again') throw new Error('nothing in this model is listed again');
    return state === 'unknown' ? { state, unknownSinceReal: outcome.sinceReal } : { state };
  }

  private replace(changes: Partial<Send>): Send {
    const last = this.sends.pop();
    if (last === undefined) throw new Error('nothing was sent');
    const send = { ...last, ...changes };
    this.sends.push(send);
    return send;
  }
}

/** What follows immediately after the outcome was written. */
function thenOf(action: Action): Extract<Action, { kind: 'answer' | 'retry_later' }> | null {
  if (action.kind === 'settle') return action.then ?? null;
  return action.kind === 'count_absence' && action.then?.kind === 'settle' ? (action.then.then ?? null) : null;
}
