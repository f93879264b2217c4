import { z } from 'zod';
import { PAYMENT_PLANS, PAYMENT_STATUSES } from '../../domain/payment/payment';
import { CaptureOut } from './capture';
import { InstantOut } from './instants';
import { MoneyOut } from './money';
import { RefundOut } from './refund';

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
