import { z } from 'zod';
import { LANGUAGES } from '../../contract/notices';
import { amountDue } from '../../domain/subscription/forecast';
import { REPETITIONS, collectionWindow, dueAt, firstCycleFrom, hasCycle } from '../../domain/subscription/schedule';
import { STANDINGS, SUBSCRIPTION_STATUSES, isTerminal } from '../../domain/subscription/state';
import type { KeyPowers, SubscriptionRecord } from '../../ledger';
import {
  AddressIn,
  InstantIn,
  MetadataIn,
  MetadataOut,
  MoneyIn,
  optionalBody,
  Email,
  line,
  Reason,
  SubscriptionIdText,
  InstantOut,
  MoneyOut,
  leftOut,
  wholeNumber,
  wholeNumberOr,
} from '../http/fields';
import { maskEmail, type Needs, seesEmails } from '../access/powers';
import { checkSpans, LIST_FIELDS } from '../http/list-query';
import { FAULT_ANSWERS } from '../http/problems';

const STEERS = { role: 'operator', scope: 'subscriptions:steer' } as const;

/** Which key each call needs that can be made for many subscriptions at once, too, by the name that it has there. */
export const STEERING_NEEDS = {
  pause: STEERS,
  resume: STEERS,
  cancel: { ...STEERS, role: 'admin' },
  retry: STEERS,
  'consent-check': { ...STEERS, scope: ['subscriptions:create', 'subscriptions:steer'] },
  acknowledge: { ...STEERS, scope: ['subscriptions:steer', 'attention'] },
  'amount-change': STEERS,
} as const satisfies Readonly<Record<string, Needs>>;

/** What the merchant says of the payer, besides the address. */
export const PayerIn = z
  .strictObject({
    email: Email.optional(),
    reference: line(140).optional(),
    language: z.enum(LANGUAGES).optional().meta({ description: 'In which the payer is written to; en when absent' }),
  })
  .meta({ id: 'PayerDetails', description: 'What the merchant says of the payer, besides the address.' });

/** What is null is taken away; what is left out stays. */
export const ChangePayerBody = z
  .strictObject({
    email: Email.nullish(),
    reference: line(140).nullish(),
    language: z.enum(LANGUAGES).nullish(),
  })
  .refine((body) => Object.keys(body).length > 0, 'email, reference or language')
  .meta({ id: 'ChangePayer', description: 'The fields to change; null removes a value.' });

/** What is known of the payer; nothing once it is erased. */
const PayerOut = z.object({
  email: leftOut(z.string()).meta({
    description: 'Masked (a***@example.com) for viewers, and for keys with scopes, unless payers:read is among these',
  }),
  reference: leftOut(z.string()),
  language: leftOut(z.enum(LANGUAGES)),
});

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
    payer: PayerIn,
    onExhausted: z.enum(['continue', 'pause', 'cancel']).default('continue'),
    subscriptionId: SubscriptionIdText.optional(),
    replaces: SubscriptionIdText.optional(),
    metadata: MetadataIn.optional(),
  })
  .meta({ id: 'CreateSubscription', description: 'The subscription, its payer, and where the payer returns to.' });

export type CreateSubscription = z.output<typeof CreateSubscription>;

/** What subscriptions can be chosen by: those of a list, and those of a bulk. */
export const SUBSCRIPTION_FILTERS = {
  status: z.enum(SUBSCRIPTION_STATUSES).optional(),
  standing: z.enum(STANDINGS).optional(),
  repetition: z.enum(REPETITIONS).optional(),
  dueBefore: InstantIn.optional(),
};

export const SubscriptionsQuery = z.strictObject({ ...LIST_FIELDS, ...SUBSCRIPTION_FILTERS }).superRefine(checkSpans);

export const SubscriptionParams = z.object({ id: SubscriptionIdText });

/** A cycle's number is 0 for the first payment. */
export const CycleParams = SubscriptionParams.extend({
  n: wholeNumber(0, 100_000),
});

/** Bodies that may be left out altogether. */
export const PauseBody = optionalBody(
  z
    .strictObject({ until: InstantIn.optional(), reason: Reason.optional() })
    .meta({ id: 'PauseSubscription', description: 'When the pause ends, and why it was made.' }),
);

/** A person's resolution of an attempt. The ids are the service's own, where the person has found them there. */
export const ResolveBody = z
  .strictObject({
    outcome: z.enum(['collected', 'failed']),
    evidence: Reason,
    authorizationId: line(200).optional(),
    captureId: line(200).optional(),
    paidCycle: z
      .int()
      .min(0)
      .optional()
      .describe('With outcome failed, of an adopted debit: the cycle before, which it paid'),
  })
  .meta({ id: 'ResolveCycle', description: 'The outcome of the attempt, and the evidence for it.' });

