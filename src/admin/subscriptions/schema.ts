import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../domain/payment/payment';
import type { AmountChange } from '../../domain/subscription/amount-request';
import { amountDue } from '../../domain/subscription/forecast';
import { ORPHANED } from '../../domain/subscription/pauses';
import { REPETITIONS, collectionWindow, dueAt, firstCycleFrom, hasCycle } from '../../domain/subscription/schedule';
import { STANDINGS, SUBSCRIPTION_STATUSES, type PendingChange, isTerminal } from '../../domain/subscription/state';
import { toIso } from '../../domain/time';
import type { Halt, OrphanedPayment, SubscriptionRecord } from '../../ledger';
import {
  AddressIn,
  InstantIn,
  PAGE_FIELDS,
  MoneyIn,
  Email,
  line,
  Reason,
  SubscriptionIdText,
  InstantOut,
  MoneyOut,
  isoOrNull,
  named,
  LAST_INSTANT,
} from '../http/fields';

/** The body of `POST /v1/subscriptions`. What its fields must be to each other is in creation-rules. */
export const CreateSubscription = z
  .strictObject({
    amount: MoneyIn,
    repetition: z.enum(REPETITIONS),
    startAt: InstantIn,
    firstPaymentAt: InstantIn,
    endAt: InstantIn.optional(),
    returnURL: z.string().min(1).max(2048),
    billingAddress: AddressIn,
    shippingAddress: AddressIn.optional(),
    payer: z.strictObject({ email: Email.optional(), reference: line(140).optional() }),
    onExhausted: z.enum(['continue', 'pause', 'cancel']).default('continue'),
    subscriptionId: SubscriptionIdText.optional(),
    replaces: SubscriptionIdText.optional(),
  })
  .meta({ id: 'CreateSubscription' });

export type CreateSubscription = z.output<typeof CreateSubscription>;

export const SubscriptionsQuery = z.strictObject({
  ...PAGE_FIELDS,
  status: z.enum(SUBSCRIPTION_STATUSES).optional(),
  standing: z.enum(STANDINGS).optional(),
  repetition: z.enum(REPETITIONS).optional(),
  dueBefore: InstantIn.optional(),
  q: line(200).optional(),
});

export const SubscriptionParams = z.object({ id: SubscriptionIdText });

/** A cycle's number is 0 for the first payment. */
export const CycleParams = SubscriptionParams.extend({
  n: z.coerce.number('a whole number').int().min(0).max(100_000),
});

/** Bodies that may be left out altogether. */
const whole = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape).nullish();

export const PauseBody = whole({ until: InstantIn.optional(), reason: Reason.optional() });
export const ReasonBody = whole({ reason: Reason.optional() });
export const EmptyBody = whole({});
/** Where the trail must say why. */
export const RequiredReasonBody = z.strictObject({ reason: Reason });

/** A person's word on an attempt. The ids are the service's own, where the person has found them there. */
export const ResolveBody = z
  .strictObject({
    outcome: z.enum(['collected', 'failed']),
    evidence: Reason,
    authorizationId: line(200).optional(),
    captureId: line(200).optional(),
  })
  .superRefine(({ outcome, authorizationId, captureId }, context) => {
    if (outcome === 'collected' || (authorizationId === undefined && captureId === undefined)) return;
    const path = authorizationId === undefined ? ['captureId'] : ['authorizationId'];
    context.addIssue({ code: 'custom', path, message: 'no id where nothing was collected' });
  })
  .meta({ id: 'ResolveCycle' });

export const ScheduleQuery = z.strictObject({
  count: z.coerce.number('a whole number').int().min(1).max(60).default(12),
});

/** The body of `POST …/amount-changes`. */
export const ChangeAmountBody = z
  .strictObject({
    amount: MoneyIn,
    fromCycle: z.int().min(0).max(100_000).optional(),
    dryRun: z.boolean().default(false),
    reason: Reason.optional(),
  })
  .meta({ id: 'ChangeAmount' });

const CHANGE = {
  amount: MoneyOut,
  previousAmount: MoneyOut,
  fromCycle: z.int().min(0),
  effectiveAt: InstantOut,
  kind: z.enum(['increase', 'reduction', 'unchanged']),
  countsAsIncrease: z.boolean(),
};

