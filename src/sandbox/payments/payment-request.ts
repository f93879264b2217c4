import { z } from 'zod';
import { NO_SUCH_WALLET, parseWallet, walletHintIn } from '../bank/wallets';
import { moneySchema } from '../body';
import type { BrokenRules } from '../faults/broken-rules';
import { MAX_TIME_TO_CAPTURE, maximumCapture, maximumTimeToCapture, inEuros } from '../limits/verdict';
import { instantOf, iso, REPETITIONS } from './calendar';

const addressSchema = z.strictObject({
  name: z.string().min(1).max(200),
  street: z.string().min(1).max(200),
  postalCode: z.string().min(1).max(20),
  city: z.string().min(1).max(200),
  country: z.string().regex(/^[A-Z]{2}$/, 'expected two capital letters'),
  email: z.string().min(1).max(320).optional(),
});

/** "Timestamp with time of day, ISO 8601 UTC." */
const timestampSchema = z.iso.datetime('expected a UTC timestamp with time of day').transform(instantOf);

const requestSchema = z.strictObject({
  useCase: z.enum(['SINGLE', 'EVENT_DEPENDENT', 'SUBSCRIPTION']),
  amount: moneySchema,
  returnURL: z.url({ protocol: /^https?$/ }).max(2000),
  billingAddress: addressSchema,
  shippingAddress: addressSchema.optional(),
  timeToCapture: z.int().min(1).optional(),
  partialCapture: z.boolean().optional(),
  multipleCapture: z.boolean().optional(),
  repetition: z.enum(REPETITIONS).optional(),
  startAt: timestampSchema.optional(),
  firstPaymentAt: timestampSchema.optional(),
  endAt: timestampSchema.optional(),
});

export type PaymentRequest = z.output<typeof requestSchema>;

/** The limits of a payment request. */
export interface RequestLimits {
  /** Business time; firstPaymentAt must not be before it. */
  readonly earliestFirstPayment: number;
  readonly merchantCategoryCode: string | undefined;
  readonly longCapturePermitted: boolean;
  readonly brokenRules: BrokenRules;
}

type Problem = readonly [field: string, message: string];

/** The schema of a mandate granted elsewhere: its first payment may be in the past. */
export const grantedSchema = requestSchema.extend({ createdAt: timestampSchema });

/** The schema of `POST /payments` with the rules of each plan; every problem is reported with its field. */
export function paymentRequestSchema(limits: RequestLimits): z.ZodType<PaymentRequest> {
  return requestSchema.superRefine((request, context) => {
    const problems = [
      ...planProblems(request),
      ...scheduleProblems(request, limits),
      ...captureProblems(request, limits),
    ];
    for (const [field, message] of [...problems, ...walletProblems(request)]) {
      context.addIssue({ code: 'custom', path: field.split('.'), message });
    }
  });
}

const SUBSCRIPTION_FIELDS = ['repetition', 'startAt', 'firstPaymentAt', 'endAt'] as const;

function planProblems(request: PaymentRequest): Problem[] {
  if (request.useCase === 'SUBSCRIPTION') {
    return (['repetition', 'startAt', 'firstPaymentAt'] as const)
      .filter((field) => request[field] === undefined)
      .map((field) => [field, 'required for SUBSCRIPTION']);
  }
  return SUBSCRIPTION_FIELDS.filter((field) => request[field] !== undefined).map((field) => [
    field,
    'only for SUBSCRIPTION',
  ]);
}

function scheduleProblems(request: PaymentRequest, limits: RequestLimits): Problem[] {
  const { startAt, firstPaymentAt, endAt } = request;
  const problems: Problem[] = [];
  if (firstPaymentAt === undefined) return problems;
  if (firstPaymentAt < limits.earliestFirstPayment) {
    problems.push(['firstPaymentAt', `must be at least the current time, ${iso(limits.earliestFirstPayment)}`]);
  }
  if (startAt !== undefined && firstPaymentAt < startAt)
    problems.push(['firstPaymentAt', 'must not be before startAt']);
  if (endAt !== undefined && endAt <= firstPaymentAt) problems.push(['endAt', 'must be after firstPaymentAt']);
  return problems;
}

function captureProblems(request: PaymentRequest, limits: RequestLimits): Problem[] {
  const problems: Problem[] = [];
  const maximum = maximumCapture(limits.merchantCategoryCode);
  if (request.useCase !== 'EVENT_DEPENDENT') {
    if (request.timeToCapture !== undefined) problems.push(['timeToCapture', 'only for EVENT_DEPENDENT']);
    if (request.partialCapture === true) problems.push(['partialCapture', 'only for EVENT_DEPENDENT']);
    if (request.multipleCapture === true) problems.push(['multipleCapture', 'only for EVENT_DEPENDENT']);
    // These plans capture the full amount by themselves.
    if (maximum !== null && request.amount.value > maximum && !limits.brokenRules.has('category-maximum')) {
      problems.push(['amount.value', `a merchant of this category captures ${inEuros(maximum)} at most`]);
    }
  }
  const longest = longestTimeToCapture(limits);
  if (request.timeToCapture !== undefined && request.timeToCapture > longest) {
    problems.push(['timeToCapture', `this merchant is allowed ${longest} seconds at most`]);
  }
  return problems;
}

function longestTimeToCapture({ merchantCategoryCode, longCapturePermitted, brokenRules }: RequestLimits): number {
  const longest = maximumTimeToCapture(merchantCategoryCode, longCapturePermitted);
  return longest === MAX_TIME_TO_CAPTURE && brokenRules.has('longest-time-to-capture') ? Infinity : longest;
}

function walletProblems(request: PaymentRequest): Problem[] {
  return (['email', 'name'] as const).flatMap((field): Problem[] => {
    const hint = walletHintIn(request.billingAddress[field]);
    if (hint === null || parseWallet(hint) !== null) return [];
    return [[`billingAddress.${field}`, NO_SUCH_WALLET]];
  });
}
