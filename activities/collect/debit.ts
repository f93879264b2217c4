import type { PaymentRef } from '../../src/contract/activities';
import type { Again, Notice, Observation, Settled } from '../../src/domain/attempt/action';
import {
  type Attempt,
  type ConsentFacts,
  type Facts,
  isToBeSent,
  type LedgerFacts,
  type OwnRecords,
  type Send,
} from '../../src/domain/attempt/attempt';
import { maySendAt } from '../../src/domain/attempt/before-send';
import { probeInterval } from '../../src/domain/attempt/limits';
import type { AuthorizationId } from '../../src/domain/ids';
import type { Listed } from '../../src/domain/send';
import { adoptionStart } from '../../src/domain/subscription/schedule';
import type { CollectPlan } from '../../src/domain/subscription/state';
import { type Instant, toIso } from '../../src/domain/time';
import type { SignedMark } from '../../src/domain/audit/event';
import type { WhyNow } from '../../src/domain/audit/grounds';
import {
  adoptAuthorization,
  type AttemptRecord,
  backOffKey,
  beginSend,
  beginSendIfUnchanged,
  takenAuthorizationIds,
  knownAuthorizations,
  latestSend,
  type NewSend,
  precheckAttempt,
  readAttempt,
  recordAbsenceCheck,
  recordObservation,
  reopenedAttempt,
  type Survey,
} from '../../src/ledger';
import { mapAnswer, type SendOptions } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { ConsentReading } from './consent-reading';
import { attemptOf, listed, sendOf } from './debit-forms';
import { type KnownLedger, notifyOf, recordSettled, reopenRefused } from './debit-records';
import { isAnsweredSinceLast } from './post';
import type { BeginResult, Reopened, Subject } from './subject';
import { FreshSurvey } from './fresh-survey';
import type { AuditMemory } from './audit-memory';

/**
 * An attempt as planned in the ledger. `why` is for the audit log; if the row has a newer `revision`, nothing is sent; lateness
 * is counted from `plannedAt`, business time; `auditPosition` is the end of the audit log when a cycle was last collected.
 */
export type CollectInput = PaymentRef &
  CollectPlan & {
    readonly revision: number;
    readonly why?: WhyNow;
    readonly plannedAt?: Instant;
    readonly auditPosition?: SignedMark;
  };

/** The calls for the consent, the list and the POST. */
const CALLS = 3;

/** One debit of a subscription in progress. */
export class Debit implements Subject {
  readonly attempt: Attempt;
  readonly key: string;
  readonly noun = 'attempt';
  readonly idName = 'authorizationId';
  readonly shownAs: { readonly attempt: number };
  readonly calls: number;
  readonly known: KnownLedger = { accepted: null, current: null, written: null };
  /** The last send as last read or written; or that of a refused attempt, if this one is followed instead. */
  private row: AttemptRecord | null = null;
  /** Whether this run has just written the row, so that it need not be read. */
  private isWritten = false;
  private readonly consent: ConsentReading;
  /** Whether none of the installation's last POSTs got a readable answer. */
  private isUnanswered = false;
  /** The service's last list; null if it could not be read. */
  private lastListed: readonly Listed[] | null = null;
  /** What was just read about the attempt; used in the first pass. */
  private survey: FreshSurvey | null;

  constructor(
    readonly deps: Dependencies,
    readonly input: CollectInput,
    readonly memory: AuditMemory,
    private readonly checkBeside: (row: AttemptRecord) => Promise<void>,
    /** What was just read about it; null if the first pass must read it. */
    survey: Survey | null = null,
  ) {
    this.survey = survey === null ? null : new FreshSurvey(survey, deps.clock);
    this.consent = new ConsentReading(deps, input);
    this.attempt = attemptOf(input);
    this.key = backOffKey(input);
    this.shownAs = { attempt: input.attempt };
    this.calls = this.attempt.isRetry ? CALLS + 1 : CALLS;
  }

