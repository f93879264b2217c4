import { ApplicationFailure } from '@temporalio/common';
import type {
  Activities,
  AdoptInput,
  AdoptionResult,
  AnnounceInput,
  AwaitConsentInput,
  CollectInput,
  ConsentEnd,
  ConsentRequestResult,
  DiscardResult,
  LedgerChange,
  LedgerState,
  NotifyInput,
  NotifyResult,
  PaymentRef,
  ReadLedgerInput,
  RecordResult,
  ResolveInput,
  ResolveResult,
  SubscriptionPatch,
  SubscriptionRef,
} from '../../src/contract/activities';
import {
  type ConsentResult,
  type CancelledBy,
  type CollectResult,
  isTerminal,
  type Terms,
} from '../../src/domain/subscription/state';
import { dueAt, firstCycleFrom } from '../../src/domain/subscription/schedule';
import type { NoticeId, PaymentId } from '../../src/domain/ids';
import type { Instant } from '../../src/domain/time';
import { type CycleFacts, type LedgerFacts, restoreState } from '../../src/domain/subscription/state-from-ledger';
import { type Call, collected, delivered, type Fate, type NoticeFate } from './workflow-fates';

/** Time as a scripted activity sees it. */
export interface BankTime {
  /** Business time. */
  now(): Instant;
  /** Real time, epoch milliseconds. */
  realNow(): number;
  /** Real milliseconds until business time has reached the instant. */
  delayUntil(at: Instant): number;
}

export interface Send {
  readonly cycle: number;
  readonly attempt: number;
  readonly at: Instant;
  readonly cents: number;
}

export type ActivityName = keyof Activities;

/** The payment that the service named to a worker who died. */
export const RECORDED = 'payment-on-record' as PaymentId;

/** What the ledger has of the subscription. */
export type LedgerRow = Required<SubscriptionPatch>;

/**
 * Bank, ledger and payer of one subscription in memory, behind the activities' interface. All succeeds at once unless
 * scripted otherwise; every call is kept with its time.
 */
export class ScriptedBank implements Activities {
  readonly calls: { readonly name: ActivityName; readonly at: Instant; readonly input: unknown }[] = [];
  /** What reached the bank, and when. */
  readonly sends: Send[] = [];
  readonly changes: LedgerChange[] = [];
  readonly deliveredNotices: NoticeId[] = [];
  readonly faults: string[] = [];
  /** Null once the draft is discarded. */
  row: LedgerRow | null;
  /**
   * Whether the ledger answers the ids of the notices it stored, so that their workflows start. The time-skipping server
   * stands still for good where a child outlives its parent, so there this is only for subscriptions that go on.
   */
  sendsNotices: boolean;
  /** What becomes of telling the payer of an increase. */
  increaseFate: (call: Call<AnnounceInput>) => NotifyResult = ({ now }) => ({ kind: 'delivered', at: now });
  /** What the service says of a consent granted elsewhere; taken over as ordered, unless scripted. */
  adoption: (input: AdoptInput) => AdoptionResult = ({ terms, lastIncreaseAt }) => ({
    kind: 'adopted',
    consentAmount: terms.consentAmount,
    collectedOnce: true,
    lastIncreaseAt,
    warnings: [],
  });
  /** Why a person's word is not taken; null: it is. */
  resolveRefused: Extract<ResolveResult, { kind: 'stands' | 'unrecorded' }> | null = null;
  /** Why the ledger takes nothing that an update brings: no request is on record. Null: all are. */
  unrecorded: string | null = null;
  /** Why looking at the consent fails for good; null: it does not. */
  lookFault: string | null = null;
  /** Runs once a change is written whose answer is lost: the worker has died. Null: none is. */
  afterUnanswered: (() => void) | null = null;
  /** Runs within `collectPayment`, before it answers. */
  duringCollect: (input: CollectInput) => Promise<void> | void = () => undefined;

  private readonly collectedCycles: number[] = [];
  private readonly fates = new Map<string, Fate[]>();
  private readonly noticeFates = new Map<string, NoticeFate>();
  private readonly delays = new Map<ActivityName, readonly number[]>();
  private consentAnswer: { at: Instant; result: ConsentResult } | null = null;
  private consentEnd: { at: Instant; by: CancelledBy } | null = null;
  private cancelConfirmedAt: Instant = 0;
  private discarding: Promise<void> = Promise.resolve();
  private requestAnswered: Promise<void> = Promise.resolve();
  private consentAskedFor: Promise<void> = Promise.resolve();
  private consentIsAskedFor = (): void => undefined;
  private recorded: Extract<DiscardResult, { kind: 'on_record' }> | null = null;
  private consentRequest: (() => ConsentRequestResult | Promise<ConsentRequestResult>) | null = null;

