import type { ServiceResult } from '../src/payment-service';

/** A result in words, without secrets: the client's reasons hold none. */
export function describe(result: ServiceResult<unknown>): string {
  switch (result.kind) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return `refused with ${result.failure.detail}`;
    case 'not_sent':
    case 'unknown':
      return result.reason;
  }
}

/** Real ms that the service asked to be left alone; 0 where it did not say. */
export function retryAfter(result: ServiceResult<unknown>): number {
  return result.kind === 'not_sent' ? (result.retryAfterMs ?? 0) : 0;
}