  readSend = async (): Promise<Pick<Facts, 'send' | 'beside'>> => {
    const { deps, input, memory } = this;
    const { subscriptionId, cycle, attempt, auditPosition } = input;
    const { written } = this.known;
    // Before a cycle's first attempt, no attempt can have been refused.
    const isKnown = this.isWritten && attempt === 0;
    this.known.written = null;
    this.isWritten = false;
    if (written !== null) return { send: this.current(), beside: written.beside };
    if (isKnown) return { send: this.current(), beside: null };
    const surveyed = this.survey?.take();
    if (surveyed !== undefined) {
      this.row = surveyed.send;
      return { send: this.current(), beside: surveyed.beside };
    }
    const read = () => readAttempt(deps.ledger, subscriptionId, cycle, attempt);
    const { send, beside } = await memory.watch(deps, auditPosition, read);
    this.row = send;
    return { send: this.current(), beside };
  };

  hasStarted = async (): Promise<boolean> => {
    const { subscriptionId, cycle, attempt } = this.input;
    return !isToBeSent(await latestSend(this.deps.ledger, subscriptionId, cycle, attempt));
  };

  readLedger = async (): Promise<LedgerFacts> => {
    const { deps, input } = this;
    const before = this.survey?.precheck(input) ?? (await precheckAttempt(deps.ledger, input, deps.clock.now()));
    const { calendar, sends, lastUnknownReal, isHeld, isHalted, currentAmount, hasListItem } = before;
    this.consent.wasUnreadable = before.wasUnreadable;
    this.isUnanswered = before.isUnanswered;
    const isAnswered = await isAnsweredSinceLast(deps.ledger, before);
    const since = adoptionStart(calendar, input.cycle);
    return { since, isHeld, isHalted, sends, lastUnknownReal, isAnswered, currentAmount, hasListItem };
  };

  readConsent = (): Promise<ConsentFacts> => this.consent.check(isToBeSent(this.row));

  endPass = async (): Promise<void> => {
    this.survey = null;
    await this.consent.end();
  };

  readOwn = async (): Promise<OwnRecords> => {
    const surveyed = this.attempt.settleOnly || !isToBeSent(this.row) ? null : this.survey?.own(this.lastListed);
    const known = surveyed ?? (await this.readKnown());
    return { known, ofCycle: known.filter(({ cycle }) => cycle === this.input.cycle), isOtherUnknown: false };
  };

  /** Read after the list, so that it includes what another worker sent meanwhile. */
  private readKnown() {
    this.survey = null;
    return knownAuthorizations(this.deps.ledger, this.input.paymentId);
  }

  readTakenIds = () => takenAuthorizationIds(this.deps.ledger, this.input.paymentId);

  list = async () => {
    const answer = mapAnswer(await this.deps.service.listAuthorizations(this.input.paymentId), (all) =>
      all.map(listed),
    );
    this.lastListed = answer.kind === 'accepted' ? answer.value : null;
    return answer;
  };

  listCaptures = (of: AuthorizationId | null) =>
    of === null
      ? this.deps.service.listCaptures(this.input.paymentId)
      : this.deps.service.listCaptures(this.input.paymentId, of);

  begin = async (knownIds: readonly string[]): Promise<BeginResult> => {
    const { deps, input } = this;
    const { subscriptionId, paymentId, cycle, attempt, amount, dueAt, collectBy, sendBefore, revision, why } = input;
    const consent = this.consent.answer;
    if (consent === null) throw new Error('no POST without a successful consent answer');
    const send: NewSend = {
      ...{ subscriptionId, paymentId, cycle, attempt, amount, dueAt, collectBy, revision, knownIds, consent },
      // This machine's clock may be behind the one that woke the workflow: nothing is sent before its planned time (rule 14).
      at: Math.max(deps.clock.now(), input.plannedAt ?? 0),
      realAt: deps.clock.realNow(),
      owner: deps.settings.owner,
      probeInterval: this.isUnanswered ? probeInterval(deps.settings) : undefined,
      grounds: { sendBefore: toIso(sendBefore), consentReadAt: toIso(consent.at), ...(why && { why }) },
    };
    const { survey } = this;
    const row = survey === null ? null : await beginSendIfUnchanged(deps.ledger, send, survey.basis);
    if (row !== null) return this.started(row);
    // The list may have been compared with old rows: check everything again.
    if (survey !== null && survey.differsFrom(await this.readKnown())) return { kind: 'changed' };
    const result = await beginSend(deps.ledger, send);
    if (result.kind === 'started') return this.started(result.send);
    if (result.kind === 'no_notice')
      deps.log.warn({ subscriptionId, cycle, attempt }, 'a retry without a delivered notice was not sent');
    return result;
  };

