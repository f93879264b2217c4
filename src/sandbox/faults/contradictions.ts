import { z } from 'zod';

/** The records of a payment that are made by a POST and read back from a list. */
export const RECORD_KINDS = ['authorizations', 'captures', 'refunds'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/**
 * Which payments, and which of their records, a contradiction is about: all that is given must fit. `on` names the
 * resource; `attempt` counts the earlier records of the same cycle, 0 for the first.
 */
const match = z.strictObject({
  paymentId: z.string().optional(),
  clientId: z.string().optional(),
  on: z.enum(RECORD_KINDS).default('authorizations'),
  cycle: z.int().min(0).optional(),
  attempt: z.int().min(0).optional(),
});

/** Real milliseconds. */
const delayMs = z.int().min(0).max(86_400_000).default(2_000);
const detail = z.string().min(1).max(100).default('AUTHORIZATION_REJECTION_RETRYABLE');
const status = z.int().min(400).max(599);

/** For how many records or requests it holds; null: for all of them, until it is cleared. */
const timesOf = (usual: number | null) => z.int().min(1).nullable().default(usual);

const ofRecord = <Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) =>
  z.strictObject({ kind: z.literal(kind), ...fields, match: match.prefault({}), times: timesOf(1) });
const ofAnswers = <Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) =>
  z.strictObject({ kind: z.literal(kind), ...fields, match: match.prefault({}), times: timesOf(null) });

/** How a record is misrepresented. What it comes to is decided when it is made and stays with it. */
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

/** How lists are misrepresented, and what other answers say that does not hold. */
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

/** What a service does that contradicts itself in this way. */
export const CONTRADICTIONS: Readonly<Record<ContradictionKind, string>> = {
  refused_then_successful:
    'answers a refusal (detail, with named: naming the authorization) and books; listed failed for delayMs, pending for pendingMs, then as it is',
  refused_then_failed:
    'answers a refusal and lists the authorization as failed for delayMs, as pending for pendingMs, then as failed again; nothing is booked',
  refused_while_booking: 'accepts, and lists the authorization as failed from delayMs on while its capture is booked',
  success_withdrawn:
    'lists the authorization as failed from delayMs after it was first listed as successful; its capture is booked',
  same_id: 'answers and lists a new record under an id that is in use: as previous, first or other_cycle',
  vanishing: 'no longer lists a record from delayMs after it was first listed; with books it is booked all the same',
  new_status: 'lists the record with a status word of its own from afterMinutes of business time on',
  far_date: 'gives createdAt as a date that does not end before the year 10000',
  unstorable_answer:
    'accepts with an answer that cannot be stored (date, nul_id, long_id, no_id), and lists the record as it is',
  list_lag: 'lists records delayMs after they were made',
  list_newest_first: 'lists the newest record first',
  list_cut: 'lists count records, the oldest or the newest, and says so or not',
  list_days: 'lists the records of the last so many days of business time',
  list_without_refused: 'does not list failed records',
  list_empty: 'answers an empty list',
  outage: 'answers status to every POST for so many minutes of business time from the first one on; nothing is made',
  cancellation_refused: 'answers status to the cancellation of a consent, and keeps it',
  cancellation_ignored: 'answers 200 to the cancellation of a consent, and keeps it',
  consent_gone: 'answers status wherever the consent is asked for or cancelled',
};

export function isRecordContradiction(spec: { readonly kind: string }): spec is RecordContradiction {
  return recordContradictions.some(({ shape }) => shape.kind.value === spec.kind);
}

export function isContradiction(spec: { readonly kind: string }): spec is Contradiction {
  return Object.hasOwn(CONTRADICTIONS, spec.kind);
}
