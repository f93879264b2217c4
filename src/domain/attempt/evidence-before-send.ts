import {
  type Incomplete,
  isRefusedState,
  type KnownRecord,
  type Revived,
  revived,
  revivedByCapture,
  strayCapture,
  successfulButListedFailed,
  whyIncomplete,
} from '../evidence';
import { type Listed, recordsNotOurs } from '../send';
import { type Action, check } from './action';
import {
  type ListResult,
  type Attempt,
  type Facts,
  isDebit,
  type ServiceRecord,
  type ServiceCapture,
  type Unreadable,
} from './attempt';
import { later } from './waits';

/** What the service lists now, compared with the ledger (rules 16, 36 to 40). */
export type Evidence =
  /** A fact must be requested first. */
  | { readonly kind: 'missing'; readonly action: Action }
  /** Nothing in the list prevents a POST. `knownIds` are all listed ids. */
  | { readonly kind: 'clear'; readonly knownIds: readonly string[]; readonly clockLead: number | undefined }
  /** Records that may belong to this attempt and that the ledger lacks: they prevent a POST. */
  | { readonly kind: 'stranger'; readonly reason: string; readonly records: readonly Listed[] }
  /** A refused record of the ledger is listed as live again: it prevents a POST. */
  | { readonly kind: 'again'; readonly again: Revived<KnownRecord>; readonly reason: string }
  /** No readable answer (`gap` is null), or a list that proves no absence, because of its `gap`. */
  | (Unreadable & { readonly gap: Incomplete | null });

/** Compares the service's list with the ledger. A debit may appear only as a capture: after a refusal, captures are read too (rule 39). */
export function evidenceBeforeSend(attempt: Attempt, facts: Facts): Evidence {
  const { list, own } = facts;
  if (list === null) return missing(check('list'));
  if (list.kind === 'unreadable') return { ...list, gap: null };
  // Read after the list, so that the known records include what another worker has sent meanwhile.
  if (own === null) return missing(check('own'));
  if (own.isOtherUnknown) return missing(later(attempt, facts, 'blocked', OTHER_UNKNOWN));
  return (
    failedAgain(attempt, facts, list.records, own.known) ??
    listedAgain(list.records, own.known) ??
    strangers(list.records, own.known, sinceOf(attempt, facts)) ??
    gapIn(list, own.known, facts) ??
    strayOf(attempt, facts, own.known) ?? { kind: 'clear', knownIds: idsOf(list.records), clockLead: list.clockLead }
  );
}

export const OTHER_UNKNOWN = 'another order of this payment has an unknown outcome';

function missing(action: Action): Evidence {
  return { kind: 'missing', action };
}

/** The earliest creation time of a record that may belong to the attempt. */
export function sinceOf({ since }: Attempt, { ledger }: Facts): number {
  return ledger?.since ?? since;
}

export function idsOf(records: readonly Pick<Listed, 'id'>[]): readonly string[] {
  return records.map(({ id }) => id);
}

/** A successful debit never becomes failed: its captures have decided its outcome, and an operator is notified (rule 37). */
function failedAgain(
  attempt: Attempt,
  { done }: Facts,
  listed: readonly ServiceRecord[],
  known: readonly KnownRecord[],
): Evidence | null {
  if (!isDebit(attempt) || done.has('failed_again')) return null;
  const found = successfulButListedFailed(listed, known);
  return found.length === 0 ? null : missing({ kind: 'side_effect', sideEffect: { kind: 'failed_again', found } });
}

function listedAgain(listed: readonly ServiceRecord[], known: readonly KnownRecord[]): Evidence | null {
  const [again] = revived(listed, [], known);
  return again === undefined ? null : foundAgain(again);
}

function foundAgain(again: Revived<KnownRecord>): Extract<Evidence, { kind: 'again' }> {
  return { kind: 'again', again, reason: `the service shows ${again.known.id}, which it had refused, as live again` };
}

function strangers(listed: readonly ServiceRecord[], known: readonly KnownRecord[], since: number): Evidence | null {
  const records = recordsNotOurs(listed, idsOf(known), since);
  if (records.length === 0) return null;
  return {
    kind: 'stranger',
    reason: `the service lists ${idsOf(records).join(', ')}, which the ledger lacks`,
    records,
  };
}

/** Why it proves nothing that this list lacks a record; null if the list is complete. */
export function gapIn(
  { records, incomplete }: Extract<ListResult<ServiceRecord>, { kind: 'listed' }>,
  known: readonly KnownRecord[],
  { now, realNow, settle, listDays }: Facts,
): Extract<Evidence, { kind: 'unreadable' }> | null {
  const gap = whyIncomplete(records, incomplete, known, { now, realNow, settle, listDays });
  return gap === null ? null : { kind: 'unreadable', why: gap.reason, retryAfter: 0, gap };
}

function strayOf(attempt: Attempt, facts: Facts, known: readonly KnownRecord[]): Evidence | null {
  // A debit that is booked after its refusal was listed appears only as a capture.
  const isAsked = attempt.isRetry || known.some(({ state }) => isRefusedState(state));
  return isAsked ? evidenceOfCaptures(attempt, facts, known) : null;
}

/** What the captures show that prevents a POST of a debit; null if nothing. */
export function evidenceOfCaptures(
  attempt: Attempt,
  facts: Facts,
  known: readonly KnownRecord[],
): Exclude<Evidence, { kind: 'clear' }> | null {
  if (!isDebit(attempt)) return null;
  const { captures } = facts;
  if (captures === null) return { kind: 'missing', action: { kind: 'check_captures', authorizationId: null } };
  if (captures.kind === 'unreadable') return { ...captures, gap: null };
  const stray = strayCapture(captures.records, known, sinceOf(attempt, facts));
  if (stray === null) return incompleteCaptures(captures);
  if (stray.kind === 'refused') return foundAgain(revivedByCapture(stray.known, stray.capture));
  const { captureId, authorizationId, status } = stray.capture;
  const reason = `the service has the ${status} capture ${captureId} of authorization ${authorizationId}, which matches no attempt`;
  return { kind: 'stranger', reason, records: [] };
}

function incompleteCaptures({
  incomplete,
}: Extract<ListResult<ServiceCapture>, { kind: 'listed' }>): Extract<Evidence, { kind: 'unreadable' }> | null {
  if (incomplete === undefined) return null;
  const gap = { reason: `the list of captures is incomplete: ${incomplete}`, isLagging: false };
  return { kind: 'unreadable', why: gap.reason, retryAfter: 0, gap };
}
