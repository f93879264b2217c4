import { z } from 'zod';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { type Instant, toIso } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import { entryOf, type MerchantEventType } from './catalogue';
import { sampleOf, schemaOf } from './fields';

/** An event with the current data of its subject. */
export interface MerchantEvent {
  readonly eventId: string;
  /** One of {@link MerchantEventType}, or a type of another release. */
  readonly type: string;
  readonly at: Instant;
  /** Null for a test. */
  readonly position: number | null;
  /** Null for a test, and for an event of no subscription or payment. */
  readonly sequence: number | null;
  readonly isTest: boolean;
  readonly data: EventData;
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Null if none was given, or once the payer is erased. */
  readonly reference: string | null;
}

/** Columns of {@link MerchantEvent}, from {@link EVENT_SOURCE}. */
export const EVENT_COLUMNS = `e.event_id, e.type, e.at, e.position, e.sequence, e.is_test, e.data, e.subscription_id,
  coalesce(e.payment_id, s.payment_id) as payment_id, coalesce(s.metadata, p.metadata, '{}') as metadata, y.reference`;

/** The reference is not stored with the event: once a payer is erased, events sent later do not contain it. */
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
  rule: z.int().nullable().meta({ description: 'The number of the rule in docs/explain/rules.md' }),
  text: z.string().meta({ description: 'Plain-language explanation' }),
};

/** The schema of the body of a post, for one type of event. */
export function envelopeSchema(type: MerchantEventType) {
  const { of: subject, says, ...fields } = entryOf(type);
  return z
    .object({
      type: z.literal(type),
      id: z.string().meta({ description: 'The webhook-id' }),
      timestamp: z.iso.datetime().meta({ description: 'Business time' }),
      ...(subject === 'none' ? {} : { sequence: z.int().min(1).optional().meta({ description: 'Absent in a test' }) }),
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
  /** The version of the envelope: events have one, notices do not. */
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
  return { reason: null, ...sampleOf(entryOf(type)), rule: null, text: 'This is a test. Nothing happened.' };
}

/** A test event of the type, for descriptions: always the same. */
export function sampleEnvelope(type: MerchantEventType): Envelope {
  const { of: subject } = entryOf(type);
  return envelopeOf({
    type,
    eventId: 'evt_0123456789abcdef0123456789abcdef',
    at: Date.UTC(2027, 0, 31, 10, 0, 4, 120),
    position: null,
    sequence: null,
    isTest: true,
    data: sampleData(type),
    subscriptionId: subject === 'none' || subject === 'payment' ? null : ('coffee-7' as SubscriptionId),
    paymentId: subject === 'none' ? null : ('pay_7f1c2f0a-6f0e-4b6b-9a7e-2f3f5a1c2b7d' as PaymentId),
    metadata: {},
    reference: subject === 'none' ? null : 'customer-7',
  });
}
