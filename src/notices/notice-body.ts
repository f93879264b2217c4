import { z } from 'zod';
import { isForPayer as isPayerNotice, LANGUAGES, type PAYER_NOTICES, STATE_NOTICES } from '../contract/notices';

const instant = z.iso.datetime({ offset: true });
const money = z.object({ value: z.int().min(0), currency: z.literal('EUR') });
const cycle = z.int().min(0);

/** The fields of every notice; a one-time payment has no subscription. The payer's fields are null once erased. */
const about = z.looseObject({
  subscriptionId: z.string().nullable(),
  paymentId: z.string().nullable(),
  payer: z.object({
    name: z.string().nullable(),
    email: z.string().nullish(),
    reference: z.string().nullish(),
    language: z.enum(LANGUAGES).nullish(),
  }),
});

const noticeBody = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('payment.failed'),
    data: about.extend({
      cycle,
      attempt: z.int().min(0),
      amount: money,
      dueAt: instant,
      detail: z.string(),
      description: z.string(),
      retryAt: instant.nullable(),
      retriesLeft: z.int().min(0),
      paymentLink: z.string().optional(),
    }),
  }),
  z.object({
    type: z.literal('payment.increase_announced'),
    data: about.extend({ cycle, amount: money, previousAmount: money, dueAt: instant }),
  }),
  z.object({
    type: z.literal('payment.upcoming'),
    data: about.extend({ cycle, amount: money, dueAt: instant, postponedUntil: instant.optional() }),
  }),
  z.object({
    type: z.literal(STATE_NOTICES),
    data: about.extend({ reason: z.string().nullish(), until: instant.nullish(), cancelledBy: z.string().nullish() }),
  }),
  z.object({ type: z.literal('consent.failed'), data: about.extend({ reason: z.string().nullish() }) }),
  z.object({
    type: z.literal(['cycle.missed', 'cycle.failed', 'cycle.unresolved']),
    data: about.extend({ cycle, dueAt: instant, amount: money, reason: z.string().nullish() }),
  }),
  z.object({ type: z.literal('capture.deadline_near'), data: about.extend({ captureBy: instant, remaining: money }) }),
]);

/** The type and data of a notice; instants as ISO texts, as on the wire. */
export type NoticeBody = z.infer<typeof noticeBody>;

export type PayerNoticeBody = Extract<NoticeBody, { type: (typeof PAYER_NOTICES)[number] }>;

export function isForPayer(body: NoticeBody): body is PayerNoticeBody {
  return isPayerNotice(body.type);
}

/**
 * Parses a stored notice, completed with its subscription, payment and payer. Other fields are kept.
 * @throws Error naming the invalid fields, never their values
 */
export function readNoticeBody(type: string, data: unknown): NoticeBody {
  const parsed = noticeBody.safeParse({ type, data });
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map((issue) => issue.path.join('.'));
  throw new Error(`a ${type} notice has invalid or missing fields: ${paths.join(', ')}`);
}

export interface Notice<B extends NoticeBody = NoticeBody> {
  /** `webhook-id`: the same for repeated deliveries. Visible ASCII. */
  readonly id: string;
  /** Business time at which the notice was created, as ISO text. */
  readonly timestamp: string;
  readonly body: B;
}

/**
 * The payload of a webhook. Without a value, the payer's fields other than the name are left out, and so are the optional fields of
 * a notice about the state of a subscription.
 */
export function payloadOf({ timestamp, body }: Notice): string {
  const { payer, ...facts } = body.data;
  const { name, ...rest } = payer;
  const present = (STATE_NOTICES as readonly string[]).includes(body.type)
    ? withoutNulls(facts, OPTIONAL_FACTS)
    : facts;
  return JSON.stringify({ type: body.type, timestamp, data: { ...present, payer: { name, ...withoutNulls(rest) } } });
}

const OPTIONAL_FACTS: readonly string[] = ['reason', 'until', 'cancelledBy'];

function withoutNulls(fields: object, optional: readonly string[] = Object.keys(fields)): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => value != null || !optional.includes(field)),
  );
}
