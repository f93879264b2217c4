import type { Adopted, AdoptionFault } from '../domain/subscription/adoption';
import type {
  Adoption,
  CancelledBy,
  CollectPlan,
  CollectResult,
  ConsentResult,
  CycleStatus,
  PendingChange,
  Rejection,
  StandingParts,
  SubscriptionState,
  Terms,
} from '../domain/subscription/state';
import type { Actor, EventData, SignedMark } from '../domain/trail/event';
import type { EventType } from '../domain/trail/events';
import type { WhyNow, WhyThen } from '../domain/trail/grounds';
import type { NoticeId, PaymentId, SubscriptionId } from '../domain/ids';
import type { ClockSetting, Instant } from '../domain/time';
import type { Money } from '../domain/money';
import type { RetryPolicy } from '../domain/subscription/retries';
import type { NoticeKind } from './notices';
import type { BroughtRequest } from './requests';

/** What a workflow is given about where it runs. */
export interface Surroundings {
  readonly clock: ClockSetting | null;
  /** Where the console is, without a closing slash; left out where it is not set. */
  readonly console?: string;
}

/** What the worker does for workflows. Inputs and results hold no personal data: histories keep them (rules 28, 29). */
export interface Activities {
  /** `POST /payments` for a subscription whose draft is in the ledger. Made once, never repeated by itself. */
  requestConsent(input: SubscriptionRef): Promise<ConsentRequestResult>;
  /** Forgets a draft that the service has not taken, payer data too; what is on record stays, and is answered. */
  discardDraft(input: SubscriptionRef): Promise<DiscardResult>;
  /**
   * Asks for the consent of an import's draft, granted elsewhere, and makes the draft an active subscription. Sends
   * nothing but questions.
   */
  adoptConsent(input: AdoptInput): Promise<AdoptionResult>;
  /** Polls the consent until it is answered, or the session is over and it has been deleted (rule 6). */
  awaitConsent(input: AwaitConsentInput): Promise<ConsentResult>;
  /** Asks once, now; null where the answer is still pending, or cannot be read and nobody asked to be told. */
  lookAtConsent(input: ConsentLookInput): Promise<ConsentResult | Unavailable | null>;
  /** Deletes the consent once no POST is on the wire, until the service confirms by GET (rule 24). */
  cancelConsent(input: PaymentRef): Promise<ConsentEnd>;
  /** One attempt whole: consent, pre-send check, "sending" row, POST, polling, outcome (rules 7, 10, 16, 17). */
  collectPayment(input: CollectInput): Promise<CollectResult>;
  /** Writes a person's resolution of an unresolved attempt to the ledger (rule 18). */
  resolveAttempt(input: ResolveInput): Promise<ResolveResult>;
  /** Notifies the payer of a failure before its retry, as long as the retry could still be made (rule 13). */
  notifyPayer(input: NotifyInput): Promise<NotifyResult>;
  /** Notifies the payer of an increase, as long as that can be done before it is collected (rule 21). */
  announceIncrease(input: AnnounceInput): Promise<NotifyResult>;
  /** Delivers one stored notice, repeated with back-off while it matters. */
  deliverNotice(input: DeliverNoticeInput): Promise<void>;
  /** Writes a change that the workflow has decided: subscription, cycle, events, notices, in one transaction. */
  record(change: LedgerChange): Promise<RecordResult>;
  /** Reads the state as the ledger has it; the row notes that its workflow has heard of this revision. */
  readLedger(input: ReadLedgerInput): Promise<LedgerState>;
}

/**
 * `revision`: the row's after it; `stale`: the row had a newer one than was known, and nothing was written; `refused`:
 * why the request that was brought is none of the API's, and nothing was written.
 */
export interface RecordResult {
  readonly noticeIds: readonly NoticeId[];
  /** Of the row, as it is now. */
  readonly revision?: number;
  readonly stale?: boolean;
  readonly refused?: string;
  /** It was written by an earlier call, whose answer was lost: another caller may have steered the row since. */
  readonly repeated?: boolean;
}

