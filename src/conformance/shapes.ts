import { z } from 'zod';
import { bodyOf, type Exchange } from './exchange';
import { Differs } from './outcome';

/** The records as dueday assumes them: unknown extra fields are ignored, missing ones are not. */
const id = z.string().min(1);
const money = z.object({ value: z.int().min(1), currency: z.literal('EUR') });
const timestamp = z.iso.datetime({ offset: true });
const statusOf = (words: readonly string[]) =>
  z.object({
    result: z
      .string()
      .transform((word) => word.toLowerCase())
      .pipe(z.enum(words)),
  });
const failed = z.literal('FAILED');

const BOOKED = ['pending', 'successful', 'failed'];

const authorization = z.object({
  paymentId: id,
  authorizationId: id,
  amount: money,
  createdAt: timestamp,
  status: statusOf([...BOOKED, 'released', 'expired']),
  timeToCapture: z.int().optional(),
  result: failed.optional(),
  detail: z.string().optional(),
  description: z.string().optional(),
});
const capture = z.object({
  paymentId: id,
  captureId: id,
  authorizationId: id,
  amount: money,
  finalCapture: z.boolean().optional(),
  createdAt: timestamp,
  status: statusOf(BOOKED),
  detail: z.string().optional(),
});
const refund = z.object({
  paymentId: id,
  refundId: id,
  captureId: id.optional(),
  amount: money,
  createdAt: timestamp,
  status: statusOf(BOOKED),
  detail: z.string().optional(),
});

export const SHAPES = {
  token: z.object({
    access_token: id,
    token_type: z.string().regex(/^bearer$/i),
    expires_in: z.literal(300),
  }),
  payment: z.object({
    paymentId: id,
    status: statusOf([...BOOKED, 'cancelled', 'released', 'expired']),
    redirectURL: z.url({ protocol: /^https?$/ }),
    createdAt: timestamp.optional(),
  }),
  consent: z.object({ paymentId: id, status: statusOf([...BOOKED, 'cancelled']), createdAt: timestamp.optional() }),
  authorization,
  authorizations: z.object({ items: z.array(authorization).min(1) }),
  capture,
  captures: z.object({ items: z.array(capture).min(1) }),
  refund,
  refunds: z.object({ items: z.array(refund).min(1) }),
  failure: z.object({ result: failed, detail: id, description: z.string() }),
} as const;

/** @throws Differs if the status is another, or the body does not have that shape: with every field that does not fit */
export function shaped(exchange: Exchange, shape: keyof typeof SHAPES, status: number): Exchange {
  if (exchange.answer.status !== status) {
    throw new Differs(exchange, `the HTTP status should be ${status}; it was ${exchange.answer.status}`);
  }
  const parsed = SHAPES[shape].safeParse(bodyOf(exchange));
  if (parsed.success) return exchange;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the body'}: ${issue.message}`);
  throw new Differs(exchange, `the answer should be a ${shape}: ${issues.join('; ')}`);
}
