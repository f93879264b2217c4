import { percentile } from '../storm/measure';
import type { Arrived } from './listener';

/** An event as the ledger has it. */
export interface Written {
  readonly id: string;
  readonly type: string;
  readonly subscriptionId: string | null;
  readonly sequence: number | null;
  /** Real time, epoch ms. */
  readonly at: number;
}

export interface Verdict {
  /** Events that arrived, each counted once. */
  readonly delivered: number;
  readonly lost: number;
  /** Arrivals after a later event of the same subscription. */
  readonly outOfOrder: number;
  /** Arrivals with an id that the ledger does not have, or has for another event. */
  readonly strange: number;
  /** The real ms within which 99 of a hundred events arrived for the first time. */
  readonly lag: number;
}

/**
 * Compares what arrived at one endpoint with what was written.
 * @param dead ids of events that were given up at the endpoint. The next event of the subscription does not wait for them, and
 *   their replay follows it: they are in order only among themselves.
 */
export function judge(written: readonly Written[], taken: readonly Arrived[], dead: ReadonlySet<string>): Verdict {
  const known = new Map(written.map((each) => [each.id, each]));
  const firsts = new Map<string, number>();
  const latest = new Map<string, number>();
  let [outOfOrder, strange] = [0, 0];
  for (const { id, subscriptionId, sequence, at } of taken) {
    const event = known.get(id);
    if (event?.subscriptionId !== subscriptionId || event.sequence !== sequence) {
      strange += 1;
      continue;
    }
    if (!firsts.has(id)) firsts.set(id, at - event.at);
    const lane = `${dead.has(id) ? 'dead' : 'live'}/${subscriptionId ?? id}`;
    const place = sequence ?? 0;
    if (place < (latest.get(lane) ?? 0)) outOfOrder += 1;
    else latest.set(lane, place);
  }
  const lost = written.filter(({ id }) => !firsts.has(id)).length;
  return { delivered: firsts.size, lost, outOfOrder, strange, lag: Math.round(percentile([...firsts.values()], 99)) };
}

/** How an endpoint received its backlog after its return. */
export interface Return {
  /** Real ms from the endpoint's return to the first event that it accepted. */
  readonly firstAfter: number;
  /** Real ms from that first event to the last one of the backlog. */
  readonly restAfter: number;
  /** Events that it accepted more than once. */
  readonly repeated: number;
}

/**
 * What arrived at an endpoint once it had returned.
 * @param backlog ids of the events that were written while it was down
 * @param returnedAt real time, epoch ms
 */
export function judgeReturn(backlog: ReadonlySet<string>, taken: readonly Arrived[], returnedAt: number): Return {
  const since = taken.filter(({ id, at }) => at >= returnedAt && backlog.has(id));
  const arrivals = new Map<string, number[]>();
  for (const { id, at } of since) arrivals.set(id, [...(arrivals.get(id) ?? []), at]);
  const firsts = [...arrivals.values()].map(([first = Infinity]) => first);
  const first = Math.min(...firsts);
  const last = firsts.length < backlog.size ? Infinity : Math.max(...firsts);
  const repeated = [...arrivals.values()].filter(({ length }) => length > 1).length;
  return { firstAfter: first - returnedAt, restAfter: last - first, repeated };
}
