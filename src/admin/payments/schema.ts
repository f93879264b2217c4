import { z } from 'zod';
import { LONGEST_TIME_TO_CAPTURE } from '../../domain/payment/capture-rules';
import { PAYMENT_PLANS, PAYMENT_STATUSES, remainingOf } from '../../domain/payment/payment';
import { toIso } from '../../domain/time';
import { capturableOf, type PaymentRecord } from '../../ledger';
import {
  AddressIn,
  PAGE_FIELDS,
  MoneyIn,
  line,
  PaymentIdText,
  InstantOut,
  MoneyOut,
  isoOrNull,
  named,
} from '../http/fields';
import { CaptureOut, RefundOut, viewCapture, viewRefund } from '../orders/schema';

/** The body of `POST /v1/payments`. What its fields must be to each other is in payment-rules. */
export const CreatePayment = z
  .strictObject({
    plan: z.enum(PAYMENT_PLANS),
    amount: MoneyIn,
    returnURL: z.string().min(1).max(2048),
    billingAddress: AddressIn,
    shippingAddress: AddressIn.optional(),
    timeToCapture: z
      .int()
      .min(1)
      .max(LONGEST_TIME_TO_CAPTURE)
      .optional()
      .meta({ description: 'Seconds from the authorization in which captures are taken; EVENT_DEPENDENT only' }),
    partialCapture: z.boolean().default(false),
    multipleCapture: z.boolean().default(false),
    merchantCategoryCode: z
      .string()
      .regex(/^\d{4}$/, 'four digits')
      .optional(),
  })
  .meta({ id: 'CreatePayment' });

export type CreatePayment = z.output<typeof CreatePayment>;

export const PaymentsQuery = z.strictObject({
  ...PAGE_FIELDS,
  status: z.enum(PAYMENT_STATUSES).optional(),
  plan: z.enum(PAYMENT_PLANS).optional(),
  q: line(200).optional(),
});

/** `id` is the paymentId. */
export const PaymentParams = z.object({ id: PaymentIdText });

export const AuthorizationOut = z
  .object({
    authorizationId: z.string(),
    amount: MoneyOut,
    status: z.enum(['pending', 'successful', 'failed']),
    createdAt: InstantOut,
    detail: z.string().optional(),
    description: z.string().optional(),
  })
  .meta({ id: 'Authorization' });

/** What the wire calls `MerchantPayment`. Fields with a question mark in the contract are left out where they say nothing. */
export const PaymentOut = z
  .object({
    paymentId: z.string(),
    plan: z.enum(PAYMENT_PLANS),
    amount: MoneyOut,
    status: z.enum(PAYMENT_STATUSES),
    consent: z.object({
      status: z.enum(['pending', 'successful', 'failed', 'cancelled']),
      redirectURL: z.string().optional(),
      checkedAt: InstantOut.nullable(),
    }),
    authorizations: z.array(AuthorizationOut),
    captures: z.array(CaptureOut),
    refunds: z.array(RefundOut),
    captureBy: InstantOut.optional(),
    remaining: MoneyOut,
    partialCapture: z.boolean(),
    multipleCapture: z.boolean(),
    timeToCapture: z.int().nullable(),
    merchantCategoryCode: z.string().optional(),
    releaseRequestedAt: InstantOut.optional(),
    releasedAt: InstantOut.optional(),
    expiredAt: InstantOut.optional(),
    createdAt: InstantOut,
    workflowId: z.string(),
  })
  .meta({ id: 'MerchantPayment' });

export type AuthorizationOut = z.output<typeof AuthorizationOut>;
export type PaymentOut = z.output<typeof PaymentOut>;

/** The ledger's record of a one-time payment as the wire shows it. */
export function viewPayment(record: PaymentRecord): PaymentOut {
  return {
    paymentId: record.paymentId,
    plan: record.plan,
    amount: record.amount,
    status: record.status,
    consent: viewConsent(record),
    authorizations: viewAuthorizations(record),
    captures: record.captures.map(viewCapture),
    refunds: record.refunds.map(viewRefund),
    ...named('captureBy', isoOrNull(record.captureBy)),
    remaining: remainingOf(capturableOf(record)),
    partialCapture: record.partialCapture,
    multipleCapture: record.multipleCapture,
    timeToCapture: record.timeToCapture,
    ...named('merchantCategoryCode', record.merchantCategoryCode),
    ...named('releaseRequestedAt', isoOrNull(record.releaseOrderedAt)),
    ...named('releasedAt', isoOrNull(record.releasedAt)),
    ...named('expiredAt', isoOrNull(record.expiredAt)),
    createdAt: toIso(record.createdAt),
    workflowId: record.workflowId,
  };
}

/** The redirect address is of use only while the payer can still approve. */
function viewConsent({ consent }: PaymentRecord): PaymentOut['consent'] {
  const redirectURL = consent.status === 'pending' ? consent.redirectURL : null;
  return { status: consent.status, ...named('redirectURL', redirectURL), checkedAt: isoOrNull(consent.checkedAt) };
}

/** One at most: the payer's bank is asked once, for the whole amount. */
function viewAuthorizations({ authorization, amount }: PaymentRecord): AuthorizationOut[] {
  if (authorization === null) return [];
  const { authorizationId, state, createdAt, detail, description } = authorization;
  return [
    {
      ...{ authorizationId, amount, status: state, createdAt: toIso(createdAt) },
      ...named('detail', detail),
      ...named('description', description),
    },
  ];
}
