import type { Request } from '../contract/messages';
import type { SubscriptionRecord } from '../ledger';
import type { Caller } from './caller';
import { Problem, stateConflict } from './problems';
import type { SteerOutcome } from './subscription-gateway';

/** Who asks, and why, as the workflow and the trail take it. */
export function requestBy(caller: Caller, body: { readonly reason?: string | undefined } | null | undefined): Request {
  return { actor: caller.name, reason: body?.reason ?? null };
}

/** @throws Problem unless the workflow has done what was asked. */
export function requireDone(outcome: SteerOutcome, record: SubscriptionRecord): void {
  switch (outcome.kind) {
    case 'done':
      return;
    case 'conflict':
      throw stateConflict(outcome.message);
    case 'invalid':
      throw new Problem('invalid_request', outcome.message, { errors: [{ path: '', message: outcome.message }] });
    case 'limited':
      throw new Problem('retry_not_allowed', outcome.message);
    case 'finished':
      throw refusedAsFinished(record);
    case 'not_ready':
      throw new Problem(
        'not_ready',
        'No worker answered in time. The request may still be accepted: look before repeating.',
      );
  }
}

/** In terminal states nothing can be steered any more (decisions 23). */
export function refusedAsFinished(record: SubscriptionRecord): Problem {
  return stateConflict(`The subscription is ${record.status}; its story has ended.`);
}
