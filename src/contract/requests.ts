import type { Actor } from '../domain/trail/event';
import type { Asked } from '../domain/trail/subscriptions';

/** What the workflow of a subscription does for an update only where the API has put it on record. */
export type RecordedVerb = Exclude<Asked, 'check_consent' | 'restart'>;

/** Any request of an update, as far as its record goes by it. */
export interface Brought extends Actor {
  readonly onRecord?: string;
  readonly revision?: number;
  readonly settled?: object;
}

/** A request as an update brings it: the ledger holds it against the one that the API has put on record. */
export interface BroughtRequest {
  readonly verb: RecordedVerb;
  /** Null where the update names none. */
  readonly id: string | null;
  readonly argument: object;
}

/** What is no part of what is asked: the record's own name, and how far the ledger was. */
const NOT_ASKED: readonly string[] = ['onRecord', 'revision', 'settled'] satisfies (keyof Brought)[];

/**
 * The request that an update brings. Its argument is what was asked alone, of which the API puts a hash on record: neither
 * the record's own name nor how far the ledger was.
 */
export function broughtBy(verb: RecordedVerb, request: Brought): BroughtRequest {
  const argument = Object.entries(request).filter(([name]) => !NOT_ASKED.includes(name));
  return { verb, id: request.onRecord ?? null, argument: Object.fromEntries(argument) };
}
