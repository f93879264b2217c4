import type { PaymentRef } from '../../src/contract/activities';
import { revived } from '../../src/domain/evidence';
import type { Instant } from '../../src/domain/time';
import {
  type AdoptionTerms,
  type AttemptRecord,
  endListItem,
  knownAuthorizations,
  openContradiction,
  openListItem,
  recordObservation,
  refuseAgain,
  reopenedOf,
} from '../../src/ledger';
import type { Authorization, Capture } from '../../src/payment-service';
import { type Check, isAlertDue } from '../pre-send-check';
import type { Again } from '../sending';
import { describe } from '../stops';
import { type Collecting, type Following, listed, MOVED, type Phase, recordAttempt, reopenRefused } from './attempt';
import { outcomeOfBooking, outcomeOfRefusal } from './bookings';

/**
 * What the service says against itself. Of two readings the one that moves no money wins, and an operator is notified (rules 36 to
 * 39).
 */

/**
 * A refused authorization has come back to life. One of this cycle is followed before anything else of it; of another cycle the
 * workflow follows it beside, as one that is pending past its window.
 */
export async function comesAgain(collecting: Collecting, again: Again): Promise<Phase> {
  const { deps, input } = collecting;
  await reopenRefused(collecting, again);
  const row = (await knownAuthorizations(deps.ledger, input.paymentId)).find(
    ({ id, state }) => id === again.known.id && state === 'pending',
  );
  if (row === undefined || row.cycle === input.cycle) return MOVED;
  const { cycle, attempt, amount } = row;
  return { kind: 'reopened', cycle, attempt, amount };
}

/** Opens the item of a list that has been incomplete for long, and ends it with the first whole one (rule 39). */
export async function followList(
  collecting: Collecting,
  seen: Extract<Check, { kind: 'clear' | 'unreadable' }>,
  { hasListItem }: AdoptionTerms,
): Promise<void> {
  const { deps, input } = collecting;
  if (seen.kind === 'clear') {
    if (hasListItem) await endListItem(deps.ledger, input);
    return;
  }
  const { gap } = seen;
  if (gap === null || hasListItem || !isAlertDue(collecting, gap)) return;
  await openListItem(deps.ledger, { ...input, reason: gap.reason, at: deps.clock.now() });
}

/** Earlier attempts of the cycle that are listed again, while a later one is polled: they are followed after it. */
export async function reopenEarlier(collecting: Collecting, shown: readonly Authorization[]): Promise<void> {
  const { deps, input } = collecting;
  if (input.attempt === 0) return;
  const known = (await knownAuthorizations(deps.ledger, input.paymentId)).filter(({ cycle }) => cycle === input.cycle);
  for (const again of revived(shown.map(listed), [], known)) await reopenRefused(collecting, again);
}

/** What a refusal that a list shows comes to: it is believed only if no capture of it is pending or successful (rule 37). */
export type Refusal =
  | { readonly kind: 'settled' }
  /** Real ms until the next poll says more, if that is known. */
  | { readonly kind: 'open'; readonly why: string; readonly until?: number };

export async function judgeRefusal(
  following: Following,
  row: AttemptRecord,
  authorization: Authorization,
): Promise<Refusal> {
  const { deps, input, progress } = following;
  const { authorizationId, status } = authorization;
  progress('checking captures', { authorizationId });
  const answer = await deps.service.listCaptures(input.paymentId, authorizationId);
  if (answer.kind !== 'accepted') return { kind: 'open', why: `its refusal is not confirmed: ${describe(answer)}` };
  const captures = answer.value.filter((each) => each.authorizationId === authorizationId);
  if (row.authorized) return failedAgain(following, row, authorization, captures);
  if (captures.some((each) => each.status === 'successful')) {
    return capturedThoughRefused(following, row, authorization, captures);
  }
  const isUnderWay = captures.some((each) => each.status === 'pending');
  if (isUnderWay || answer.incomplete !== undefined) {
    return { kind: 'open', why: `the service says ${status}, and its captures are not final` };
  }
  if (row.refusedAs === null) await recordAttempt(following, row, outcomeOfRefusal(authorization));
  else await refuseAgain(deps.ledger, row, deps.clock.now());
  return { kind: 'settled' };
}

