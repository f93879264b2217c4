import type { Page } from '../ledger';
import { invalidRequest } from './problems';
import { fault } from './validation-faults';

/** @throws Problem `invalid_request` where the cursor is none of this list's. */
export function pageOf(
  query: { readonly limit: number; readonly cursor?: string | undefined },
  isCursor: (text: string) => boolean,
): Page {
  const cursor = query.cursor ?? null;
  if (cursor !== null && !isCursor(cursor)) {
    throw invalidRequest([fault('cursor', 'the nextCursor of a page of this list', cursor)]);
  }
  return { limit: query.limit, cursor };
}
