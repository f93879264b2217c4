import type { Failure } from '../refusal';
import { failure } from '../refusal';
import type { RecordContradiction } from './contradictions';

/** A record on the wire. */
export type View = Readonly<Record<string, unknown>>;

/** The ages of a record when it is read, in ms. */
export interface RecordAges {
  /** Real time since it was created, first listed, and first listed as successful. */
  readonly age: number;
  readonly listedFor: number;
  readonly successfulFor: number;
  /** Business time since it was created. */
  readonly businessAge: number;
}

/** What the service lists instead of `view`; null to omit the record. */
export function misrepresent(contradiction: RecordContradiction, view: View, ages: RecordAges): View | null {
  switch (contradiction.kind) {
    case 'refused_then_successful':
    case 'refused_then_failed':
      if (ages.age < contradiction.delayMs) return asFailed(view, contradiction.detail);
      if (ages.age < contradiction.delayMs + contradiction.pendingMs) return asPending(view);
      return contradiction.kind === 'refused_then_failed' ? asFailed(view, contradiction.detail) : view;
    case 'refused_while_booking':
      return ages.age < contradiction.delayMs ? view : asFailed(view, contradiction.detail);
    case 'success_withdrawn':
      return ages.successfulFor < contradiction.delayMs ? view : asFailed(view, contradiction.detail);
    case 'vanishing':
      return ages.listedFor < contradiction.delayMs ? asPending(view) : null;
    case 'new_status':
      return ages.businessAge < contradiction.afterMinutes * 60_000 ? view : withResult(view, contradiction.word);
    case 'far_date':
      return { ...view, createdAt: contradiction.createdAt };
    case 'same_id':
    case 'unstorable_answer':
      return view;
  }
}

/** The response to the POST that created the record: a refusal, or a changed `view`. */
export function answerInstead(
  contradiction: RecordContradiction,
  view: View,
  idField: string,
): { readonly refused: Failure | View } | { readonly view: View } {
  switch (contradiction.kind) {
    case 'refused_then_successful':
    case 'refused_then_failed': {
      if (contradiction.named) return { refused: asFailed(view, contradiction.detail) };
      return { refused: failure({ detail: contradiction.detail, description: DESCRIPTION }) };
    }
    case 'far_date':
      return { view: { ...view, createdAt: contradiction.createdAt } };
    case 'unstorable_answer':
      return { view: unstorable(contradiction.variant, view, idField) };
    case 'refused_while_booking':
    case 'success_withdrawn':
    case 'vanishing':
    case 'new_status':
    case 'same_id':
      return { view };
  }
}

/** Whether the bank really refuses the record, regardless of the payer's wallet. */
export function isReallyRefused(contradictions: readonly RecordContradiction[]): boolean {
  return contradictions.some((one) => one.kind === 'refused_then_failed' || (one.kind === 'vanishing' && !one.books));
}

/** Whether the record is really booked, regardless of the payer's wallet. */
export function isReallyBooked(contradictions: readonly RecordContradiction[]): boolean {
  return contradictions.some((one) => BOOKED.includes(one.kind) || (one.kind === 'vanishing' && one.books));
}

const BOOKED: readonly RecordContradiction['kind'][] = ['refused_then_successful', 'refused_while_booking'];

const DESCRIPTION = "The payer's bank rejected the payment. Contact the payer before retrying.";
const LONGER_THAN_ANY_ID = 10_000;

function unstorable(variant: 'date' | 'nul_id' | 'long_id' | 'no_id', view: View, idField: string): View {
  const id = String(view[idField]);
  switch (variant) {
    case 'date':
      return { ...view, createdAt: '9999-12-31T23:59:59.999-23:59' };
    case 'nul_id':
      return { ...view, [idField]: `${id}\u0000` };
    case 'long_id':
      return { ...view, [idField]: id.padEnd(LONGER_THAN_ANY_ID, 'x') };
    case 'no_id':
      return without(view, [idField]);
  }
}

function withResult(view: View, word: string): View {
  return { ...without(view, ['result', 'detail', 'description']), status: { result: word } };
}

function without(view: View, fields: readonly string[]): View {
  return Object.fromEntries(Object.entries(view).filter(([name]) => !fields.includes(name)));
}

function asPending(view: View): View {
  return withResult(view, 'pending');
}

function asFailed(view: View, detail: string): View {
  return { ...withResult(view, 'failed'), result: 'FAILED', detail, description: DESCRIPTION };
}
