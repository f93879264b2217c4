import { createHash } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';

/** The subject of a piece of work, as far as known. Only ids and numbers, as spans and logs contain them. */
export interface Subject {
  readonly subscriptionId?: string;
  /** 0 for the first. */
  readonly cycle?: number;
  /** The attempt of that cycle: 0 for the first, then its retries. */
  readonly attempt?: number;
  readonly paymentId?: string;
}

/** The subject named in the input of an activity or of a message to a workflow. */
export function subjectOf(input: unknown): Subject {
  if (typeof input !== 'object' || input === null) return {};
  const { subscriptionId, paymentId, cycle, attempt } = input as Readonly<Record<string, unknown>>;
  // A change of the ledger contains its cycle as an object.
  const number = typeof cycle === 'object' && cycle !== null && 'cycle' in cycle ? cycle.cycle : cycle;
  return {
    ...(typeof subscriptionId === 'string' ? { subscriptionId } : {}),
    ...(typeof number === 'number' ? { cycle: number } : {}),
    ...(typeof attempt === 'number' ? { attempt } : {}),
    ...(typeof paymentId === 'string' ? { paymentId } : {}),
  };
}

/** The subject as attributes of a span. */
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
  /** 16 hexadecimal digits; belongs to no real span, but links to the trace need one. */
  readonly spanId: string;
}

/**
 * The trace of a cycle, else of its subscription, else of a one-time payment: always the same in every process, as it is derived
 * from the ids. Null without a subject.
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
