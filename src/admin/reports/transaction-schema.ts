import { z } from 'zod';
import { MAX_RETRIES } from '../../domain/subscription/retries';
import { PAYMENT_PLANS } from '../../domain/payment/payment';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../ledger';
import {
  checkSpan,
  InstantIn,
  InstantOut,
  leftOut,
  line,
  MoneyOut,
  PAGE_FIELDS,
  PaymentIdText,
  SubscriptionIdText,
} from '../http/fields';

export const TransactionsQuery = z
  .strictObject({
    ...PAGE_FIELDS,
    from: InstantIn.optional().meta({
      description: 'Inclusive; by `bookedAt`, and by `createdAt` of what is not booked',
    }),
    to: InstantIn.optional().meta({ description: 'Exclusive; as `from`' }),
    type: z.enum(TRANSACTION_TYPES).optional(),
    status: z.enum(TRANSACTION_STATUSES).optional(),
    subscriptionId: SubscriptionIdText.optional(),
    paymentId: PaymentIdText.optional(),
    reference: line(140).optional().meta({ description: "The payer's" }),
    after: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'The transactionId behind which the list goes on, in place of a cursor' }),
  })
  .superRefine((query, context) => {
    checkSpan(query, ['from', 'to'], context);
    if (query.after === undefined || query.cursor === undefined) return;
    context.addIssue({ code: 'custom', path: ['after'], message: 'nothing beside cursor, which says the same' });
  });

export type TransactionsQuery = z.output<typeof TransactionsQuery>;

/** One movement of money. What does not apply to it is left out; `bookedAt` is null unless it is successful. */
export const TransactionOut = z
  .object({
    transactionId: z.string(),
    type: z.enum(TRANSACTION_TYPES),
    status: z.enum(TRANSACTION_STATUSES).meta({ description: 'What is not known yet is pending' }),
    amount: MoneyOut,
    bookedAt: InstantOut.nullable(),
    createdAt: InstantOut.meta({ description: 'When it began; the list is in this order' }),
    plan: z.enum(['SUBSCRIPTION', ...PAYMENT_PLANS]),
    subscriptionId: leftOut(z.string()),
    paymentId: z.string(),
    cycle: leftOut(z.int().min(0)),
    attempt: leftOut(z.int().min(0).max(MAX_RETRIES)),
    authorizationId: leftOut(z.string()),
    captureId: leftOut(z.string()).meta({ description: 'Of a refund: what it gives back' }),
    refundId: leftOut(z.string()),
    serviceRefundId: leftOut(z.string()).meta({ description: "The service's id of a refund" }),
    orderId: leftOut(z.string()).meta({ description: 'Of a capture that was ordered here' }),
    detail: leftOut(z.string()).meta({ description: 'Why it failed' }),
    reference: leftOut(z.string()).meta({ description: "The payer's" }),
    metadata: z.record(z.string(), z.string()).meta({ description: 'Of the subscription or the payment' }),
  })
  .meta({ id: 'Transaction', description: 'One movement of money.' });
