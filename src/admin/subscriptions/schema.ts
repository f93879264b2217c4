import { z } from 'zod';
import { LANGUAGES } from '../../contract/notices';
import { REPETITIONS } from '../../domain/subscription/schedule';
import { STANDINGS, SUBSCRIPTION_STATUSES } from '../../domain/subscription/state';
import {
  AddressIn,
  InstantIn,
  MetadataIn,
  MetadataOut,
  MoneyIn,
  Email,
  line,
  Reason,
  SubscriptionIdText,
  InstantOut,
  MoneyOut,
  omitNull,
  wholeNumber,
  wholeNumberOr,
} from '../http/fields';
import type { Needs } from '../access/powers';
import { PayerOut } from '../payers/schema';
import { checkPeriods, LIST_FIELDS, LIST_FILTERS } from '../http/list-query';
import { ERROR_RESPONSES } from '../http/problems';
import { optionalBody } from '../http/bodies';

const STEERS = { role: 'operator', scope: 'subscriptions:steer' } as const;

/** The role and scope needed by each call that also exists as a bulk action, by the name of that action. */
export const STEERING_NEEDS = {
  pause: STEERS,
  resume: STEERS,
  cancel: { ...STEERS, role: 'admin' },
  retry: STEERS,
  'consent-check': { ...STEERS, scope: ['subscriptions:create', 'subscriptions:steer'] },
  acknowledge: { ...STEERS, scope: ['subscriptions:steer', 'attention'] },
  'amount-change': STEERS,
} as const satisfies Readonly<Record<string, Needs>>;

/** Details of the payer besides the address. */
export const PayerIn = z
  .strictObject({
    email: Email.optional(),
    reference: line(140).optional(),
    language: z.enum(LANGUAGES).optional().meta({ description: 'Language of messages to the payer; defaults to en' }),
  })
  .meta({ id: 'PayerDetails', description: 'Details of the payer besides the address.' });

/** Null removes a value; omitted fields remain. */
export const ChangePayerBody = z
  .strictObject({
    email: Email.nullish(),
    reference: line(140).nullish(),
    language: z.enum(LANGUAGES).nullish(),
  })
  .refine((body) => Object.keys(body).length > 0, 'email, reference or language')
  .meta({ id: 'ChangePayer', description: 'The fields to change; null removes a value.' });

/** The body of `POST /v1/subscriptions`. See rules.ts for conditions across fields. */
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
  .meta({
    id: 'CreateSubscription',
    description: 'The subscription, its payer, and the address to which the payer returns after the consent session.',
  });

export type CreateSubscription = z.output<typeof CreateSubscription>;

/** Filters for subscriptions, in lists and bulk jobs. */
const SUBSCRIPTION_FILTERS = {
  status: z.enum(SUBSCRIPTION_STATUSES).optional(),
  standing: z.enum(STANDINGS).optional(),
  repetition: z.enum(REPETITIONS).optional(),
  dueBefore: InstantIn.optional().meta({
    description: 'Only subscriptions next due before this time, as with `dueTo`',
  }),
};

/** The filters of the list of subscriptions, without order and page. */
export const SubscriptionsFilter = z
  .strictObject({ ...LIST_FILTERS, ...SUBSCRIPTION_FILTERS })
  .superRefine(checkPeriods);

export const SubscriptionsQuery = z.strictObject({ ...LIST_FIELDS, ...SUBSCRIPTION_FILTERS }).superRefine(checkPeriods);

export const SubscriptionParams = z.object({ id: SubscriptionIdText });

/** The largest number that the ledger can store. A smaller number without a cycle is a conflict (409), not an unknown path (404). */
const MAX_CYCLE = 2_147_483_647;

/** The first payment is cycle 0. */
export const CycleParams = SubscriptionParams.extend({
  n: wholeNumber(0, MAX_CYCLE),
});

/** The body may be omitted. */
export const PauseBody = optionalBody(
  z
    .strictObject({ until: InstantIn.optional(), reason: Reason.optional() })
    .meta({ id: 'PauseSubscription', description: 'When the pause ends, and the reason for it.' }),
);

