import { z } from 'zod';
import { LONGEST_TIME_TO_CAPTURE } from '../../domain/payment/capture-rules';
import { PAYMENT_PLANS, PAYMENT_STATUSES, remainingOf } from '../../domain/payment/payment';
import { capturableOf, type PaymentRecord } from '../../ledger';
import {
  AddressIn,
  MetadataIn,
  MetadataOut,
  MoneyIn,
  PaymentIdText,
  InstantOut,
  MoneyOut,
  leftOut,
} from '../http/fields';
import { checkSpans, LIST_FIELDS } from '../http/list-query';
import { FAULT_ANSWERS } from '../http/problems';
import { CaptureOut, RefundOut, viewOrder } from '../orders/schema';
import { ConsentOut, PayerIn, viewConsent } from '../subscriptions/schema';

/** The body of `POST /v1/payments`. What its fields must be to each other is in payment-rules. */
export const CreatePayment = z
  .strictObject({
    plan: z.enum(PAYMENT_PLANS),
    amount: MoneyIn,
    returnURL: z.string().min(1).max(2048),
    billingAddress: AddressIn,
    shippingAddress: AddressIn.optional(),
    payer: PayerIn.optional(),
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
    metadata: MetadataIn.optional(),
  })
  .meta({ id: 'CreatePayment', description: 'The payment, and where its payer returns to.' });

export type CreatePayment = z.output<typeof CreatePayment>;

/** A payment falls due at its `captureBy`. */
export const PaymentsQuery = z
  .strictObject({
    ...LIST_FIELDS,
    status: z.enum(PAYMENT_STATUSES).optional(),
    plan: z.enum(PAYMENT_PLANS).optional(),
  })
  .superRefine(checkSpans);

/** `id` is the paymentId. */
export const PaymentParams = z.object({ id: PaymentIdText });

const AuthorizationOut = z
  .object({
    authorizationId: z.string(),
    amount: MoneyOut,
    status: z.enum(['pending', 'successful', 'failed']),
    createdAt: InstantOut,
    detail: leftOut(z.string()),
    description: leftOut(z.string()),
  })
  .meta({ id: 'Authorization', description: 'The authorization of a payment by the payer’s bank.' });

/** What the wire calls `MerchantPayment`. Fields with a question mark in the contract are left out where they say nothing. */
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
    captureBy: leftOut(InstantOut),
    remaining: MoneyOut,
    partialCapture: z.boolean(),
    multipleCapture: z.boolean(),
    timeToCapture: z.int().nullable(),
    merchantCategoryCode: leftOut(z.string()),
    releaseRequestedAt: leftOut(InstantOut),
    releasedAt: leftOut(InstantOut),
    expiredAt: leftOut(InstantOut),
    metadata: MetadataOut,
    createdAt: InstantOut,
    workflowId: z.string(),
  })
  .meta({ id: 'MerchantPayment', description: 'A one-time payment, with its captures and refunds.' });

export type PaymentOut = z.output<typeof PaymentOut>;

/** The schema of the calls of one payment that answer with it. */
export const OF_PAYMENT = {
  tags: ['payments'],
  params: PaymentParams,
  response: { 200: PaymentOut, ...FAULT_ANSWERS },
};

/** The ledger's record of a one-time payment as the wire shows it. */
export function viewPayment(record: PaymentRecord): PaymentOut {
  const { amount, authorization, consent } = record;
  return {
    ...record,
    consent: viewConsent(consent, consent.status === 'pending'),
    // One at most: the payer's bank is asked once, for the whole amount.
    authorizations: authorization === null ? [] : [{ ...authorization, amount, status: authorization.state }],
    captures: record.captures.map(viewOrder),
    refunds: record.refunds.map(viewOrder),
    remaining: remainingOf(capturableOf(record)),
    releaseRequestedAt: record.releaseOrderedAt,
  };
}
