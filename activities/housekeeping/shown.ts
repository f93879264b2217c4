import type { ServiceResult } from '../../src/payment-service';
import { describe, retryAfter } from '../stops';

/** What the service shows of one kind of records of a payment. */
export type Records<T> = { readonly kind: 'listed'; readonly items: readonly T[] } | Unreadable;

/** No answer now. `away`: the service was not reached, or refuses all calls; else only this answer could not be read. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly reason: string;
  readonly away: boolean;
  /** Real ms that the service asked to be left alone. */
  readonly wait: number;
}

export const NONE = { kind: 'listed', items: [] } as const;

/** A payment that the service does not know has no records there. */
export async function askFor<T>(ask: () => Promise<ServiceResult<readonly T[]>>): Promise<Records<T>> {
  const answer = await ask();
  if (answer.kind === 'accepted') return { kind: 'listed', items: answer.value };
  if (answer.kind === 'rejected' && answer.failure.detail === 'NOT_FOUND') return NONE;
  return {
    kind: 'unreadable',
    reason: describe(answer),
    away: answer.kind === 'not_sent',
    wait: retryAfter(answer),
  };
}
