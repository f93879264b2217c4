import { Problem } from './problems';
import type { CreateOutcome } from './subscription-gateway';

/** What is said of the thing that was to be created. */
export interface CreationProblems {
  /** It is there already, or somebody else is creating it. */
  readonly exists: () => Problem;
  /** It may still be created. */
  readonly notReady: () => Problem;
}

/** @throws Problem unless it was created. */
export function requireCreated(outcome: CreateOutcome, problems: CreationProblems): void {
  switch (outcome.kind) {
    case 'created':
      return;
    case 'exists':
      throw problems.exists();
    case 'refused':
      throw refusedByService(outcome.detail, outcome.description);
    case 'unavailable':
      throw new Problem('payment_service_unavailable', 'Nothing is left of this request; it may be repeated.');
    case 'not_ready':
      throw problems.notReady();
  }
}

/** A refusal by the payment service, in its own words. */
function refusedByService(detail: string, description: string): Problem {
  const message = `the payment service refused it (${detail}): ${description}`;
  return new Problem('invalid_request', `The payment service refused: ${description}`, {
    errors: [{ path: '', message }],
  });
}