/** `again`: a person asks for it, delivered or not. */
export interface DeliverNoticeInput {
  readonly noticeId: NoticeId;
  readonly again?: boolean;
}

export interface SubscriptionRef {
  readonly subscriptionId: SubscriptionId;
}

export interface PaymentRef extends SubscriptionRef {
  readonly paymentId: PaymentId;
}

/** The service could not be asked, or gave no usable answer. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly reason: string;
}

export type ConsentRequestResult =
  | { readonly kind: 'requested'; readonly paymentId: PaymentId; readonly requestedRealAt: number }
  | { readonly kind: 'refused'; readonly detail: string; readonly description: string }
  | Unavailable;

/** What discarding a draft came to. A worker of 0.1 answers nothing: undefined. */
export type DiscardResult =
  | { readonly kind: 'discarded' }
  /**
   * The ledger has the service's answer, which its worker could not report to Temporal: the payment goes on (rule 18).
   */
  | { readonly kind: 'on_record'; readonly paymentId: PaymentId; readonly requestedRealAt: number }
  | undefined;

export interface AdoptInput extends PaymentRef {
  readonly terms: Terms;
  /** What the next cycle collects. */
  readonly amount: Money;
  readonly lastIncreaseAt: Instant | null;
  readonly adoption: Adoption;
}

export type AdoptionResult =
  | ({ readonly kind: 'adopted' } & Adopted)
  /** The service does not have the mandate as the import says. */
  | { readonly kind: 'refused'; readonly faults: readonly AdoptionFault[] }
  | Unavailable;

export interface ConsentLookInput extends PaymentRef {
  /**
   * A person wants to know: an answer that cannot be read is `unavailable`. Only where it is asked for, as a workflow of an
   * older release takes what it does not know for the end of the consent.
   */
  readonly tellsUnavailable?: boolean;
}

/** Who has ended the consent that was to be cancelled. */
export interface ConsentEnd {
  readonly by: CancelledBy;
}

export interface AwaitConsentInput extends PaymentRef {
  /** Real time, epoch milliseconds: the end of the consent session. */
  readonly sessionEndsRealAt: number;
}

/**
 * `why` is for the trail; `revision` is the newest of the ledger's row that the workflow has heard of: where the row has a
 * newer one nothing is sent; from `plannedAt` on, business time, the attempt is late; `trailMark`: how far the ledger had come
 * when a cycle of it was collected last. Attempts that were ordered before there were such fields lack them.
 */
export type CollectInput = PaymentRef &
  CollectPlan & {
    readonly why?: WhyNow;
    readonly revision?: number;
    readonly plannedAt?: Instant;
    readonly trailMark?: SignedMark;
  };

export interface ResolveInput
  extends PaymentRef, Actor, Pick<CollectPlan, 'cycle' | 'attempt' | 'amount' | 'dueAt' | 'nextDueAt'> {
  readonly outcome: 'collected' | 'failed';
  readonly evidence: string;
  readonly authorizationId: string | null;
  readonly captureId: string | null;
  /** By which it was asked; what was ordered before there was one lacks it. */
  readonly request?: BroughtRequest;
  /** Of this one update: the request is used up for it. */
  readonly key?: string;
}

export type ResolveResult =
  /** Nothing was written: no request of the API stands behind it. */
  | { readonly kind: 'unrecorded'; readonly why: string }
  | Extract<CollectResult, { kind: 'collected' | 'rejected' }>
  /**
   * Nothing was written: the service has answered the outcome first, or `taken`: an id is another attempt's (rule 32).
   */
  | { readonly kind: 'stands'; readonly taken?: TakenId };

/** An id that a person gave, and the attempt of the same payment that has it already. */
export interface TakenId {
  readonly field: 'authorizationId' | 'captureId';
  readonly given: string;
  readonly cycle: number;
  readonly attempt: number;
}

