import { CLOCK_SKEW, type Listed, type SendState } from './send';
import { DAY, type Instant } from './time';

/**
 * How evidence from the service is weighed (rules 36 to 41). Its list is only one source; its answers, its captures and the
 * ledger's own rows are others. If the sources disagree, the reading that moves no money wins.
 */

/** A record of the service that the ledger has, with what is needed to check a list against it. */
export interface KnownRecord {
  readonly id: string;
  /** The state of its send. */
  readonly state: SendState;
  /** The service's createdAt; null if it is not known. */
  readonly createdAt: Instant | null;
  /** Real time at which the service reported it as pending or successful; null if it never did. */
  readonly reportedRealAt: number | null;
  /** Whether an operator has determined the outcome in place of the service. */
  readonly isFoundByOperator: boolean;
  /** Real time since which lists have lacked the pending record; null if they show it. */
  readonly unlistedSinceReal: number | null;
  /** The capture of a successful authorization; null or omitted if none is known. */
  readonly captureId?: string | null;
}

/** The time at which a list is checked, and the settings. */
export interface ListJudging {
  /** Business time. */
  readonly now: Instant;
  readonly realNow: number;
  /** The settle time, real ms. */
  readonly settle: number;
  /** How many days back the service lists; null if it lists everything. */
  readonly listDays: number | null;
}

/** Why a record that is missing from a list proves nothing. */
export interface Incomplete {
  readonly reason: string;
  /** The service reported the missing record less than the settle time ago: the list may only lag, which is no reason for an alert. */
  readonly isLagging: boolean;
}

/** States of sends whose last report by the service was pending or successful. */
const REPORTED: readonly SendState[] = ['pending', 'successful', 'capture_failed'];

const REFUSED: readonly SendState[] = ['rejected', 'rejected_retryable', 'failed'];

const MOVES_MONEY: readonly string[] = ['pending', 'successful'];

export function isRefusedState(state: SendState): boolean {
  return REFUSED.includes(state);
}

/**
 * Why a list is incomplete (rule 39): it says so itself, or it lacks the newest record that the service has reported as
 * pending or successful. A record may be missing if an item `unlisted` is open for it, if it is older than the lists
 * cover, or if only an operator has found it.
 * @param incomplete why the list itself says that it is incomplete
 */
export function whyIncomplete(
  listed: readonly Listed[],
  incomplete: string | undefined,
  known: readonly KnownRecord[],
  judging: ListJudging,
): Incomplete | null {
  if (incomplete !== undefined) return { reason: `the list is incomplete: ${incomplete}`, isLagging: false };
  const newest = newestReported(known, judging);
  if (newest === null || listed.some(({ id }) => id === newest.id)) return null;
  const { reportedRealAt } = newest;
  const isLagging = reportedRealAt !== null && judging.realNow - reportedRealAt < judging.settle;
  const asReported = newest.state === 'pending' ? 'pending' : 'successful';
  return { reason: `the list lacks ${newest.id}, which the service has reported as ${asReported}`, isLagging };
}

function newestReported(known: readonly KnownRecord[], judging: ListJudging): KnownRecord | null {
  const expected = known.filter(
    (each) =>
      REPORTED.includes(each.state) &&
      // A record that an operator has found may be in no list of the service.
      !each.isFoundByOperator &&
      !isHandedOver(each, judging) &&
      !isBeyondLists(each, judging),
  );
  const [first, ...rest] = expected;
  if (first === undefined) return null;
  return rest.reduce((newest, each) => (madeAt(each) > madeAt(newest) ? each : newest), first);
}

function madeAt({ createdAt, reportedRealAt }: KnownRecord): number {
  return createdAt ?? reportedRealAt ?? 0;
}

/** Whether a pending record has been missing from lists for the settle time: an operator then has the item `unlisted` (rule 41). */
export function isHandedOver(
  { unlistedSinceReal }: Pick<KnownRecord, 'unlistedSinceReal'>,
  { realNow, settle }: Pick<ListJudging, 'realNow' | 'settle'>,
): boolean {
  return unlistedSinceReal !== null && realNow - unlistedSinceReal >= settle;
}

function isBeyondLists({ createdAt }: KnownRecord, { now, listDays }: ListJudging): boolean {
  return listDays !== null && createdAt !== null && createdAt < now - listDays * DAY;
}

/** A record of ours: its ids and the state of its send. */
type KnownSend = Pick<KnownRecord, 'id' | 'state' | 'captureId'>;

/** A listed record and its status. */
type ListedStatus = Pick<Listed, 'id' | 'status' | 'unknownStatus'>;

