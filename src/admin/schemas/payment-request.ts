import { z } from 'zod';
import { LONGEST_TIME_TO_CAPTURE } from '../../domain/payment/capture-rules';
import { PAYMENT_PLANS, PAYMENT_STATUSES } from '../../domain/payment/payment';
import { AddressIn } from './address';
import { PAGE_FIELDS } from './listing';
import { MoneyIn } from './money';
import { line, PaymentIdText } from './text';

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
