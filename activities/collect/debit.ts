import type { PaymentRef } from '../../src/contract/activities';
import type { Again, Observation, Settled, SideEffect } from '../../src/domain/attempt/action';
import {
  type Attempt,
  type ConsentFacts,
  type Facts,
  isToBeSent,
  type LedgerFacts,
  type OwnRecords,
  type Send,
  type ServiceRecord,
  type ServiceCapture,
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
import { mapAnswer, type ServiceResult } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { ConsentReading } from './consent-reading';
import { attemptOf, listed, sendOf } from './debit-forms';
import { recordSettled, recordSideEffect, reopenRefused } from './debit-records';
import { isAnsweredSinceLast } from './post';
import { SendRow } from './send-row';
import type { BeginResult, DebitInProgress, Reopened } from './subject';
import { FreshSurvey } from './fresh-survey';
import type { AuditMemory } from './audit-memory';

/** An attempt as planned in the ledger. */
export type CollectInput = PaymentRef &
  CollectPlan & {
    /**
     * The revision of the subscription's row that the plan is based on: if the row has a newer one, nothing is sent.
     */
    readonly revision: number;
    /** Why the attempt is made now, for the audit log. */
    readonly why?: WhyNow;
    /** Business time before which no send is dated, and from which lateness is counted. */
    readonly plannedAt?: Instant;
    /** The end of the audit log when a cycle was last collected. */
    readonly auditPosition?: SignedMark | undefined;
  };

/** The calls for the consent, the list and the POST. */
const CALLS = 3;

/** One debit of a subscription in progress. */
export class Debit implements DebitInProgress {
  readonly attempt: Attempt;
  readonly key: string;
  readonly noun = 'attempt';
  readonly idName = 'authorizationId';
  readonly shownAs: { readonly attempt: number };
  readonly calls: number;
  readonly row = new SendRow();
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
    private readonly checkReopened: (row: AttemptRecord) => Promise<void>,
    /** What was just read about the attempt; null if the first pass must read it. */
    survey: Survey | null = null,
  ) {
    this.survey = survey === null ? null : new FreshSurvey(survey, deps.clock);
    this.consent = new ConsentReading(deps, input);
    this.attempt = attemptOf(input);
    this.key = backOffKey(input);
    this.shownAs = { attempt: input.attempt };
    this.calls = this.attempt.isRetry ? CALLS + 1 : CALLS;
  }

  async readSend(): Promise<Pick<Facts, 'send' | 'reopened'>> {
    const { deps, input, memory } = this;
    const { subscriptionId, cycle, attempt, auditPosition } = input;
    const written = this.row.takeWritten();
    if (written !== null) return written;
    const read = () => readAttempt(deps.ledger, subscriptionId, cycle, attempt);
    const { send, reopened } = this.survey?.take() ?? (await memory.watch(deps, auditPosition, read));
    return { send: this.row.replace(send), reopened };
  }

  async hasStarted(): Promise<boolean> {
    const { subscriptionId, cycle, attempt } = this.input;
    return !isToBeSent(await latestSend(this.deps.ledger, subscriptionId, cycle, attempt));
  }

  async readLedger(): Promise<LedgerFacts> {
    const { deps, input } = this;
    const before = this.survey?.precheck(input) ?? (await precheckAttempt(deps.ledger, input, deps.clock.now()));
    const { calendar, sends, lastUnknownReal, isStopped, isHalted, currentAmount, hasIncompleteListItem } = before;
    this.consent.wasUnreadable = before.wasUnreadable;
    this.isUnanswered = before.isUnanswered;
    const isAnswered = await isAnsweredSinceLast(deps.ledger, before);
    const since = adoptionStart(calendar, input.cycle);
    return { since, isStopped, isHalted, sends, lastUnknownReal, isAnswered, currentAmount, hasIncompleteListItem };
  }

  readConsent(): Promise<ConsentFacts> {
    return this.consent.check(isToBeSent(this.row.record));
  }

  async endPass(): Promise<void> {
    this.survey = null;
    await this.consent.end();
  }

  async readOwn(): Promise<OwnRecords> {
    const surveyed =
      this.attempt.settleOnly || !isToBeSent(this.row.record)
        ? null
        : this.survey?.knownAuthorizations(this.lastListed);
    const known = surveyed ?? (await this.readKnown());
    return { known, ofCycle: known.filter(({ cycle }) => cycle === this.input.cycle), isOtherUnknown: false };
  }

  /** Reads the known authorizations after the list, so that they include what another worker has sent meanwhile. */
  private readKnown() {
    this.survey = null;
    return knownAuthorizations(this.deps.ledger, this.input.paymentId);
  }

  readTakenIds(): Promise<readonly string[]> {
    return takenAuthorizationIds(this.deps.ledger, this.input.paymentId);
  }

  async list(): Promise<ServiceResult<readonly ServiceRecord[]>> {
    const answer = mapAnswer(await this.deps.service.listAuthorizations(this.input.paymentId), (all) =>
      all.map(listed),
    );
    this.lastListed = answer.kind === 'accepted' ? answer.value : null;
    return answer;
  }

  listCaptures(of: AuthorizationId | null): Promise<ServiceResult<readonly ServiceCapture[]>> {
    const { service } = this.deps;
    const { paymentId } = this.input;
    return of === null ? service.listCaptures(paymentId) : service.listCaptures(paymentId, of);
  }

  async begin(knownIds: readonly string[]): Promise<BeginResult> {
    const { deps, input } = this;
    const { subscriptionId, paymentId, cycle, attempt, amount, dueAt, collectBy, sendBefore, revision, why } = input;
    const consent = this.consent.answer;
    if (consent === null) throw new Error('no POST without a successful consent answer');
    const send: NewSend = {
      subscriptionId,
      paymentId,
      cycle,
      attempt,
      amount,
      dueAt,
      collectBy,
      revision,
      knownIds,
      consent,
      // This machine's clock may have been set back since the decision: no send is dated before its planned time (rule 14).
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
  }

  private started(row: AttemptRecord): BeginResult {
    this.row.replace(row);
    this.consent.markRecorded();
    return { kind: 'started', send: sendOf(row) };
  }

  async post(mayBeSent: () => boolean): Promise<ServiceResult<ServiceRecord>> {
    const { deps, input } = this;
    let leftAt = deps.clock.now();
    const beforeSend = () => {
      leftAt = deps.clock.now();
      return mayBeSent();
    };
    const answer = await deps.service.initiate(input.paymentId, input.amount, { beforeSend });
    if (input.plannedAt !== undefined && answer.kind !== 'not_sent') {
      deps.counting.recordLateness(leftAt - input.plannedAt);
    }
    return mapAnswer(answer, listed);
  }

  mayLeave(): boolean {
    return maySendAt(this.attempt, this.deps.clock.now());
  }

  async settle(_send: Send, outcome: Settled): Promise<boolean> {
    const written = await recordSettled(this, outcome);
    if (written === null) return false;
    this.row.write(written, written.reopened === undefined ? this.reopenedAfter(outcome) : written.reopened);
    return true;
  }

  /**
   * During a first attempt no other attempt of the cycle can have been reopened, so the row as written is current. During a retry
   * an earlier attempt can have been reopened: undefined means that it must be read.
   */
  private reopenedAfter({ state }: Settled): null | undefined {
    return this.attempt.isRetry || state === 'refused_again' ? undefined : null;
  }

  async countAbsence(_send: Send, absent: boolean): Promise<Send | null> {
    return this.row.replace(await recordAbsenceCheck(this.deps.ledger, this.row.requireRecord(), { absent }));
  }

  async observe(_send: Send, seen: Observation): Promise<Send | null> {
    return this.row.replace(await recordObservation(this.deps.ledger, this.row.requireRecord(), seen));
  }

  /** A reopened attempt of this cycle is followed before anything else; one of another cycle in parallel, by a workflow of its own. */
  async reopen(again: Again): Promise<Reopened | null> {
    const { deps, input } = this;
    await reopenRefused(deps, input, again, { asker: 'workflow' });
    const row = (await knownAuthorizations(deps.ledger, input.paymentId)).find(
      ({ id, state }) => id === again.known.id && state === 'pending',
    );
    if (row === undefined || row.cycle === input.cycle) return null;
    const { cycle, attempt, amount } = row;
    return { kind: 'reopened', cycle, attempt, amount };
  }

  async adopt(made: Listed): Promise<boolean> {
    const { deps, input } = this;
    const { subscriptionId, paymentId, cycle, attempt, dueAt, collectBy } = input;
    const adopted = await adoptAuthorization(deps.ledger, {
      subscriptionId,
      paymentId,
      cycle,
      attempt,
      dueAt,
      collectBy,
      amount: made.amount,
      authorizationId: made.id as AuthorizationId,
      createdAt: made.createdAt,
      enteredAt: deps.clock.now(),
      realAt: deps.clock.realNow(),
      owner: deps.settings.owner,
    });
    return adopted.kind === 'adopted';
  }

  record(sideEffect: SideEffect): Promise<void> {
    return recordSideEffect(this, sideEffect);
  }

  async readReopened(): Promise<Send | null> {
    return this.row.replace(await reopenedAttempt(this.deps.ledger, this.input));
  }

  async pollReopened(): Promise<void> {
    const row = await reopenedAttempt(this.deps.ledger, this.input);
    if (row?.state === 'pending') await this.checkReopened(row);
  }
}