  /** Of the ledger's row. */
  revision = 0;
  /** Cycles that the ledger has and this workflow may not know of. */
  readonly begun: CycleFacts[] = [];
  /** The highest cycle that is over, where the ledger knows of more than this workflow. */
  lastOver = -1;

  constructor(
    private readonly terms: Terms,
    private readonly time: BankTime,
    sendsNotices: boolean,
  ) {
    this.sendsNotices = sendsNotices;
    const { firstPaymentAt, consentAmount } = terms;
    this.row = {
      status: 'pending_consent',
      attention: [],
      dunning: false,
      pastDue: false,
      hold: null,
      pausedUntil: null,
      cancelledBy: null,
      nextDueAt: firstPaymentAt,
      amount: consentAmount,
      pendingChange: null,
      lastIncreaseAt: null,
      replacedBy: null,
      pauses: [],
      skips: [],
      replacements: [],
      current: consentAmount,
      cancellation: null,
      endHeardAt: null,
    };
  }

  /**
   * Steers in the ledger, beside the workflow: the row's revision after it, of which the workflow is to be notified.
   */
  steerBeside(patch: Partial<LedgerRow>): number {
    Object.assign(this.ledger, patch);
    this.revision += 1;
    return this.revision;
  }

  /** What becomes of an attempt; several: one for each answer in turn, the last for all further ones. */
  attempt(cycle: number, attempt: number, ...fates: Fate[]): void {
    this.fates.set(`${cycle}/${attempt}`, fates);
  }

  notice(cycle: number, attempt: number, fate: NoticeFate): void {
    this.noticeFates.set(`${cycle}/${attempt}`, fate);
  }

  consentAnsweredAt(at: Instant, result: ConsentResult): void {
    this.consentAnswer = { at, result };
  }

  consentEndsAt(at: Instant, by: CancelledBy = 'payer'): void {
    this.consentEnd = { at, by };
  }

  cancelIsConfirmedAt(at: Instant): void {
    this.cancelConfirmedAt = at;
  }

  consentIsRequestedWith(answer: () => ConsentRequestResult | Promise<ConsentRequestResult>): void {
    this.consentRequest = answer;
  }

  /** The service's answer comes into the ledger, and the worker dies before Temporal hears of it. */
  consentIsRecordedByOneWhoDies(meanwhile: () => Promise<void> = async () => undefined): void {
    this.consentRequest = async () => {
      this.recorded = { kind: 'on_record', paymentId: RECORDED, requestedRealAt: this.time.realNow() };
      await meanwhile();
      throw new Error('activity Heartbeat timeout');
    };
  }

  /**
   * The consent is ended once the payer's answer was asked for. The time-skipping server loses a workflow that gives up
   * an activity in the moment in which it comes to its end.
   */
  endsConsentOnceAskedFor(): void {
    this.consentAskedFor = new Promise((resolve) => (this.consentIsAskedFor = resolve));
  }

  /**
   * The payer answers no sooner than the caller has been: where the subscription continues as new before that, the
   * time-skipping server no longer finds the request.
   */
  answersAfter(request: Promise<unknown>): void {
    this.requestAnswered = request.then(ignore, ignore);
  }

  /** Discarding takes until then. */
  beforeDiscarding(until: Promise<void>): void {
    this.discarding = until;
  }

  /** The next call of an activity comes to nothing, and is made again after this time; and so the calls after it. */
  delayNext(name: ActivityName, ...ms: readonly number[]): void {
    this.delays.set(name, ms);
  }

  /** False once all delayed calls have begun. */
  isDelayed(name: ActivityName): boolean {
    return this.delays.has(name);
  }

  callsOf(name: ActivityName): readonly { readonly at: Instant; readonly input: unknown }[] {
    return this.calls.filter((call) => call.name === name);
  }

  /** Types of the trail's events that the workflow has written, in order. */
  get trail(): string[] {
    return this.changes.flatMap((change) => change.events.map((event) => event.type));
  }

  get noticesOrdered(): string[] {
    return this.changes.flatMap((change) => (change.notices ?? []).map((notice) => notice.type));
  }

  /** How cycles ended that were not collected. */
  get cycleRecords(): [number, string, string | null | undefined][] {
    return this.changes.flatMap(({ cycle }) =>
      cycle === undefined ? [] : [[cycle.cycle, cycle.status, cycle.reason]],
    );
  }

