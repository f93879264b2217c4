import { z } from 'zod';
import { type Envelope, isTypePattern, MERCHANT_EVENTS } from '../../ledger';
import { PAGE_FIELDS, PaymentIdText, SubscriptionIdText } from '../http/fields';
import { PLAIN } from '../http/validation';

const EXPECTED = `\`*\`, a type such as ${MERCHANT_EVENTS[8] ?? ''}, or all of a subject such as cycle.*`;

/** Selects an event type, or all types of one subject. */
export const TypePattern = z.string().max(100).refine(isTypePattern, EXPECTED);

/** Event types or subjects in a query, separated by commas. */
export const TypesQuery = z
  .string()
  .max(4_000)
  .transform((text, context) => {
    const patterns = text.split(',');
    if (!patterns.every(isTypePattern))
      context.issues.push({ code: 'custom', message: EXPECTED, input: text, params: PLAIN });
    return patterns;
  })
  .meta({ description: `${EXPECTED}; separate several with commas` });

/** The filters of the event list and the event stream. */
export const FEED_FILTERS = {
  types: TypesQuery.optional(),
  subscriptionId: SubscriptionIdText.optional(),
  paymentId: PaymentIdText.optional(),
};

export const EventsQuery = z.strictObject({
  order: z
    .enum(['oldest', 'newest'])
    .default('oldest')
    .meta({ description: '`newest` goes back in time, page by page; events recorded meanwhile are not shown' }),
  after: z.string().min(1).max(512).optional().meta({ description: 'The `nextCursor` of an earlier page' }),
  ...FEED_FILTERS,
  limit: PAGE_FIELDS.limit,
});

/** An event as it is posted to endpoints. The fields of `data` depend on the type, see `webhooks`. */
export const MerchantEventOut = z
  .object({
    type: z.string(),
    id: z.string().meta({ description: 'The webhook-id; the same in all tries and replays' }),
    timestamp: z.string().meta({ format: 'date-time', description: 'Business time' }),
    sequence: z.int().optional().meta({ description: 'Increases by one within a subscription or payment' }),
    schema: z.literal(1),
    test: z.boolean(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({
    id: 'MerchantEvent',
    description: 'An event as it is posted to endpoints; the fields of `data` depend on the type.',
  }) satisfies z.ZodType<Omit<Envelope, 'data'>>;

export const EventsOut = z
  .object({
    items: z.array(MerchantEventOut),
    nextCursor: z
      .string()
      .meta({ description: 'Where to continue; always present, even if there are no further events' }),
  })
  .meta({
    id: 'MerchantEventPage',
    description:
      'A page of events. Its `nextCursor` is always present. It leads to later events or, with `order=newest`, to earlier ones; a page of earlier events with fewer than `limit` items is the last.',
  });