export const AmountChangeOut = z
  .object({ ...CHANGE, nextIncreaseAllowedFrom: InstantOut.optional(), dryRun: z.boolean() })
  .meta({ id: 'AmountChange' });

export type AmountChangeOut = z.output<typeof AmountChangeOut>;

/** A change that was accepted and that no cycle has collected yet. */
export const PendingChangeOut = z
  .object({ ...CHANGE, payerNotice: z.enum(['not_needed', 'due', 'sending', 'delivered', 'undeliverable']) })
  .meta({ id: 'PendingAmountChange' });

export type PendingChangeOut = z.output<typeof PendingChangeOut>;

/**
 * What waits for a person, and the matters for which it does: a subscription, a one-time payment
 * (no `subscriptionId`) or the installation (no id at all).
 */
export const AttentionOut = z
  .object({
    subscriptionId: z.string().nullable(),
    paymentId: z.string().nullable(),
    status: z.enum([...SUBSCRIPTION_STATUSES, ...PAYMENT_STATUSES]).nullable(),
    matters: z.array(
      z.object({
        kind: z.string(),
        cycle: z.int().min(0).optional(),
        since: InstantOut.optional(),
        advice: z.string().optional().describe('What a person does about it'),
      }),
    ),
  })
  .meta({ id: 'Attention' });

export type AttentionOut = z.output<typeof AttentionOut>;

/** What the wire calls `Subscription`. Fields with a question mark in the contract are left out where they say nothing. */
export const SubscriptionOut = z
  .object({
    subscriptionId: z.string(),
    paymentId: z.string().nullable(),
    status: z.enum(SUBSCRIPTION_STATUSES),
    standing: z.enum(STANDINGS),
    repetition: z.enum(REPETITIONS),
    amount: MoneyOut,
    consentAmount: MoneyOut,
    startAt: InstantOut,
    firstPaymentAt: InstantOut,
    endAt: InstantOut.nullable(),
    nextDueAt: InstantOut.nullable(),
    cyclesCollected: z.int().min(0),
    consent: z.object({
      status: z.enum(['pending', 'successful', 'failed', 'cancelled']),
      redirectURL: z.string().optional(),
      checkedAt: InstantOut.nullable(),
    }),
    pausedUntil: InstantOut.optional(),
    cancelledBy: z.enum(['payer', 'merchant']).optional(),
    pendingAmountChange: PendingChangeOut.optional(),
    replaces: z.string().optional(),
    replacedBy: z.string().optional(),
    payer: z.object({ email: z.string().optional(), reference: z.string().optional() }),
    createdAt: InstantOut,
    workflowId: z.string(),
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'Subscription' });

export type SubscriptionOut = z.output<typeof SubscriptionOut>;

export const ScheduledCycleOut = z
  .object({ cycle: z.int().min(0), dueAt: InstantOut, collectBy: InstantOut, amount: MoneyOut })
  .meta({ id: 'ScheduledCycle' });

export type ScheduledCycleOut = z.output<typeof ScheduledCycleOut>;

export function viewAmountChange(change: AmountChange, dryRun: boolean): AmountChangeOut {
  const { amount, previousAmount, fromCycle, effectiveAt, kind, countsAsIncrease } = change;
  return {
    ...{ amount, previousAmount, fromCycle, effectiveAt: toIso(effectiveAt), kind, countsAsIncrease },
    ...named('nextIncreaseAllowedFrom', isoOrNull(change.nextIncreaseAllowedFrom)),
    dryRun,
  };
}

export function viewPendingChange(change: PendingChange): PendingChangeOut {
  const { amount, previousAmount, fromCycle, effectiveAt, kind, countsAsIncrease } = change;
  const shown = { amount, previousAmount, fromCycle, effectiveAt: toIso(effectiveAt), kind, countsAsIncrease };
  return { ...shown, payerNotice: change.announcement.kind };
}

export function viewAttention(record: SubscriptionRecord): AttentionOut {
  const { subscriptionId, paymentId, status } = record;
  return { subscriptionId, paymentId, status, matters: record.attention.map(readMatter) };
}

