import { ApplicationFailure, rootCause, TemporalFailure } from '@temporalio/common';
import { isCancellation } from '@temporalio/workflow';
import type { SubscriptionContext } from './subscription-context';

/** What a signal asks of a subscription, as the trail names it. */
type Asked = 'cancel' | 'check_consent';

/**
 * Does what a signal asks. Nobody waits for an answer to a signal, and a failure in its handler would fail the whole
 * workflow: what cannot be done is left in the trail, and the subscription goes on.
 */
export async function heed(context: SubscriptionContext, request: Asked, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    const message = rootCause(error) ?? error.message;
    await context.record({ events: [{ type: 'request.refused', data: { request, code: codeOf(error), message } }] });
  }
}

/** A refusal's own code, or the type of the failure behind an activity's. */
function codeOf(error: TemporalFailure): string {
  const failure = error instanceof ApplicationFailure ? error : error.cause;
  return (failure instanceof ApplicationFailure ? failure.type : null) ?? 'fault';
}
