import { useLocation } from 'preact-iso';
import { DAY } from '../../../domain/time';

type Query = Readonly<Record<string, string>>;
/** What changes; undefined takes away. */
type Patch = Readonly<Record<string, string | undefined>>;

/** Where the view stands: everything that it shows can be had again by its address. */
export interface Address {
  readonly query: Query;
  /** Adds an entry to the history, so that "back" goes to what was shown before. */
  readonly change: (patch: Patch) => void;
  /** The same for what a list is chosen by: its first page is shown. */
  readonly filter: (patch: Patch) => void;
  /** Shows the same without an entry of its own in the history. */
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

/** A path with what is set of a query. */
export function addressOf(path: string, query: Patch): string {
  const set = Object.entries(query).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '');
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`;
}

/** Beginning of the UTC day that a field of the address names; an instant is left as it is. */
export function fromDay(day: string): string {
  return day.includes('T') ? day : `${day}T00:00:00.000Z`;
}

/** End of the UTC day that a field of the address names, exclusive as the API has it. */
export function throughDay(day: string): string {
  if (day.includes('T')) return day;
  const begins = Date.parse(`${day}T00:00:00.000Z`);
  // What is no day is the API's to refuse, by name.
  return Number.isNaN(begins) ? day : new Date(begins + DAY).toISOString();
}