/** A record of ours, and the contradicting record in the service's list. */
export interface Contradicted<K extends KnownSend, L extends Pick<Listed, 'id' | 'status'>> {
  readonly known: K;
  readonly listed: L;
}

/**
 * Refused records that the service lists as pending or successful (rule 36). A missing record means nothing, and neither does
 * an unknown status (rule 41). If a later send has the same record, the record belongs to the later send.
 */
export function refusedButListed<K extends KnownSend, L extends ListedStatus>(
  listed: readonly L[],
  known: readonly K[],
): readonly Contradicted<K, L>[] {
  const live = new Set(known.filter(({ state }) => !isRefusedState(state)).map(({ id }) => id));
  const refused = known.filter(({ id, state }) => isRefusedState(state) && !live.has(id));
  return pairsOf(listed, refused).filter(
    ({ listed: { status, unknownStatus } }) => unknownStatus === undefined && MOVES_MONEY.includes(status),
  );
}

/** Successful records that the service now lists as failed: a successful debit never becomes failed (rule 37). */
export function successfulButListedFailed<K extends KnownRecord, L extends Listed>(
  listed: readonly L[],
  known: readonly K[],
): readonly Contradicted<K, L>[] {
  const won = known.filter(({ state }) => state === 'successful');
  return pairsOf(listed, won).filter(({ listed: { status } }) => !MOVES_MONEY.includes(status));
}

function pairsOf<K extends KnownSend, L extends Pick<Listed, 'id' | 'status'>>(
  listed: readonly L[],
  known: readonly K[],
): readonly Contradicted<K, L>[] {
  const byId = new Map(listed.map((each) => [each.id, each]));
  return known.flatMap((each) => {
    const found = byId.get(each.id);
    return found === undefined ? [] : [{ known: each, listed: found }];
  });
}

/** A listed capture, which may be a debit that no attempt explains. */
export interface ListedCapture {
  readonly captureId: string;
  readonly authorizationId: string;
  readonly status: string;
  readonly createdAt: Instant;
}

/**
 * A debit, made or pending, that no attempt explains: the ledger lacks its authorization, has it as refused, or has
 * another capture for it (rule 39).
 */
export type StrayCapture<K extends KnownSend> =
  | { readonly kind: 'refused'; readonly capture: ListedCapture; readonly known: K }
  | { readonly kind: 'unknown'; readonly capture: ListedCapture };

/**
 * The first capture that prevents a POST: it is pending or successful, and (a) the ledger has its authorization as refused, or (b)
 * it was created at or after `since` (less the clock skew), and the ledger lacks its authorization or has another capture for it.
 */
export function strayCapture<K extends KnownSend>(
  captures: readonly ListedCapture[],
  known: readonly K[],
  since: Instant,
): StrayCapture<K> | null {
  for (const capture of captures.filter(({ status }) => MOVES_MONEY.includes(status))) {
    const ours = known.filter(({ id }) => id === capture.authorizationId);
    const live = ours.filter(({ state }) => !isRefusedState(state));
    if (live.length > 0 && live.every(({ captureId }) => captureId == null || captureId === capture.captureId))
      continue;
    const [refused] = live.length > 0 ? [] : ours;
    if (refused !== undefined) return { kind: 'refused', capture, known: refused };
    if (capture.createdAt >= since - CLOCK_SKEW) return { kind: 'unknown', capture };
  }
  return null;
}

/** A refused record of ours that the service lists or captures after all. */
export interface Revived<K extends KnownSend> {
  readonly known: K;
  /** What the service shows of it, for the audit log. */
  readonly found: { readonly status: string; readonly captureId?: string };
  /** Whether a successful capture of the record was seen. */
  readonly isCaptured: boolean;
}

/** All refused records that a list of authorizations or a list of captures shows as live (rule 36). */
export function revived<K extends KnownSend>(
  listed: readonly ListedStatus[],
  captures: readonly ListedCapture[],
  known: readonly K[],
): readonly Revived<K>[] {
  const again = refusedButListed(listed, known).map(({ known: refused, listed: { status } }): Revived<K> => {
    return { known: refused, found: { status }, isCaptured: false };
  });
  const captured = captures.flatMap((capture) => {
    // Captures of authorizations that the ledger lacks are not considered here.
    const stray = strayCapture([capture], known, Infinity);
    return stray?.kind === 'refused' ? [revivedByCapture(stray.known, capture)] : [];
  });
  return [...again, ...captured];
}

export function revivedByCapture<K extends KnownSend>(known: K, { captureId, status }: ListedCapture): Revived<K> {
  return { known, found: { captureId, status }, isCaptured: status === 'successful' };
}
