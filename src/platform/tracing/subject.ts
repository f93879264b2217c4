import { createHash } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';

/** What a piece of work concerns, as far as that is known. Ids and numbers alone: spans and logs carry them. */
export interface Subject {
  readonly subscriptionId?: string;
  /** 0 for the first. */
  readonly cycle?: number;
  /** Of that cycle: 0 for the first, then its retries. */
  readonly attempt?: number;
  readonly paymentId?: string;
}

/** What the input of an activity, or of a message to a workflow, names. */
export function subjectOf(input: unknown): Subject {
  if (typeof input !== 'object' || input === null) return {};
  const { subscriptionId, paymentId, cycle, attempt } = input as Readonly<Record<string, unknown>>;
  // A change of the ledger names its cycle within what it writes of it.
  const number = typeof cycle === 'object' && cycle !== null && 'cycle' in cycle ? cycle.cycle : cycle;
  return {
    ...(typeof subscriptionId === 'string' ? { subscriptionId } : {}),
    ...(typeof number === 'number' ? { cycle: number } : {}),
    ...(typeof attempt === 'number' ? { attempt } : {}),
    ...(typeof paymentId === 'string' ? { paymentId } : {}),
  };
}

/** How the attributes of a span name it. */
export function attributesOf({ subscriptionId, cycle, attempt, paymentId }: Subject): Attributes {
  return {
    ...(subscriptionId === undefined ? {} : { 'dueday.subscription_id': subscriptionId }),
    ...(cycle === undefined ? {} : { 'dueday.cycle': cycle }),
    ...(attempt === undefined ? {} : { 'dueday.attempt': attempt }),
    ...(paymentId === undefined ? {} : { 'dueday.payment_id': paymentId }),
  };
}

export interface TraceIds {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits; of no span: what links to the trace needs one. */
  readonly spanId: string;
}

/**
 * The trace of a cycle, else of its subscription, else of a one-time payment: the same in every process and for as long as
 * it lasts, as it follows from the ids alone. Null where the work concerns none.
 */
export function traceIdsOf(subject: Subject): TraceIds | null {
  const name = nameOf(subject);
  if (name === null) return null;
  const digits = createHash('sha256').update(name).digest('hex');
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48) };
}

function nameOf({ subscriptionId, cycle, paymentId }: Subject): string | null {
  if (subscriptionId !== undefined)
    return cycle === undefined ? `subscription/${subscriptionId}` : `subscription/${subscriptionId}/${cycle}`;
  return paymentId === undefined ? null : `payment/${paymentId}`;
}