/** `nextDueAt`, for the ledger: when the next cycle falls due. */
export interface NotifyInput
  extends PaymentRef, Pick<CollectPlan, 'cycle' | 'amount' | 'dueAt' | 'collectBy' | 'nextDueAt'> {
  readonly rejection: Rejection;
  /** When the retry is planned if the notice is delivered now. */
  readonly retryAt: Instant;
  readonly retriesLeft: number;
  /** For the trail; what was ordered before there was one lacks it. */
  readonly why?: WhyThen;
  /** Past it no retry could follow: delivering is given up. */
  readonly retryUntil: Instant;
}

/**
 * `collectBy`: past it the cycle is over, and delivering is given up. `requestedAt` distinguishes one change from an equal one
 * that was taken back before.
 */
export interface AnnounceInput
  extends
    PaymentRef,
    Pick<CollectPlan, 'cycle' | 'amount' | 'dueAt' | 'collectBy'>,
    Pick<PendingChange, 'previousAmount' | 'requestedAt'> {}

export type NotifyResult =
  | { readonly kind: 'delivered'; readonly at: Instant }
  | { readonly kind: 'undeliverable'; readonly reason: string };

/** What the ledger has of a subscription, as a workflow goes on with it (rules 4, 30, 31). */
export interface LedgerState {
  /** With the row's revision in it. */
  readonly state: SubscriptionState;
  /** Notices that are stored and whose delivery has not begun. */
  readonly noticeIds: readonly NoticeId[];
}

/** What the row does not hold of a subscription that was created before it was kept there. */
export interface ReadLedgerInput extends SubscriptionRef {
  readonly policy: RetryPolicy;
  readonly spread: number;
}

/**
 * A change decided by the workflow. `key` makes it idempotent: the same key is written once.
 *
 * `knows` is the newest revision of the row that the workflow has heard of. A decision by the state, `judged`, is written
 * only where the row has none newer; one that steers, `steers`, raises it. An event that has happened is written always.
 * `request` is what an update brought: nothing is written unless the API has put it on record. What the workflow decides
 * by itself has none.
 */
export interface LedgerChange extends SubscriptionRef, Actor {
  readonly key: string;
  readonly knows?: number;
  readonly judged?: boolean;
  readonly steers?: boolean;
  readonly request?: BroughtRequest;
  readonly at: Instant;
  readonly events: readonly { readonly type: EventType; readonly data: EventData }[];
  readonly subscription?: SubscriptionPatch;
  readonly cycle?: CycleRecordPatch;
  readonly notices?: readonly NoticeOrder[];
}

/** Of the state, what the ledger shows as it is. */
type Shown = Pick<SubscriptionState, 'status' | 'cancelledBy' | 'replacedBy' | 'pendingChange' | 'lastIncreaseAt'>;

/** Of the state, what the ledger keeps so that a workflow can be started anew. */
type Memory = Pick<SubscriptionState, 'pauses' | 'skips' | 'replacements' | 'current' | 'cancellation'>;

/** Only the fields named are written. */
export interface SubscriptionPatch extends Partial<StandingParts & Shown & Memory> {
  readonly hold?: 'pause' | 'cancel' | null;
  readonly pausedUntil?: Instant | null;
  readonly nextDueAt?: Instant | null;
  /** What the next cycle collects. */
  readonly amount?: Money;
  /** When the end of the consent was noticed, while a due date that waited then is not closed. */
  readonly endHeardAt?: Instant | null;
}

export interface CycleRecordPatch {
  readonly cycle: number;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  readonly amount: Money;
  readonly status: CycleStatus;
  readonly reason?: string | null;
  readonly nextAttemptAt?: Instant | null;
  readonly retriesLeft?: number;
  readonly retryUntil?: Instant | null;
  /** A person asked for the next retry now. */
  readonly retryNow?: boolean;
}

export interface NoticeOrder {
  readonly type: NoticeKind;
  readonly cycle: number | null;
  readonly attempt: number | null;
  /** The notice's own fields; subscription, payment and payer are added when it is delivered. */
  readonly data: Readonly<Record<string, unknown>>;
}