  private started(row: AttemptRecord): BeginResult {
    this.row = row;
    this.consent.markRecorded();
    return { kind: 'started', send: sendOf(row) };
  }

  post = async (options: SendOptions) => {
    const { deps, input } = this;
    let leftAt = deps.clock.now();
    const beforeSend = () => {
      leftAt = deps.clock.now();
      return options.beforeSend?.() ?? true;
    };
    const answer = await deps.service.initiate(input.paymentId, input.amount, { ...options, beforeSend });
    if (input.plannedAt !== undefined && answer.kind !== 'not_sent') {
      deps.counting.recordLateness(leftAt - input.plannedAt);
    }
    return mapAnswer(answer, listed);
  };

  mayLeave = () => maySendAt(this.attempt, this.deps.clock.now());

  settle = async (_send: Send, outcome: Settled): Promise<boolean> => {
    const written = await recordSettled(this, this.rowAtHand(), outcome);
    if (written === null) return false;
    this.row = written;
    // If it was refused again, another attempt of the cycle may be open: read again.
    this.isWritten = outcome.state !== 'refused_again';
    return true;
  };

  count = async (_send: Send, absent: boolean) => {
    this.row = await recordAbsenceCheck(this.deps.ledger, this.rowAtHand(), { absent });
    return this.current();
  };

  observe = async (_send: Send, seen: Observation) => {
    this.row = await recordObservation(this.deps.ledger, this.rowAtHand(), seen);
    return this.current();
  };

  /** A refused attempt of this cycle is followed before anything else; one of another cycle is followed in parallel, by the workflow. */
  reopen = async (again: Again): Promise<Reopened | null> => {
    const { deps, input } = this;
    await reopenRefused(deps, input, again);
    const row = (await knownAuthorizations(deps.ledger, input.paymentId)).find(
      ({ id, state }) => id === again.known.id && state === 'pending',
    );
    if (row === undefined || row.cycle === input.cycle) return null;
    const { cycle, attempt, amount } = row;
    return { kind: 'reopened', cycle, attempt, amount };
  };

  adopt = async (made: Listed): Promise<boolean> => {
    const { deps, input } = this;
    const { subscriptionId, paymentId, cycle, attempt, dueAt, collectBy } = input;
    const adopted = await adoptAuthorization(deps.ledger, {
      ...{ subscriptionId, paymentId, cycle, attempt, dueAt, collectBy },
      ...{ amount: made.amount, authorizationId: made.id as AuthorizationId, createdAt: made.createdAt },
      enteredAt: deps.clock.now(),
      realAt: deps.clock.realNow(),
      owner: deps.settings.owner,
    });
    return adopted.kind === 'adopted';
  };

  giveUp = (): Promise<boolean> => {
    throw new Error('a debit is never given up: once its window has ended, its outcome is only polled');
  };

  notify = (notice: Notice) => notifyOf(this, this.row, notice);

  readBeside = async () => {
    this.row = await reopenedAttempt(this.deps.ledger, this.input);
    return this.current();
  };

  pollBeside = async () => {
    const row = await reopenedAttempt(this.deps.ledger, this.input);
    if (row?.state === 'pending') await this.checkBeside(row);
  };

  private current(): Send | null {
    return this.row === null ? null : sendOf(this.row);
  }

  /** @throws if nothing was sent */
  rowAtHand(): AttemptRecord {
    if (this.row === null) throw new Error('an outcome for an attempt that was never sent');
    return this.row;
  }
}
