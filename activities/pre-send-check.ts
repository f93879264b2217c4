import {
  type Incomplete,
  isRefusedState,
  type KnownRecord,
  revived,
  revivedByCapture,
  strayCapture,
  successfulButListedFailed,
  whyIncomplete,
} from '../src/domain/evidence';
import { type Listed, recordsNotOurs, whyClocksDiffer } from '../src/domain/send';
import { type ServiceResult, unknown } from '../src/payment-service';
import { type Again, alert, type Sending } from './sending';
import { describe, retryAfter } from './stops';

/** What the service lists right now, held against the ledger (rules 16, 36 to 40). */
export type Check =
  /** Nothing that is listed stands in the way. Every id that was listed; why the clocks still forbid the POST. */
  | { readonly kind: 'clear'; readonly knownIds: readonly string[]; readonly clocksDiffer: string | null }
  /** Records that may be of it, and that the ledger lacks: they stop the POST. */
  | { readonly kind: 'unresolved'; readonly reason: string; readonly strangers: readonly Listed[] }
  /** A refused record of the ledger has come back to life: it stops the POST. */
  | { readonly kind: 'again'; readonly again: Again; readonly reason: string }
  /** No answer, or a list that proves no absence; `gap` says why. */
  | { readonly kind: 'unreadable'; readonly answer: ServiceResult<unknown>; readonly gap: Incomplete | null };

/** @param asksCaptures whether the captures are asked for too, as before every retry (rule 39) */
export async function checkBeforeSending(sending: Sending, asksCaptures: boolean): Promise<Check> {
  const { progress, list, since, reportFailedAgain } = sending;
  progress('pre-send check');
  const answer = await list();
  if (answer.kind !== 'accepted') return { kind: 'unreadable', answer, gap: null };
  const listed = answer.value;
  const known = await sending.known();
  const failedAgain = successfulButListedFailed(listed, known);
  if (failedAgain.length > 0) await reportFailedAgain?.(failedAgain);
  const [again] = revived(listed, [], known);
  if (again !== undefined) return foundAgain(again);
  const strangers = recordsNotOurs(listed, idsOf(known), since);
  if (strangers.length > 0) {
    const reason = `the service lists ${idsOf(strangers).join(', ')}, which the ledger lacks`;
    return { kind: 'unresolved', reason, strangers };
  }
  const gap = gapIn(sending, answer, known);
  if (gap !== null) return { kind: 'unreadable', answer: unknown(gap.reason), gap };
  // A debit that is booked after its refusal was listed shows as a capture alone.
  const mayHaveBooked = known.some(({ state }) => isRefusedState(state));
  const stray = asksCaptures || mayHaveBooked ? await checkCaptures(sending, known) : null;
  return stray ?? { kind: 'clear', knownIds: idsOf(listed), clocksDiffer: whyClocksDiffer(answer.clockLead) };
}

function foundAgain(again: Again): Extract<Check, { kind: 'again' }> {
  return { kind: 'again', again, reason: `the service shows ${again.known.id}, which it had refused, again` };
}

export function gapIn(
  { deps: { clock, settings } }: Sending,
  answer: Extract<ServiceResult<readonly Listed[]>, { kind: 'accepted' }>,
  known: readonly KnownRecord[],
): Incomplete | null {
  const { settle, listDays } = settings;
  return whyIncomplete(answer.value, answer.incomplete, known, {
    now: clock.now(),
    realNow: clock.realNow(),
    settle,
    listDays: listDays ?? null,
  });
}

/** A debit may show as a capture alone. Null if no capture stands in the way. */
export async function checkCaptures(
  { captures, since, progress }: Sending,
  known: readonly KnownRecord[],
): Promise<Exclude<Check, { kind: 'clear' }> | null> {
  if (captures === undefined) return null;
  progress('checking captures');
  const answer = await captures();
  if (answer.kind !== 'accepted') return { kind: 'unreadable', answer, gap: null };
  const stray = strayCapture(answer.value, known, since);
  if (stray === null) {
    if (answer.incomplete === undefined) return null;
    const gap = { reason: `the list of captures is incomplete: ${answer.incomplete}`, isLagging: false };
    return { kind: 'unreadable', answer: unknown(gap.reason), gap };
  }
  if (stray.kind === 'refused') return foundAgain(revivedByCapture(stray.known, stray.capture));
  const { captureId, authorizationId, status } = stray.capture;
  const reason = `the service has the ${status} capture ${captureId} of authorization ${authorizationId}, which no attempt explains`;
  return { kind: 'unresolved', reason, strangers: [] };
}

export function idsOf(records: readonly Pick<Listed, 'id'>[]): readonly string[] {
  return records.map(({ id }) => id);
}

/** Every id that was listed. @throws ApplicationFailure if the check permits nothing; operators are notified. */
export async function idsListed(
  sending: Sending,
  seen: Extract<Check, { kind: 'clear' | 'unreadable' }>,
): Promise<readonly string[]> {
  const { events, makes, later } = sending;
  if (seen.kind === 'unreadable') {
    const reason = describe(seen.answer);
    if (isAlertDue(sending, seen.gap)) await alert(sending, events.unreadable, { reason });
    throw later('service_unreadable', `${makes}s: ${reason}`, retryAfter(seen.answer));
  }
  if (seen.clocksDiffer !== null) {
    await alert(sending, events.clocksDiffer, { reason: seen.clocksDiffer });
    throw later('clocks_differ', seen.clocksDiffer);
  }
  return seen.knownIds;
}

/** A list that lags by less than the settle time alerts nobody, and an incomplete one only after two thirds of it (rule 39). */
export function isAlertDue({ age, deps: { settings } }: Sending, gap: Incomplete | null): boolean {
  if (gap === null) return true;
  return !gap.isLagging && age() >= (settings.settle * 2) / 3;
}