  async requestConsent(input: SubscriptionRef): Promise<ConsentRequestResult> {
    this.note('requestConsent', input);
    if (this.consentRequest !== null) return this.consentRequest();
    const paymentId = `payment-of-${input.subscriptionId}` as PaymentId;
    return { kind: 'requested', paymentId, requestedRealAt: this.time.realNow() };
  }

  async adoptConsent(input: AdoptInput): Promise<AdoptionResult> {
    this.note('adoptConsent', input);
    const result = this.adoption(input);
    if (result.kind === 'adopted') {
      const { terms, amount, adoption } = input;
      const nextDueAt = dueAt(terms, firstCycleFrom(terms, adoption.collectFrom));
      Object.assign(this.ledger, { status: 'active', amount, nextDueAt, lastIncreaseAt: result.lastIncreaseAt });
    }
    return result;
  }

  async discardDraft(input: SubscriptionRef): Promise<DiscardResult> {
    this.note('discardDraft', input);
    await this.discarding;
    if (this.recorded !== null) return this.recorded;
    this.row = null;
    return { kind: 'discarded' };
  }

  async awaitConsent(input: AwaitConsentInput): Promise<ConsentResult> {
    this.note('awaitConsent', input);
    await this.requestAnswered;
    this.consentIsAskedFor();
    const result = this.readConsent();
    if (result !== null) return result;
    if (this.time.realNow() >= input.sessionEndsRealAt) return { kind: 'failed', reason: 'timeout' };
    const left = input.sessionEndsRealAt - this.time.realNow();
    const answered = this.consentAnswer === null ? left : this.time.delayUntil(this.consentAnswer.at);
    return comeBackAfter(Math.min(left, answered));
  }

  async lookAtConsent(input: PaymentRef): Promise<ConsentResult | null> {
    this.note('lookAtConsent', input);
    if (this.lookFault !== null) throw ApplicationFailure.nonRetryable(this.lookFault, 'fault');
    return this.readConsent();
  }

  async cancelConsent(input: PaymentRef): Promise<ConsentEnd> {
    this.note('cancelConsent', input);
    await this.consentAskedFor;
    if (this.time.now() < this.cancelConfirmedAt) comeBackAfter(this.time.delayUntil(this.cancelConfirmedAt));
    this.consentEnd = { at: this.time.now(), by: 'merchant' };
    return { by: 'merchant' };
  }

  async collectPayment(input: CollectInput): Promise<CollectResult> {
    this.note('collectPayment', input);
    await this.duringCollect(input);
    const sent = this.sends.some(({ cycle, attempt }) => cycle === input.cycle && attempt === input.attempt);
    const stop = sent || input.settleOnly ? null : this.stopBeforeSending(input);
    if (stop !== null) return stop;
    if (!sent && !input.settleOnly) this.send(input);
    const result = this.nextFate(input)(this.call(input));
    const isLatest = !this.sends.some(({ cycle }) => cycle > input.cycle);
    if (result.kind === 'collected') this.collectedCycles.push(input.cycle);
    if (result.kind === 'collected' && this.row !== null && isLatest) {
      Object.assign(this.row, { dunning: false, pastDue: false, amount: input.amount });
      const goesOn = this.row.status === 'active' || this.row.status === 'paused';
      if (goesOn) Object.assign(this.row, { nextDueAt: input.nextDueAt });
    }
    return result;
  }

  async notifyPayer(input: NotifyInput): Promise<NotifyResult> {
    this.note('notifyPayer', input);
    Object.assign(this.ledger, { dunning: true, nextDueAt: input.nextDueAt });
    const fate = this.noticeFates.get(`${input.cycle}/${input.rejection.attempt}`) ?? delivered;
    return fate(this.call(input));
  }

  async resolveAttempt(input: ResolveInput): Promise<ResolveResult> {
    this.note('resolveAttempt', input);
    if (this.resolveRefused !== null) return this.resolveRefused;
    const at = this.time.now();
    if (input.outcome === 'failed') {
      return { kind: 'rejected', at, detail: 'RESOLVED_AS_FAILED', description: '', retryable: false };
    }
    Object.assign(this.ledger, { dunning: false, pastDue: false, amount: input.amount });
    if (!isTerminal(this.ledger.status)) Object.assign(this.ledger, { nextDueAt: input.nextDueAt });
    return { kind: 'collected', authorizationId: null, captureId: null, at };
  }

  async announceIncrease(input: AnnounceInput): Promise<NotifyResult> {
    this.note('announceIncrease', input);
    return this.increaseFate(this.call(input));
  }

  async deliverNotice(input: { readonly noticeId: NoticeId }): Promise<void> {
    this.note('deliverNotice', input);
    this.deliveredNotices.push(input.noticeId);
  }

