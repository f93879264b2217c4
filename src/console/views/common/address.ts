import { useLocation } from 'preact-iso';
import { DAY } from '../../../domain/time';

type Query = Readonly<Record<string, string>>;
/** The changes; undefined removes a parameter. */
type Patch = Readonly<Record<string, string | undefined>>;

/** The state of the view, kept in its address so that a link shows the same state. */
export interface Address {
  readonly query: Query;
  /** Adds an entry to the history, so that "back" returns to the previous state. */
  readonly change: (patch: Patch) => void;
  /** Changes filters, which also returns to the first page. */
  readonly filter: (patch: Patch) => void;
  /** Replaces the current history entry. */
  readonly correct: (patch: Patch) => void;
}

export function useAddress(): Address {
  const { path, query, route } = useLocation();
  const change = (patch: Patch) => route(addressOf(path, { ...query, ...patch }));
  return {
    query,
    change,
    filter: (patch) => change({ cursor: undefined, ...patch }),
    correct: (patch) => route(addressOf(path, { ...query, ...patch }), true),
  };
}

/** Collections with a page for each record. */
type Collection = 'subscriptions' | 'jobs' | 'attention' | 'payments' | 'events';

/** The path of a record's page. Ids are encoded: some are chosen by the payment service and may contain any character. */
export function pathTo(collection: Collection, id: string): string {
  return `/${collection}/${encodeURIComponent(id)}`;
}

/** A path with the parameters that are set. */
export function addressOf(path: string, query: Patch): string {
  const set = Object.entries(query).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '');
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`;
}

/** The start of a UTC day; an instant is returned unchanged. */
export function fromDay(day: string): string {
  return day.includes('T') ? day : `${day}T00:00:00.000Z`;
}

/** The end of a UTC day, exclusive as in the API; an instant is returned unchanged. */
export function throughDay(day: string): string {
  if (day.includes('T')) return day;
  const start = Date.parse(`${day}T00:00:00.000Z`);
  // The API refuses an invalid day.
  return Number.isNaN(start) ? day : new Date(start + DAY).toISOString();
}
