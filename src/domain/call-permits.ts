import { SECOND } from './time';

/*
 * Rate limiting of calls to the service across processes. A cap of 100 calls a second means 100 permits. A call leaves
 * no sooner than a second after the previous call with the same permit has arrived, so that no second has more calls
 * than there are permits. A call leaves with its first byte: the time it takes to connect does not count. Each permit
 * belongs to one of the processes that share the calls. A process that has read the rows of the leases knows which
 * permits are its own, so that individual calls need no agreement.
 *
 * Two processes that read the leases at different moments still agree, because a change counts only once every process must
 * have seen it. A process calls only up to VALID_FOR after its read. A new process counts once every read from before it joined
 * has expired. A process that dies counts for as long as it could still have renewed, and then until every read made in that
 * time has expired. A process that renews too late takes a new lease, because some processes would still count the old one and
 * others not. Half a second is left for a commit to be seen. A permit that changes hands rests until the last call of its
 * previous owner has arrived, and then for one interval.
 */

/** Real ms. */
export const RENEW_EVERY = SECOND;
/** For how long a read of the leases determines the owner of each permit. Real ms. */
export const VALID_FOR = 3 * SECOND;
/** A lease that was not renewed for this long is never renewed again: its process takes a new one. Real ms. */
export const LATE_AFTER = 2.5 * SECOND;
/** The maximum time from a call's first byte to its arrival; its connection is already open. Real ms. */
export const ARRIVES_WITHIN = 80;
/** The maximum difference between two processes' estimates of PostgreSQL's clock. Real ms. */
const CLOCKS_WITHIN = 100;
const NEWCOMER_WAITS = VALID_FOR + SECOND / 2;
const DEAD_AFTER = LATE_AFTER + NEWCOMER_WAITS;
/** If there are fewer permits than processes, the permits pass to other processes after this many rest periods. */
const HANDED_ON_EVERY = 4;

/** A lease of a share of the calls. Real time by PostgreSQL's clock, epoch ms. */
export interface Lease {
  readonly id: string;
  readonly joinedAt: number;
  readonly renewedAt: number;
}

/** At most `count` calls in any `interval`, in real ms. */
export interface Permits {
  readonly count: number;
  readonly interval: number;
}

/**
 * The permits for a cap: as many per second as the cap, rounded down, or one in a longer interval if the cap is below one call per
 * second.
 * @param cap calls per second, above 0
 */
export function permitsOf(cap: number): Permits {
  return { count: Math.max(1, Math.floor(cap)), interval: Math.max(1, 1 / cap) * SECOND };
}

/** The permits of a process, numbered from 0, and the instant until which it has exactly these. */
export interface OwnPermits {
  readonly permits: readonly number[];
  readonly until: number;
}

/**
 * The permits with which a process may call at an instant: no other process has used them recently.
 * @param id the id of its lease
 */
export function ownPermits(permits: Permits, leases: readonly Lease[], id: string, at: number): OwnPermits {
  const rest = permits.interval + ARRIVES_WITHIN + CLOCKS_WITHIN;
  const handedOnEvery = Math.ceil(HANDED_ON_EVERY * rest);
  const handedOn = Math.floor(at / handedOnEvery) * handedOnEvery;
  const changes = [
    ...leases.flatMap(({ joinedAt, renewedAt }) => [joinedAt + NEWCOMER_WAITS, renewedAt + DEAD_AFTER]),
    handedOn,
    handedOn + handedOnEvery,
  ];
  const ownersSince = (since: number) => {
    const sharers = sharersAt(leases, since);
    const first = sharers.length <= permits.count ? 0 : Math.floor(since / handedOnEvery) * permits.count;
    return (permit: number) => sharers[(first + permit) % sharers.length];
  };
  const lately = [at - rest, ...changes.filter((change) => at - rest < change && change <= at)].map(ownersSince);
  const ownerOf = ownersSince(at);
  const isFree = (permit: number) => lately.every((ownerThen) => (ownerThen(permit) ?? id) === id);
  const all = Array.from({ length: permits.count }, (_, permit) => permit);
  return {
    permits: all.filter((permit) => ownerOf(permit) === id && isFree(permit)),
    until: Math.min(...changes.flatMap((change) => [change, change + rest]).filter((instant) => instant > at)),
  };
}

/** The leases that are valid at an instant, in an order that is the same for all processes. */
export function sharersAt(leases: readonly Lease[], at: number): readonly string[] {
  const counts = ({ joinedAt, renewedAt }: Lease) => joinedAt + NEWCOMER_WAITS <= at && at < renewedAt + DEAD_AFTER;
  return leases
    .filter(counts)
    .map(({ id }) => id)
    .sort();
}