  async record(change: LedgerChange): Promise<RecordResult> {
    this.note('record', change);
    const before = this.changes.find(({ key }) => key === change.key);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(change)) this.faults.push(change.key);
    if (before === undefined) {
      if (change.judged === true && this.revision > (change.knows ?? this.revision)) {
        return { noticeIds: [], revision: this.revision, stale: true };
      }
      if (change.request !== undefined && this.unrecorded !== null) {
        return { noticeIds: [], revision: this.revision, refused: this.unrecorded };
      }
      this.changes.push(change);
      Object.assign(this.ledger, change.subscription);
      if (change.steers === true) this.revision += 1;
      this.loseAnswer();
    }
    const { revision } = this;
    const written = before === undefined ? { revision } : { revision, repeated: true };
    if (!this.sendsNotices) return { noticeIds: [], ...written };
    const ids = (change.notices ?? []).map((_, index) => `${change.subscriptionId}~${change.key}~${index}` as NoticeId);
    return { noticeIds: ids, ...written };
  }

  private loseAnswer(): void {
    const meanwhile = this.afterUnanswered;
    if (meanwhile === null) return;
    this.afterUnanswered = null;
    meanwhile();
    throw new Error('activity Heartbeat timeout');
  }

  async readLedger(input: ReadLedgerInput): Promise<LedgerState> {
    this.note('readLedger', input);
    const { attention, dunning, pastDue, ...row } = this.ledger;
    const over = this.changes.flatMap(({ cycle }) => (cycle === undefined ? [] : [cycle.cycle]));
    const facts: LedgerFacts = {
      ...row,
      ...input,
      terms: this.terms,
      revision: this.revision,
      standing: { attention, dunning, pastDue },
      paymentId: `payment-of-${input.subscriptionId}` as PaymentId,
      replaces: null,
      collectFrom: null,
      begun: this.begun,
      collectedOnce: this.collectedCycles.length > 0,
      currentOf: this.collectedCycles.length > 0 ? Math.max(...this.collectedCycles) : null,
      lastOver: Math.max(this.lastOver, ...this.collectedCycles, ...over),
    };
    return { state: restoreState(facts, this.time.now()), noticeIds: [] };
  }

  private get ledger(): LedgerRow {
    if (this.row === null) throw new Error('the ledger has no such subscription');
    return this.row;
  }

  private note(name: ActivityName, input: unknown): void {
    this.calls.push({ name, at: this.time.now(), input });
    const [delay = 0, ...later] = this.delays.get(name) ?? [];
    if (later.length > 0) this.delays.set(name, later);
    else this.delays.delete(name);
    if (delay > 0) comeBackAfter(delay);
  }

  private call<Input>(input: Input): Call<Input> {
    return { input, now: this.time.now(), comeBackAt: (at) => comeBackAfter(this.time.delayUntil(at)) };
  }

  /** What must hold before anything leaves: the window, the hold, the consent. */
  private stopBeforeSending(input: CollectInput): CollectResult | null {
    if (this.time.now() >= input.sendBefore) return { kind: 'window_closed' };
    if (this.row?.hold != null || this.revision > (input.revision ?? this.revision)) return { kind: 'held' };
    if (this.consentEnd === null || this.time.now() < this.consentEnd.at) return null;
    const { by } = this.consentEnd;
    return { kind: 'consent_ended', by, reason: `cancelled_by_${by}` };
  }

  private send({ cycle, attempt, amount }: CollectInput): void {
    this.sends.push({ cycle, attempt, at: this.time.now(), cents: amount.value });
  }

  /** The fate in force; used up once it has answered, unless it is the last. */
  private nextFate({ cycle, attempt }: CollectInput): Fate {
    const fates = this.fates.get(`${cycle}/${attempt}`) ?? [collected];
    const [fate = collected] = fates;
    return (call) => {
      const result = fate(call);
      if (fates.length > 1) fates.shift();
      return result;
    };
  }

  private readConsent(): ConsentResult | null {
    const now = this.time.now();
    if (this.consentEnd !== null && now >= this.consentEnd.at) {
      return { kind: 'cancelled', by: this.consentEnd.by, reason: `cancelled_by_${this.consentEnd.by}` };
    }
    if (this.consentAnswer === null) return { kind: 'granted' };
    return now >= this.consentAnswer.at ? this.consentAnswer.result : null;
  }
}

function ignore(): void {
  return undefined;
}

function comeBackAfter(ms: number): never {
  throw ApplicationFailure.create({
    type: 'pending',
    message: 'not settled yet',
    nonRetryable: false,
    nextRetryDelay: Math.max(1, Math.ceil(ms)),
  });
}
