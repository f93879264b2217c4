import { SECOND } from './time';

/*
 * Who may call the service when, where its calls are capped. Time by PostgreSQL's clock is cut into frames, each of
 * which takes few calls and belongs to one process: by turns to each of those that share the calls. A process that has
 * read the rows of the leases knows who owns a frame, so that nothing is agreed on for a single call.
 *
 * Two processes that look at different moments still answer alike, as what one of them may not have seen yet does not count
 * yet. A process calls only up to VALID_FOR after its look. A newcomer counts once every look from before it joined is
 * over. One that dies counts until every look from before its last renewal is over; one that was merely late would by then
 * count for some and not for others, so it joins anew. Half a second is left for a commit to be seen.
 */

/** Real ms. */
export const RENEW_EVERY = SECOND;
/** For so long what was seen of the leases decides who owns a frame. Real ms. */
export const VALID_FOR = 3 * SECOND;
/** A lease that was not renewed for so long is not renewed any more: its process takes a new one. Real ms. */
export const LATE_AFTER = 2.5 * SECOND;
const NEWCOMER_WAITS = VALID_FOR + SECOND / 2;
const DEAD_AFTER = LATE_AFTER + NEWCOMER_WAITS;

/** A lease of a share of the calls. Real time by PostgreSQL's clock, epoch ms. */
export interface Lease {
  readonly id: string;
  readonly joinedAt: number;
  readonly renewedAt: number;
}

/** How time is cut. Frame `n` begins at `n * length`; its calls leave in the first `usable` ms. Real ms. */
export interface Frames {
  readonly length: number;
  readonly usable: number;
  readonly calls: number;
}

/** More frames in a second would be shorter than timers are exact. */
const MOST_FRAMES = 20;
/** A timer that is as late as this still meets its frame. */
const SHORTEST_USABLE = 100;
/** By how much a call may arrive later than another one: connections are opened, and clocks are known so well only. */
const JITTER = 300;

/**
 * Frames of which any second meets so few that together they take no more than the cap, whenever in a frame its calls leave
 * and however late within the jitter they arrive. Below one call a second, the same for the time of one call.
 * @param cap calls a second, above 0
 */
export function framesOf(cap: number): Frames {
  const window = Math.max(1, 1 / cap) * SECOND;
  const calls = Math.max(1, Math.ceil(cap / MOST_FRAMES));
  const frames = Math.max(1, Math.floor(cap / calls));
  const usable = Math.max(SHORTEST_USABLE, window / frames / 10);
  const length = (window + usable + JITTER) / frames;
  if (usable <= length) return { length, usable, calls };
  const whole = (window + JITTER) / (frames - 1);
  return { length: whole, usable: whole, calls };
}

/** A stretch of time in which a process may make so many calls. */
export interface Stretch {
  readonly from: number;
  readonly until: number;
  readonly calls: number;
}

/**
 * The first stretch of a process that is not over at `from`; null where none begins before `before`.
 * @param id of its lease
 */
export function nextStretch(
  frames: Frames,
  leases: readonly Lease[],
  id: string,
  { from, before }: { readonly from: number; readonly before: number },
): Stretch | null {
  const { length, usable, calls } = frames;
  for (let frame = Math.floor(from / length); frame * length < before; frame += 1) {
    const begins = frame * length;
    if (begins + usable > from && ownerOf(frame, sharersAt(leases, begins)) === id) {
      return { from: begins, until: begins + usable, calls };
    }
  }
  return null;
}

function ownerOf(frame: number, sharers: readonly string[]): string | undefined {
  return sharers[frame % sharers.length];
}

/** The leases that count at an instant, in an order that all know. */
export function sharersAt(leases: readonly Lease[], at: number): readonly string[] {
  const counts = ({ joinedAt, renewedAt }: Lease) => joinedAt + NEWCOMER_WAITS <= at && at < renewedAt + DEAD_AFTER;
  return leases
    .filter(counts)
    .map(({ id }) => id)
    .sort();
}
