import { z } from 'zod';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { type Instant, toIso } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import { entryOf, type MerchantEventType } from './catalogue';
import { sampleOf, schemaOf } from './fields';

/** An event with what is known of its subject now. */
export interface MerchantEvent {
  readonly eventId: string;
  /** One of {@link MerchantEventType}, or of another release. */
  readonly type: string;
  readonly at: Instant;
  /** Null for a test. */
  readonly position: number | null;
  /** Null for what is of no subscription and no payment, and for a test. */
  readonly sequence: number | null;
  readonly isTest: boolean;
  readonly data: EventData;
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Null where none was given, and once the payer is erased. */
  readonly reference: string | null;
}

/** Columns of {@link MerchantEvent}, of what {@link EVENT_SOURCE} names. */
export const EVENT_COLUMNS = `e.event_id, e.type, e.at, e.position, e.sequence, e.is_test, e.data, e.subscription_id,
  coalesce(e.payment_id, s.payment_id) as payment_id, coalesce(s.metadata, p.metadata, '{}') as metadata, y.reference`;

/** The reference is not kept with the event: a payer who is erased is erased from what leaves later, too. */
export const EVENT_SOURCE = `merchant_events e
  left join subscriptions s on s.subscription_id = e.subscription_id
  left join payments p on p.payment_id = e.payment_id
  left join payers y on y.payer_id = coalesce(s.payer_id, p.payer_id)`;

const about = {
  subscriptionId: z.string().nullable(),
  paymentId: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  payer: z.object({ reference: z.string().nullable() }),
  reason: z.string().nullable(),
  rule: z.int().nullable().meta({ description: 'The number of the rule in docs/rules.md' }),
  text: z.string().meta({ description: 'In plain words' }),
};

/** A body as it is posted, of one type. */
export function envelopeSchema(type: MerchantEventType) {
  const { of, says, ...fields } = entryOf(type);
  return z
    .object({
      type: z.literal(type),
      id: z.string().meta({ description: 'The webhook-id' }),
      timestamp: z.iso.datetime().meta({ description: 'Business time' }),
      ...(of === 'none' ? {} : { sequence: z.int().min(1).optional().meta({ description: 'Left out of a test' }) }),
      schema: z.literal(1),
      test: z.boolean(),
      data: z.object({ ...about, ...schemaOf(fields) }),
    })
    .meta({ description: says });
}

export interface Envelope {
  readonly type: string;
  readonly id: string;
  readonly timestamp: string;
  readonly sequence?: number;
  /** The version of the envelope: an event has one, a notice has none. */
  readonly schema: 1;
  readonly test: boolean;
  readonly data: EventData;
}

export function envelopeOf(event: MerchantEvent): Envelope {
  const { type, eventId: id, at, sequence, isTest: test, subscriptionId, paymentId, metadata, reference } = event;
  return {
    type,
    id,
    timestamp: toIso(at),
    ...(sequence === null ? {} : { sequence }),
    schema: 1,
    test,
    data: { subscriptionId, paymentId, metadata, payer: { reference }, ...event.data },
  };
}

/** `data` of a test. */
export function sampleData(type: MerchantEventType): EventData {
  return { reason: null, ...sampleOf(entryOf(type)), rule: null, text: 'This is a test: nothing has happened.' };
}

/** A test of the type as it is posted, for descriptions: always the same. */
export function sampleEnvelope(type: MerchantEventType): Envelope {
  const { of } = entryOf(type);
  return envelopeOf({
    type,
    eventId: 'evt_0123456789abcdef0123456789abcdef',
    at: Date.UTC(2027, 0, 31, 10, 0, 4, 120),
    position: null,
    sequence: of === 'none' ? null : 3,
    isTest: true,
    data: sampleData(type),
    subscriptionId: of === 'none' || of === 'payment' ? null : ('coffee-7' as SubscriptionId),
    paymentId: of === 'none' ? null : ('pay_7f1c2f0a-6f0e-4b6b-9a7e-2f3f5a1c2b7d' as PaymentId),
    metadata: {},
    reference: of === 'none' ? null : 'customer-7',
  });
}
