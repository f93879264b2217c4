import { z } from 'zod';
import { type Envelope, isTypePattern, MERCHANT_EVENTS } from '../../ledger';
import { PAGE_FIELDS, PaymentIdText, SubscriptionIdText } from '../http/fields';

const EXPECTED = `\`*\`, a type such as ${MERCHANT_EVENTS[8] ?? ''}, or all of a subject such as cycle.*`;

/** Types of events that are wanted, each as it is or all of one subject. */
export const TypePattern = z.string().max(100).refine(isTypePattern, EXPECTED);

/** The same in a query: several are separated by commas. */
export const TypesQuery = z
  .string()
  .max(4_000)
  .transform((text) => text.split(','))
  .pipe(z.array(TypePattern))
  .meta({ description: `${EXPECTED}; several are separated by commas` });

/** Which events are wanted, whether they are asked for or come as they happen. */
export const FEED_FILTERS = {
  types: TypesQuery.optional(),
  subscriptionId: SubscriptionIdText.optional(),
  paymentId: PaymentIdText.optional(),
};

export const EventsQuery = z.strictObject({
  after: z.string().min(1).max(512).optional().meta({ description: 'The nextCursor of a page before' }),
  ...FEED_FILTERS,
  limit: PAGE_FIELDS.limit,
});

/** An event as it is posted to endpoints. What `data` has follows from the type: see `webhooks`. */
export const MerchantEventOut = z
  .object({
    type: z.string(),
    id: z.string().meta({ description: 'The webhook-id, the same over repetitions and replays' }),
    timestamp: z.string().meta({ format: 'date-time', description: 'Business time' }),
    sequence: z.int().optional().meta({ description: 'Rises by one within one subscription or payment' }),
    schema: z.literal(1),
    test: z.boolean(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({
    id: 'MerchantEvent',
    description: 'An event as it is posted to endpoints; `data` depends on the type.',
  }) satisfies z.ZodType<Omit<Envelope, 'data'>>;

export const EventsOut = z
  .object({
    items: z.array(MerchantEventOut),
    nextCursor: z.string().meta({ description: 'Where to go on, also where there is nothing new' }),
  })
  .meta({
    id: 'MerchantEventPage',
    description: 'A page of the events; its `nextCursor` leads on, also to later events.',
  });
