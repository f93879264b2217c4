import type { Request } from '../contract/messages';
import type { RefusedAmount } from '../domain/subscription/amount';
import type { SubscriptionRecord } from '../ledger';
import type { Caller } from './caller';
import { Problem, stateConflict } from './problems';
import type { SteerOutcome } from './subscription-gateway';
import { isoOrNull, named } from './views/fields';

/** Who asks, and why, as the workflow and the trail take it. */
export function requestBy(caller: Caller, body: { readonly reason?: string | undefined } | null | undefined): Request {
  return { actor: caller.name, reason: body?.reason ?? null };
}

/** @throws Problem unless the workflow has done what was asked. */
export function requireDone(outcome: SteerOutcome, record: SubscriptionRecord): void {
  if (outcome.kind !== 'done') throw problemOf(outcome, record);
}

/** Why it was not done, as it is answered. */
export function problemOf(outcome: Exclude<SteerOutcome, { kind: 'done' }>, record: SubscriptionRecord): Problem {
  return outcome.kind === 'finished' ? refusedAsFinished(record) : problemOfRefusal(outcome);
}

/** The same of a workflow that has not ended. */
export function problemOfRefusal(outcome: Exclude<SteerOutcome, { kind: 'done' | 'finished' }>): Problem {
  switch (outcome.kind) {
    case 'conflict':
      return stateConflict(outcome.message);
    case 'invalid':
      return new Problem('invalid_request', outcome.message, { errors: [{ path: '', message: outcome.message }] });
    case 'limited':
      return new Problem('retry_not_allowed', outcome.message);
    case 'forbidden':
      return new Problem('amount_change_not_allowed', outcome.message, viewVerdict(outcome.verdict));
    case 'not_ready':
      return new Problem('not_ready', outcome.isRefused === true ? REFUSED_FOR_NOW : UNANSWERED);
  }
}

const UNANSWERED = 'No worker answered in time. The request may still be accepted: look before repeating.';
const REFUSED_FOR_NOW =
  'Temporal takes no more requests for this workflow at present. Nothing was done; repeat the request later.';

/** The rule, what would be allowed instead, and when (decisions 21). */
function viewVerdict({ rule, highestAllowed, allowedFrom, newConsentRequired }: RefusedAmount) {
  return { rule, highestAllowed, newConsentRequired, ...named('allowedFrom', isoOrNull(allowedFrom)) };
}

/** In terminal states nothing can be steered any more (decisions 23). */
export function refusedAsFinished(record: SubscriptionRecord): Problem {
  return stateConflict(`The subscription is ${record.status}; its story has ended.`);
}
