import type { Adopted, AdoptionFault } from '../domain/adoption';
import type {
  Adoption,
  CancelledBy,
  CollectPlan,
  CollectResult,
  CycleStatus,
  PendingChange,
  Rejection,
  SubscriptionStatus,
  Terms,
} from '../domain/subscription';
import type { ConsentResult } from '../domain/consent';
import type { EventData, EventType } from '../domain/event-types';
import type { WhyNow, WhyThen } from '../domain/grounds';
import type { NoticeId, PaymentId, SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/instant';
import type { Money } from '../domain/money';
import type { NoticeKind } from './notices';

/** What the worker does for workflows. Inputs and results hold no personal data: histories keep them (decisions 28, 29). */
export interface Activities {
  /** `POST /payments` for a subscription whose draft is in the ledger. Made once, never repeated by itself. */
  requestConsent(input: SubscriptionRef): Promise<ConsentRequestResult>;
  /** Forgets a draft that the service has not taken, payer data too; what is on record stays, and is told. */
  discardDraft(input: SubscriptionRef): Promise<DiscardResult>;
  /**
   * Asks for the consent of an import's draft, granted elsewhere, and makes the draft an active subscription. Sends
   * nothing but questions.
   */
  adoptConsent(input: AdoptInput): Promise<AdoptionResult>;
  /** Polls the consent until it is answered, or the session is over and it has been deleted (decisions 6). */
  awaitConsent(input: AwaitConsentInput): Promise<ConsentResult>;
  /** Asks once, now; null where the answer is still pending or cannot be read. */
  lookAtConsent(input: PaymentRef): Promise<ConsentResult | null>;
  /** Deletes the consent once no POST is on the wire, until the service confirms by GET (decisions 24). */
  cancelConsent(input: PaymentRef): Promise<void>;
  /** One attempt whole: consent, look before the leap, "sending" row, POST, polling, outcome (decisions 7, 10, 16, 17). */
  collectPayment(input: CollectInput): Promise<CollectResult>;
  /** A person's word on an unresolved attempt, into the ledger (decisions 18). */
  resolveAttempt(input: ResolveInput): Promise<ResolveResult>;
  /** Tells the payer of a failure before its retry, as long as the retry could still be made (decisions 13). */
  notifyPayer(input: NotifyInput): Promise<NotifyResult>;
  /** Tells the payer of an increase, as long as it could be told before it is collected (decisions 21). */
  announceIncrease(input: AnnounceInput): Promise<NotifyResult>;
  /** Delivers one stored notice, repeated with back-off while it matters. */
  deliverNotice(input: { readonly noticeId: NoticeId }): Promise<void>;
  /** Writes a change that the workflow has decided: subscription, cycle, events, notices, in one transaction. */
  record(change: LedgerChange): Promise<{ readonly noticeIds: readonly NoticeId[] }>;
}

export interface SubscriptionRef {
  readonly subscriptionId: SubscriptionId;
}

export interface PaymentRef extends SubscriptionRef {
  readonly paymentId: PaymentId;
}

export type ConsentRequestResult =
  | { readonly kind: 'requested'; readonly paymentId: PaymentId; readonly requestedRealAt: number }
  | { readonly kind: 'refused'; readonly detail: string; readonly description: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** What discarding a draft came to. A worker of 0.1 tells nothing: undefined. */
export type DiscardResult =
  | { readonly kind: 'discarded' }
  /** The ledger has the service's answer, which only its worker could not tell: the payment goes on (decisions 18). */
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
  /** The service gave no usable answer. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface AwaitConsentInput extends PaymentRef {
  /** Real time, epoch milliseconds: the end of the consent session. */
  readonly sessionEndsRealAt: number;
}

/** `why` is for the trail; attempts that were ordered before there was one lack it. */
export type CollectInput = PaymentRef & CollectPlan & { readonly why?: WhyNow };

export interface ResolveInput extends PaymentRef {
  readonly cycle: number;
  readonly attempt: number;
  readonly amount: Money;
  readonly dueAt: Instant;
  readonly nextDueAt: Instant | null;
  readonly actor: string;
  readonly outcome: 'collected' | 'failed';
  readonly evidence: string;
  readonly authorizationId: string | null;
  readonly captureId: string | null;
}

export type ResolveResult =
  | Extract<CollectResult, { kind: 'collected' | 'rejected' }>
  /** The service has told the outcome meanwhile. */
  | { readonly kind: 'stands' };

export interface NotifyInput extends PaymentRef {
  readonly cycle: number;
  readonly amount: Money;
  readonly rejection: Rejection;
  /** When the retry is planned if the notice is delivered now. */
  readonly retryAt: Instant;
  readonly retriesLeft: number;
  /** For the trail; what was ordered before there was one lacks it. */
  readonly why?: WhyThen;
  /** Past it no retry could follow: delivering is given up. */
  readonly retryUntil: Instant;
  /** For the ledger: when the next cycle falls due. */
  readonly nextDueAt: Instant | null;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
}

export interface AnnounceInput extends PaymentRef {
  readonly cycle: number;
  readonly amount: Money;
  readonly previousAmount: Money;
  readonly dueAt: Instant;
  /** Past it the cycle is over: delivering is given up. */
  readonly collectBy: Instant;
  /** Tells one change from an equal one that was taken back before. */
  readonly requestedAt: Instant;
}

export type NotifyResult =
  { readonly kind: 'delivered'; readonly at: Instant } | { readonly kind: 'undeliverable'; readonly reason: string };

/** A change decided by the workflow. `key` makes it idempotent: the same key is written once. */
export interface LedgerChange extends SubscriptionRef {
  readonly key: string;
  readonly at: Instant;
  readonly actor: string;
  readonly events: readonly { readonly type: EventType; readonly data: EventData }[];
  readonly subscription?: SubscriptionPatch;
  readonly cycle?: CycleRecordPatch;
  readonly notices?: readonly NoticeOrder[];
}

/** Only the fields named are written. */
export interface SubscriptionPatch {
  readonly status?: SubscriptionStatus;
  readonly attention?: readonly string[];
  readonly dunning?: boolean;
  readonly pastDue?: boolean;
  readonly hold?: 'pause' | 'cancel' | null;
  readonly pausedUntil?: Instant | null;
  readonly cancelledBy?: CancelledBy | null;
  readonly nextDueAt?: Instant | null;
  readonly replacedBy?: SubscriptionId | null;
  /** What the next cycle collects. */
  readonly amount?: Money;
  readonly pendingChange?: PendingChange | null;
  readonly lastIncreaseAt?: Instant | null;
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
}

export interface NoticeOrder {
  readonly type: NoticeKind;
  readonly cycle: number | null;
  readonly attempt: number | null;
  /** The notice's own fields; subscription, payment and payer are added when it is delivered. */
  readonly data: Readonly<Record<string, unknown>>;
}