export const PostponeBody = z.strictObject({ until: InstantIn, reason: Reason.optional() }).meta({
  id: 'PostponeCycle',
  description: 'When the cycle is first tried, and the reason. With the due date, an earlier postponement is undone.',
});

export const RetryBody = z
  .strictObject({ at: InstantIn.optional(), reason: Reason })
  .meta({ id: 'RetryCycle', description: 'When the next retry is made (now if omitted), and the reason.' });

/** An operator's resolution of an attempt. The ids are those of the payment service, if the operator found them there. */
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
      .describe(
        'Only with outcome `failed`, for an adopted debit: the number of the previous cycle, which the debit paid',
      ),
  })
  .meta({ id: 'ResolveCycle', description: 'The outcome of the attempt, with evidence.' });

export const ScheduleQuery = z.strictObject({
  count: wholeNumberOr(12, 1, 60).meta({ description: 'Number of cycles' }),
});

/** The body of `POST …/amount-changes`. */
export const ChangeAmountBody = z
  .strictObject({
    amount: MoneyIn,
    fromCycle: z.int().min(0).max(MAX_CYCLE).optional(),
    dryRun: z.boolean().default(false),
    reason: Reason.optional(),
  })
  .meta({ id: 'ChangeAmount', description: 'The new amount, and the first cycle that collects it.' });

const CHANGE = {
  amount: MoneyOut,
  previousAmount: MoneyOut,
  fromCycle: z.int().min(0),
  effectiveAt: InstantOut,
  kind: z.enum(['increase', 'reduction', 'unchanged']),
  countsAsIncrease: z.boolean(),
};

export const AmountChangeOut = z
  .object({ ...CHANGE, nextIncreaseAllowedFrom: omitNull(InstantOut), dryRun: z.boolean() })
  .meta({ id: 'AmountChange', description: 'A change of the amount, and the first cycle it applies to.' });

/** An accepted change that no cycle has collected yet. */
export const PendingChangeOut = z
  .object({ ...CHANGE, payerNotice: z.enum(['not_needed', 'due', 'sending', 'delivered', 'undeliverable']) })
  .meta({ id: 'PendingAmountChange', description: 'A change of the amount that no cycle has collected yet.' });

/** The payer's consent to a subscription or a one-time payment. */
export const ConsentOut = z.object({
  status: z.enum(['pending', 'successful', 'failed', 'cancelled']),
  redirectURL: omitNull(z.string()),
  checkedAt: InstantOut.nullable(),
});

/** `Subscription` in the API. Optional fields are omitted if they have no value. */
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
    pausedUntil: omitNull(InstantOut),
    heldUntil: omitNull(InstantOut).meta({
      description: 'Present while a hold stops its attempts: when the last of its holds ends automatically',
    }),
    cancelling: z.literal(true).optional().meta({
      description:
        'Present while a cancellation is in progress: no new attempt is made, and the payment service has not confirmed it yet',
    }),
    cancelledBy: omitNull(z.enum(['payer', 'merchant'])),
    pendingAmountChange: PendingChangeOut.optional(),
    replaces: omitNull(z.string()),
    replacedBy: omitNull(z.string()),
    payer: PayerOut,
    metadata: MetadataOut,
    createdAt: InstantOut,
    workflowId: z.string(),
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'Subscription', description: 'A subscription, with its standing and its consent.' });

export type SubscriptionOut = z.output<typeof SubscriptionOut>;

/** The common schema of calls for one subscription that return the subscription. */
export const OF_SUBSCRIPTION = {
  tags: ['subscriptions'],
  params: SubscriptionParams,
  response: { 200: SubscriptionOut, ...ERROR_RESPONSES },
};

export const ScheduledCycleOut = z
  .object({
    cycle: z.int().min(0),
    dueAt: InstantOut,
    collectBy: InstantOut,
    amount: MoneyOut,
    postponedUntil: omitNull(InstantOut).describe('When the cycle is first tried instead of at its due date'),
    heldUntil: omitNull(InstantOut).describe('When the hold ends that stops the first attempt until then'),
  })
  .meta({ id: 'ScheduledCycle', description: 'An upcoming cycle.' });

export type ScheduledCycleOut = z.output<typeof ScheduledCycleOut>;