/** Concerns no subscription, and all of them. */
export function viewHaltAttention({ since, by, reason }: Halt): AttentionOut {
  const advice = `${by} halted all sending: ${reason}. When the cause is mended, lift it: DELETE /v1/halt. What is not sent by the end of its window is missed.`;
  return {
    ...{ subscriptionId: null, paymentId: null, status: null },
    matters: [{ kind: 'sending_halted', since: toIso(since), advice }],
  };
}

/** A one-time payment that nobody looks after. */
export function viewOrphanedPayment({ paymentId, status, orphanedAt }: OrphanedPayment): AttentionOut {
  const advice =
    'Its workflow was terminated, failed, or lost with Temporal’s database. Find out why, then begin it again: POST /v1/payments/{paymentId}/restart.';
  return { subscriptionId: null, paymentId, status, matters: [{ kind: ORPHANED, since: toIso(orphanedAt), advice }] };
}

/** A matter's key is its kind, and its cycle where it concerns one: `pending_past_window:3`. */
function readMatter(key: string): AttentionOut['matters'][number] {
  const [kind = key, cycle] = key.split(':');
  return cycle !== undefined && /^\d+$/.test(cycle) ? { kind, cycle: Number(cycle) } : { kind };
}

/**
 * The cycles still to come, `count` of them at most, each at what it will collect as far as is known today: without the
 * skipped ones, and without those inside a pause, all of them where the pause has no end (rules 21, 23).
 * @param skipped cycles to come that a person has skipped
 */
export function viewSchedule(
  record: SubscriptionRecord,
  skipped: readonly number[],
  count: number,
): ScheduledCycleOut[] {
  const first = firstToCome(record);
  const cycles: ScheduledCycleOut[] = [];
  if (first === null) return cycles;
  for (let n = first; cycles.length < count && hasCycle(record, n); n += 1) {
    const { dueAt: due, collectBy } = collectionWindow(record, n);
    if (collectBy > LAST_INSTANT) break;
    if (skipped.includes(n)) continue;
    cycles.push({ cycle: n, dueAt: toIso(due), collectBy: toIso(collectBy), amount: amountDue(record, due) });
  }
  return cycles;
}

/** Null where nothing comes any more, or not before somebody resumes it. */
function firstToCome(record: SubscriptionRecord): number | null {
  const { status, nextDueAt, pausedUntil } = record;
  if (isTerminal(status) || record.hold === 'cancel' || nextDueAt === null) return null;
  const next = firstCycleFrom(record, nextDueAt);
  if (status !== 'paused') return next;
  return pausedUntil === null ? null : firstCycleFrom(record, Math.max(dueAt(record, next), pausedUntil));
}

/** The ledger's record as the wire shows it. */
export function viewSubscription(record: SubscriptionRecord): SubscriptionOut {
  return {
    subscriptionId: record.subscriptionId,
    paymentId: record.paymentId,
    status: record.status,
    standing: record.standing,
    repetition: record.repetition,
    amount: record.amount,
    consentAmount: record.consentAmount,
    startAt: toIso(record.startAt),
    firstPaymentAt: toIso(record.firstPaymentAt),
    endAt: isoOrNull(record.endAt),
    nextDueAt: isoOrNull(record.nextDueAt),
    cyclesCollected: record.cyclesCollected,
    consent: viewConsent(record),
    ...named('pausedUntil', isoOrNull(record.pausedUntil)),
    ...named('cancelledBy', record.cancelledBy),
    ...(record.pendingChange === null ? {} : { pendingAmountChange: viewPendingChange(record.pendingChange) }),
    ...named('replaces', record.replaces),
    ...named('replacedBy', record.replacedBy),
    payer: { ...named('email', record.payer.email), ...named('reference', record.payer.reference) },
    createdAt: toIso(record.createdAt),
    workflowId: record.workflowId,
    ...(record.warnings.length === 0 ? {} : { warnings: [...record.warnings] }),
  };
}

/** The redirect address is of use only while the payer can still approve. */
function viewConsent({ status, consent }: SubscriptionRecord): SubscriptionOut['consent'] {
  const redirectURL = status === 'pending_consent' ? consent.redirectURL : null;
  return { status: consent.status, ...named('redirectURL', redirectURL), checkedAt: isoOrNull(consent.checkedAt) };
}
