import { z } from 'zod';
import { isForPayer as isPayerNotice, LANGUAGES, type PAYER_NOTICES, STATE_NOTICES } from '../contract/notices';

const instant = z.iso.datetime({ offset: true });
const money = z.object({ value: z.int().min(0), currency: z.literal('EUR') });
const cycle = z.int().min(0);

/** What every notice says of whom and what it is about; a one-time payment has no subscription. Name and address are null once the payer's data is erased. */
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
    }),
  }),
  z.object({
    type: z.literal('payment.increase_announced'),
    data: about.extend({ cycle, amount: money, previousAmount: money, dueAt: instant }),
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

/** One notice's type and data; instants as ISO texts, as they go on the wire. */
export type NoticeBody = z.infer<typeof noticeBody>;

export type PayerNoticeBody = Extract<NoticeBody, { type: (typeof PAYER_NOTICES)[number] }>;

export function isForPayer(body: NoticeBody): body is PayerNoticeBody {
  return isPayerNotice(body.type);
}

/**
 * A stored notice, made whole with its subscription, payment and payer. Fields of its own are kept.
 * @throws Error naming the fields that are wrong, never their values.
 */
export function readNoticeBody(type: string, data: unknown): NoticeBody {
  const parsed = noticeBody.safeParse({ type, data });
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map((issue) => issue.path.join('.'));
  throw new Error(`a ${type} notice with wrong or missing fields: ${paths.join(', ')}`);
}

export interface Notice<B extends NoticeBody = NoticeBody> {
  /** `webhook-id`: the same over repeated deliveries. Visible ASCII. */
  readonly id: string;
  /** Business time as ISO text, of what the notice is about. */
  readonly timestamp: string;
  readonly body: B;
}

/** As a webhook gets it. What need not be there is left out where there is nothing to say. */
export function payloadOf({ timestamp, body }: Notice): string {
  const { payer, ...facts } = body.data;
  const { name, ...rest } = payer;
  const said = (STATE_NOTICES as readonly string[]).includes(body.type) ? withoutNulls(facts, OPTIONAL_FACTS) : facts;
  return JSON.stringify({ type: body.type, timestamp, data: { ...said, payer: { name, ...withoutNulls(rest) } } });
}

const OPTIONAL_FACTS: readonly string[] = ['reason', 'until', 'cancelledBy'];

function withoutNulls(fields: object, optional: readonly string[] = Object.keys(fields)): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => value != null || !optional.includes(field)),
  );
}