export const ScheduleQuery = z.strictObject({
  count: wholeNumberOr(12, 1, 60),
});

/** The body of `POST …/amount-changes`. */
export const ChangeAmountBody = z
  .strictObject({
    amount: MoneyIn,
    fromCycle: z.int().min(0).max(100_000).optional(),
    dryRun: z.boolean().default(false),
    reason: Reason.optional(),
  })
  .meta({ id: 'ChangeAmount', description: 'The new amount, and from which cycle on it is collected.' });

const CHANGE = {
  amount: MoneyOut,
  previousAmount: MoneyOut,
  fromCycle: z.int().min(0),
  effectiveAt: InstantOut,
  kind: z.enum(['increase', 'reduction', 'unchanged']),
  countsAsIncrease: z.boolean(),
};

export const AmountChangeOut = z
  .object({ ...CHANGE, nextIncreaseAllowedFrom: leftOut(InstantOut), dryRun: z.boolean() })
  .meta({ id: 'AmountChange', description: 'The change of an amount, and from which cycle on it holds.' });

/** A change that was accepted and that no cycle has collected yet. */
export const PendingChangeOut = z
  .object({ ...CHANGE, payerNotice: z.enum(['not_needed', 'due', 'sending', 'delivered', 'undeliverable']) })
  .meta({ id: 'PendingAmountChange', description: 'A change of the amount that no cycle has collected yet.' });

/** The payer's, of a subscription or of a one-time payment. */
export const ConsentOut = z.object({
  status: z.enum(['pending', 'successful', 'failed', 'cancelled']),
  redirectURL: leftOut(z.string()),
  checkedAt: InstantOut.nullable(),
});

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
    consent: ConsentOut,
    pausedUntil: leftOut(InstantOut),
    cancelling: z.literal(true).optional().meta({
      description: 'It is being cancelled: no new attempt is made, and the service has not confirmed yet',
    }),
    cancelledBy: leftOut(z.enum(['payer', 'merchant'])),
    pendingAmountChange: PendingChangeOut.optional(),
    replaces: leftOut(z.string()),
    replacedBy: leftOut(z.string()),
    payer: PayerOut,
    metadata: MetadataOut,
    createdAt: InstantOut,
    workflowId: z.string(),
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'Subscription', description: 'The subscription, with its standing and its consent.' });

export type SubscriptionOut = z.output<typeof SubscriptionOut>;

/** The schema of the calls of one subscription that answer with it. */
export const OF_SUBSCRIPTION = {
  tags: ['subscriptions'],
  params: SubscriptionParams,
  response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
};

export const ScheduledCycleOut = z
  .object({ cycle: z.int().min(0), dueAt: InstantOut, collectBy: InstantOut, amount: MoneyOut })
  .meta({ id: 'ScheduledCycle', description: 'A cycle still to come.' });

export type ScheduledCycleOut = z.output<typeof ScheduledCycleOut>;

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
    if (skipped.includes(n)) continue;
    cycles.push({ cycle: n, dueAt: due, collectBy, amount: amountDue(record, due) });
  }
  return cycles;
}

/** Null where nothing comes any more, or not before it is resumed. */
function firstToCome(record: SubscriptionRecord): number | null {
  const { status, nextDueAt, pausedUntil } = record;
  if (isTerminal(status) || record.hold === 'cancel' || nextDueAt === null) return null;
  const next = firstCycleFrom(record, nextDueAt);
  if (status !== 'paused') return next;
  return pausedUntil === null ? null : firstCycleFrom(record, Math.max(dueAt(record, next), pausedUntil));
}

/** A cancellation was accepted, and the service has not confirmed it yet (rule 24). The hold stays when it has. */
function isCancelling({ hold, status }: SubscriptionRecord): boolean {
  return hold === 'cancel' && !isTerminal(status);
}

/** The ledger's record as the wire shows it to the caller. */
export function viewSubscription(
  record: SubscriptionRecord,
  caller: Pick<KeyPowers, 'role' | 'scopes'>,
): SubscriptionOut {
  const { payer, pendingChange, warnings } = record;
  const email = payer.email === null || seesEmails(caller) ? payer.email : maskEmail(payer.email);
  return {
    ...record,
    payer: { ...payer, email },
    consent: viewConsent(record.consent, record.status === 'pending_consent'),
    cancelling: isCancelling(record) ? true : undefined,
    pendingAmountChange:
      pendingChange === null ? undefined : { ...pendingChange, payerNotice: pendingChange.announcement.kind },
    warnings: warnings.length === 0 ? undefined : [...warnings],
  };
}

/** The redirect address is of use only while the payer can still approve. */
export function viewConsent<Consent extends object>(consent: Consent, canApprove: boolean) {
  return canApprove ? consent : { ...consent, redirectURL: null };
}