/** What was once successful never becomes failed: the captures decide, and an operator hears of it at once. */
async function failedAgain(
  following: Following,
  row: AttemptRecord,
  authorization: Authorization,
  captures: readonly Capture[],
): Promise<Refusal> {
  const { authorizationId, status } = authorization;
  const contradiction = `${authorizationId} was successful, and the service lists it as ${status} now: its captures decide.`;
  const outcome = outcomeOfBooking(authorization, captures, nextDueAtOf(following));
  if (outcome !== null) {
    await recordAttempt(following, row, { ...outcome, contradiction });
    return { kind: 'settled' };
  }
  const { deps } = following;
  const { subscriptionId, paymentId, cycle, amount } = row;
  await openContradiction(
    deps.ledger,
    {
      ...{ subscriptionId, paymentId, cycle, amount, authorizationId },
      ledger: { state: 'successful', at: row.at },
      service: { state: status, at: authorization.createdAt },
      detail: contradiction,
    },
    deps.clock.now(),
  );
  return { kind: 'open', why: `the service said successful and now ${status}; its capture is not final` };
}

/** Seen twice over the settle time, it counts as collected. */
async function capturedThoughRefused(
  following: Following,
  row: AttemptRecord,
  authorization: Authorization,
  captures: readonly Capture[],
): Promise<Refusal> {
  const { deps } = following;
  const { authorizationId, status } = authorization;
  const why = `the service says ${status}, and has a successful capture of it`;
  const { settle } = deps.settings;
  const now = deps.clock.realNow();
  const since = row.contradictedSinceReal;
  if (since === null) {
    await recordObservation(deps.ledger, row, { contradictedSinceReal: now });
    return { kind: 'open', why, until: settle };
  }
  if (now - since < settle) return { kind: 'open', why, until: since + settle - now };
  const outcome = outcomeOfBooking(authorization, captures, nextDueAtOf(following));
  if (outcome === null) return { kind: 'open', why };
  const contradiction = `${authorizationId} is ${status}, and the service has a successful capture of it: it was collected.`;
  await recordAttempt(following, row, { ...outcome, contradiction });
  return { kind: 'settled' };
}

/** For the subscription's next due date; later cycles have moved it past one that is followed beside them. */
export function nextDueAtOf({ input }: Following): Instant | null | undefined {
  return input.parked ? undefined : input.nextDueAt;
}

/** What has become of an attempt that was listed again is asked once, and waits for nothing. */
export async function settleBeside(following: Following, row: AttemptRecord): Promise<void> {
  const { deps, input } = following;
  const answer = await deps.service.listAuthorizations(input.paymentId);
  if (answer.kind !== 'accepted') return;
  const authorization = answer.value.find((each) => each.authorizationId === row.authorizationId);
  switch (authorization?.status) {
    case 'pending':
      return;
    case 'failed':
    case 'released':
    case 'expired':
      await judgeRefusal(following, row, authorization);
      return;
    case 'successful':
    case undefined:
      // A list may lag, or be cut: then a capture may say more.
      await settleByCaptures(following, row, authorization?.createdAt);
  }
}

async function settleByCaptures(following: Following, row: AttemptRecord, listedAs?: Instant): Promise<void> {
  const { authorizationId } = row;
  if (authorizationId === null) return;
  const captures = await following.deps.service.listCaptures(row.paymentId, authorizationId);
  if (captures.kind !== 'accepted') return;
  const createdAt = listedAs ?? row.authorizationCreatedAt ?? row.at;
  const outcome = outcomeOfBooking({ authorizationId, createdAt }, captures.value, undefined);
  if (outcome !== null) await recordAttempt(following, row, outcome);
}

/**
 * Follows what was refused and is listed, or captured, after all, as the check before a POST does (rule 36): it is open in the ledger
 * from here on, and settled as far as the service says. What is still pending is asked for again each day.
 * @param shown by the service
 */
export async function followRefused(
  { deps, progress, memory }: Pick<Following, 'deps' | 'progress' | 'memory'>,
  payment: PaymentRef,
  {
    authorizations,
    captures,
  }: { readonly authorizations: readonly Authorization[]; readonly captures: readonly Capture[] },
): Promise<void> {
  // Later cycles have moved the next due date.
  const following = (cycle: number): Following => {
    return { deps, progress, memory, input: { ...payment, cycle, parked: true, nextDueAt: null }, written: null };
  };
  const known = await knownAuthorizations(deps.ledger, payment.paymentId);
  for (const again of revived(authorizations.map(listed), captures, known)) {
    await reopenRefused(following(again.known.cycle), again, false);
  }
  for (const row of await reopenedOf(deps.ledger, payment.paymentId)) await settleBeside(following(row.cycle), row);
}
