import { SECOND } from './time';

/*
 * Who may call the service when, where its calls are capped. Of a cap of 100 calls a second there are 100 permits. One
 * lets a call leave no sooner than a second after its last call has arrived, so that no second meets more calls than
 * there are permits. A call leaves with its first byte: the time for which it connects counts for nothing. Each permit belongs to one of the processes that share the calls. A process that has read the rows
 * of the leases knows which are its own, so that nothing is agreed on for a single call.
 *
 * Two processes that look at different moments still answer alike, as what one of them may not have seen yet does not count
 * yet. A process calls only up to VALID_FOR after its look. A newcomer counts once every look from before it joined is
 * over. One that dies counts until every look from before its last renewal is over; one that was merely late would by then
 * count for some and not for others, so it joins anew. Half a second is left for a commit to be seen. A permit that
 * changes hands rests until what its last owner called has arrived, and for the time of one call more.
 */

/** Real ms. */
export const RENEW_EVERY = SECOND;
/** For so long what was seen of the leases decides who owns a permit. Real ms. */
export const VALID_FOR = 3 * SECOND;
/** A lease that was not renewed for so long is not renewed any more: its process takes a new one. Real ms. */
export const LATE_AFTER = 2.5 * SECOND;
/** A call arrives so long after its first byte left at the most: its connection is open by then. Real ms. */
export const ARRIVES_WITHIN = 80;
/** So far two processes may be apart about what time PostgreSQL's clock shows. Real ms. */
const CLOCKS_WITHIN = 100;
const NEWCOMER_WAITS = VALID_FOR + SECOND / 2;
const DEAD_AFTER = LATE_AFTER + NEWCOMER_WAITS;
/** Of the time for which permits rest: where there are fewer of them than processes, they go on to the next ones. */
const HANDED_ON_EVERY = 4;

/** A lease of a share of the calls. Real time by PostgreSQL's clock, epoch ms. */
export interface Lease {
  readonly id: string;
  readonly joinedAt: number;
  readonly renewedAt: number;
}

/** So many calls in any `interval`, in real ms. */
export interface Permits {
  readonly count: number;
  readonly interval: number;
}

/**
 * No more calls than the cap in any second; below one call a second, one in the time of one call.
 * @param cap calls a second, above 0
 */
export function permitsOf(cap: number): Permits {
  return { count: Math.max(1, Math.floor(cap)), interval: Math.max(1, 1 / cap) * SECOND };
}

/** Permits of a process, each from 0 to the count, and the instant until which it has these and no others. */
export interface OwnPermits {
  readonly permits: readonly number[];
  readonly until: number;
}

/**
 * The permits through which a process may call at an instant: nobody else has called through them lately.
 * @param id of its lease
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

/** The leases that count at an instant, in an order that all know. */
export function sharersAt(leases: readonly Lease[], at: number): readonly string[] {
  const counts = ({ joinedAt, renewedAt }: Lease) => joinedAt + NEWCOMER_WAITS <= at && at < renewedAt + DEAD_AFTER;
  return leases
    .filter(counts)
    .map(({ id }) => id)
    .sort();
}
