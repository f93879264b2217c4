import { z } from 'zod';
import { MAX_TIME_TO_CAPTURE } from '../../domain/payment/capture-rules';
import { PAYMENT_PLANS, PAYMENT_STATUSES, remainingOf } from '../../domain/payment/payment';
import { capturableOf, type KeyPowers, type PaymentRecord } from '../../ledger';
import {
  AddressIn,
  MetadataIn,
  MetadataOut,
  MoneyIn,
  PaymentIdText,
  Reason,
  InstantOut,
  MoneyOut,
  omitNull,
} from '../http/fields';
import { checkPeriods, LIST_FIELDS } from '../http/list-query';
import { ERROR_RESPONSES } from '../http/problems';
import { CaptureOut, RefundOut, viewOrder } from '../orders/schema';
import { PayerOut, viewPayer } from '../payers/schema';
import { ConsentOut, PayerIn } from '../subscriptions/schema';
import { viewConsent } from '../subscriptions/view';

/** The body of `POST /v1/payments`. See create.ts for conditions across fields. */
export const CreatePayment = z
  .strictObject({
    plan: z.enum(PAYMENT_PLANS),
    amount: MoneyIn,
    returnURL: z.string().min(1).max(2048),
    billingAddress: AddressIn,
    shippingAddress: AddressIn.optional(),
    payer: PayerIn.optional(),
    timeToCapture: z.int().min(1).max(MAX_TIME_TO_CAPTURE).optional().meta({
      description: 'Seconds after the authorization within which captures are possible; EVENT_DEPENDENT only',
    }),
    partialCapture: z.boolean().default(false),
    multipleCapture: z.boolean().default(false),
    merchantCategoryCode: z
      .string()
      .regex(/^\d{4}$/, 'four digits')
      .optional(),
    metadata: MetadataIn.optional(),
  })
  .meta({
    id: 'CreatePayment',
    description: 'The payment, and the address to which the payer returns after the consent session.',
  });

export type CreatePayment = z.output<typeof CreatePayment>;

/** The body of `POST /v1/subscriptions/{id}/cycles/{n}/payment-link`. */
export const CreatePaymentLink = z
  .strictObject({ returnURL: z.string().min(1).max(2048), reason: Reason.optional() })
  .meta({
    id: 'CreatePaymentLink',
    description: 'The address to which the payer returns after paying, and the reason for the link.',
  });

export type CreatePaymentLink = z.output<typeof CreatePaymentLink>;

export const PaymentLinkOut = z
  .object({
    paymentId: z.string(),
    redirectURL: z.string(),
    expiresAt: InstantOut.describe('When the session at `redirectURL` ends automatically; real time'),
  })
  .meta({ id: 'PaymentLink', description: 'Where the payer pays the cycle, and until when.' });

/** The due date of a payment is its `captureBy`. */
export const PaymentsQuery = z
  .strictObject({
    ...LIST_FIELDS,
    status: z.enum(PAYMENT_STATUSES).optional(),
    plan: z.enum(PAYMENT_PLANS).optional(),
  })
  .superRefine(checkPeriods);

/** `id` is the paymentId. */
export const PaymentParams = z.object({ id: PaymentIdText });

const AuthorizationOut = z
  .object({
    authorizationId: z.string(),
    amount: MoneyOut,
    status: z.enum(['pending', 'successful', 'failed']),
    createdAt: InstantOut,
    detail: omitNull(z.string()),
    description: omitNull(z.string()),
  })
  .meta({ id: 'Authorization', description: 'The authorization of a payment by the payer’s bank.' });

/** `MerchantPayment` in the API. Optional fields are omitted if they have no value. */
export const PaymentOut = z
  .object({
    paymentId: z.string(),
    plan: z.enum(PAYMENT_PLANS),
    amount: MoneyOut,
    status: z.enum(PAYMENT_STATUSES),
    consent: ConsentOut,
    authorizations: z.array(AuthorizationOut),
    captures: z.array(CaptureOut),
    refunds: z.array(RefundOut),
    captureBy: omitNull(InstantOut),
    remaining: MoneyOut,
    partialCapture: z.boolean(),
    multipleCapture: z.boolean(),
    timeToCapture: z.int().nullable(),
    merchantCategoryCode: omitNull(z.string()),
    releaseRequestedAt: omitNull(InstantOut),
    releasedAt: omitNull(InstantOut),
    expiredAt: omitNull(InstantOut),
    payer: PayerOut,
    metadata: MetadataOut,
    link: omitNull(z.object({ subscriptionId: z.string(), cycle: z.int().min(0) })).describe(
      'The failed or missed cycle that this payment pays, if it was made by payment link',
    ),
    createdAt: InstantOut,
    workflowId: z.string(),
  })
  .meta({ id: 'MerchantPayment', description: 'A one-time payment, with its captures and refunds.' });

export type PaymentOut = z.output<typeof PaymentOut>;

/** The common schema of calls for one payment that return the payment. */
export const OF_PAYMENT = {
  tags: ['payments'],
  params: PaymentParams,
  response: { 200: PaymentOut, ...ERROR_RESPONSES },
};

/** The ledger's record of a one-time payment as the API shows it to this caller. */
export function viewPayment(record: PaymentRecord, caller: Pick<KeyPowers, 'role' | 'scopes'>): PaymentOut {
  const { amount, authorization, consent } = record;
  return {
    ...record,
    payer: viewPayer(record.payer, caller),
    consent: viewConsent(consent, consent.status === 'pending'),
    // At most one: the payer's bank is asked once, for the whole amount.
    authorizations: authorization === null ? [] : [{ ...authorization, amount, status: authorization.state }],
    captures: record.captures.map(viewOrder),
    refunds: record.refunds.map(viewOrder),
    remaining: remainingOf(capturableOf(record)),
    releaseRequestedAt: record.releaseOrderedAt,
  };
}
