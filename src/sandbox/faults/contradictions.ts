import { z } from 'zod';

/** Records of a payment that a POST creates and a list returns. */
export const RECORD_KINDS = ['authorizations', 'captures', 'refunds'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/**
 * Which payments, and which of their records, a contradiction applies to: every given field must match. `on` is the
 * resource; `attempt` is the number of earlier records of the same cycle, 0 for the first.
 */
const match = z.strictObject({
  paymentId: z.string().optional(),
  clientId: z.string().optional(),
  on: z.enum(RECORD_KINDS).default('authorizations'),
  cycle: z.int().min(0).optional(),
  attempt: z.int().min(0).optional(),
});

/** Real milliseconds, 30 days at most. */
const delayMs = z.int().min(0).max(2_592_000_000).default(2_000);
const detail = z.string().min(1).max(100).default('AUTHORIZATION_REJECTION_RETRYABLE');
const status = z.int().min(400).max(599);

/** How many records or requests it applies to; null for all, until it is cleared. */
const timesOf = (fallback: number | null) => z.int().min(1).nullable().default(fallback);

const ofRecord = <Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) =>
  z.strictObject({ kind: z.literal(kind), ...fields, match: match.prefault({}), times: timesOf(1) });
const ofAnswers = <Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) =>
  z.strictObject({ kind: z.literal(kind), ...fields, match: match.prefault({}), times: timesOf(null) });

/** How a record is misrepresented. Its real outcome is decided when it is created and does not change. */
export const recordContradictions = [
  ofRecord('refused_then_successful', {
    delayMs,
    pendingMs: delayMs.default(0),
    detail,
    named: z.boolean().default(false),
  }),
  ofRecord('refused_then_failed', { delayMs, pendingMs: delayMs, detail, named: z.boolean().default(false) }),
  ofRecord('refused_while_booking', { delayMs: delayMs.default(0), detail }),
  ofRecord('success_withdrawn', { delayMs, detail }),
  ofRecord('same_id', { as: z.enum(['previous', 'first', 'other_cycle']).default('previous') }),
  ofRecord('vanishing', { delayMs, books: z.boolean().default(false) }),
  ofRecord('new_status', {
    word: z.string().min(1).max(50).default('refunded'),
    afterMinutes: z.number().min(0).default(1440),
  }),
  ofRecord('far_date', { createdAt: z.string().max(60).default('9999-12-31T23:59:59.999-23:59') }),
  ofRecord('unstorable_answer', { variant: z.enum(['date', 'nul_id', 'long_id', 'no_id']).default('date') }),
] as const;

/** How lists and other responses are misrepresented. */
export const answerContradictions = [
  ofAnswers('list_lag', { delayMs }),
  ofAnswers('list_newest_first', {}),
  ofAnswers('list_cut', {
    keeps: z.enum(['oldest', 'newest']).default('oldest'),
    count: z.int().min(0).default(2),
    says: z
      .enum(['nothing', 'has_more', 'next_cursor', 'total', 'link', 'endless_link', 'foreign_link'])
      .default('nothing'),
  }),
  ofAnswers('list_days', { days: z.number().min(0).default(90) }),
  ofAnswers('list_without_refused', {}),
  ofAnswers('list_empty', {}),
  ofAnswers('outage', { minutes: z.number().min(0).default(60), status: status.default(503) }),
  ofAnswers('cancellation_refused', { status: status.default(409) }),
  ofAnswers('cancellation_ignored', {}),
  ofAnswers('consent_gone', { status: status.default(404) }),
] as const;

const recordSchema = z.discriminatedUnion('kind', recordContradictions);
const answerSchema = z.discriminatedUnion('kind', answerContradictions);
export const contradictionSchema = z.discriminatedUnion('kind', [...recordContradictions, ...answerContradictions]);

export type RecordContradiction = z.output<typeof recordSchema>;
export type AnswerContradiction = z.output<typeof answerSchema>;
export type Contradiction = z.output<typeof contradictionSchema>;
export type ContradictionOrder = z.input<typeof contradictionSchema>;
export type ContradictionKind = Contradiction['kind'];

/** What the service does, for each kind of contradiction; the fields of the contradiction are in backquotes. */
export const CONTRADICTIONS: Readonly<Record<ContradictionKind, string>> = {
  refused_then_successful:
    'refuses in its response, with `detail` (and with the authorization if `named` is true), but books; lists the record as failed for `delayMs`, as pending for `pendingMs`, then correctly',
  refused_then_failed:
    'refuses in its response and lists the authorization as failed for `delayMs`, as pending for `pendingMs`, then as failed again; nothing is booked',
  refused_while_booking:
    'accepts, and lists the authorization as failed after `delayMs`, although its capture is booked',
  success_withdrawn:
    'lists the authorization as failed from `delayMs` after it was first listed as successful; its capture is booked',
  same_id:
    'returns and lists a new record with the id of an earlier one, which `as` chooses: previous, first or other_cycle',
  vanishing: 'lists a record as pending for `delayMs`, then no longer; it is refused, or booked if `books` is true',
  new_status: 'lists the record with an unknown status (`word`) after `afterMinutes` of business time',
  far_date: 'returns `createdAt` as a date that falls into the year 10000 in UTC',
  unstorable_answer:
    'accepts with a response that cannot be stored (`variant`: date, nul_id, long_id or no_id), and lists the record correctly',
  list_lag: 'lists records only `delayMs` after they were created',
  list_newest_first: 'lists the newest record first',
  list_cut: 'lists only `count` records, the oldest or the newest (`keeps`), and may say that there are more (`says`)',
  list_days: 'lists only the records of the last `days` of business time',
  list_without_refused: 'does not list failed records',
  list_empty: 'returns an empty list',
  outage: 'answers every POST with `status` for `minutes` of business time, from the first POST on; nothing is created',
  cancellation_refused: 'answers the cancellation of a consent with `status`, and keeps the consent',
  cancellation_ignored: 'answers the cancellation of a consent with 200, and keeps the consent',
  consent_gone: 'answers with `status` whenever the consent is read or cancelled',
};

export function isRecordContradiction(spec: { readonly kind: string }): spec is RecordContradiction {
  return recordContradictions.some(({ shape }) => shape.kind.value === spec.kind);
}

export function isContradiction(spec: { readonly kind: string }): spec is Contradiction {
  return Object.hasOwn(CONTRADICTIONS, spec.kind);
}
