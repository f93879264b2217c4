import {
  type AcceptedDebit,
  type AttemptRecord,
  beginSendIfUnchanged,
  type Pool,
  recordAccepted,
  recordBooked,
  type Survey,
  surveyAttempt,
} from '../../src/ledger';
import { authorizationId, NOW, sendOf, type Subscribed } from './ledger-fixture';

/** Reads the facts of an attempt without a lock. */
export async function survey(pool: Pool, { subscriptionId }: Subscribed, attempt = 0): Promise<Survey> {
  const found = await surveyAttempt(pool, { subscriptionId, cycle: 0, attempt }, NOW);
  if (found === null) throw new Error('the ledger has no such subscription');
  return found;
}

const made = { authorizationId: authorizationId('aut_1'), createdAt: NOW };
export const BOOKED_AT = NOW + 1_000;

export function accept(pool: Pool, row: AttemptRecord): ReturnType<typeof recordAccepted> {
  const outcome = { state: 'pending', ...made } as const;
  return recordAccepted(pool, { row, outcome, at: BOOKED_AT, event: { type: 'attempt.pending', data: {} } });
}

export async function createAccepted(
  pool: Pool,
  given: Subscribed,
): Promise<AcceptedDebit & { readonly row: AttemptRecord }> {
  const row = await beginSendIfUnchanged(pool, sendOf(given), await survey(pool, given));
  const written = await accept(pool, row!);
  return { ...written!, row: written!.send };
}

export function book(
  pool: Pool,
  { row, ...judged }: Awaited<ReturnType<typeof createAccepted>>,
): ReturnType<typeof recordBooked> {
  const outcome = { state: 'successful', ...made, captureId: 'cap_1' as never, nextDueAt: null } as const;
  const event = { type: 'attempt.successful', data: {} } as const;
  return recordBooked(pool, { row, outcome, at: BOOKED_AT, event }, judged);
}
