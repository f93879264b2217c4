import { z } from 'zod';
import { REPETITIONS } from '../../domain/subscription/schedule';
import { STANDINGS, SUBSCRIPTION_STATUSES } from '../../domain/subscription/state';
import { AddressIn } from './address';
import { InstantIn } from './instants';
import { PAGE_FIELDS } from './listing';
import { MoneyIn } from './money';
import { Email, line, Reason, SubscriptionIdText } from './text';

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
