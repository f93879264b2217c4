import { type Calendar, dueAt } from './due-dates';
import { HOUR, type Instant } from './instant';

/** "Deviation from the scheduled payment date: up to 5 days (120 hours)"; here only late (decisions 3). */
export const COLLECTION_WINDOW = 120 * HOUR;

/** `[dueAt, collectBy)`: when a cycle may be collected. */
export interface CollectionWindow {
  readonly dueAt: Instant;
  readonly collectBy: Instant;
}

/** `collectBy = min(due + 120 h, next due, endAt)` (decisions 3). */
export function collectionWindow(calendar: Calendar, n: number): CollectionWindow {
  const due = dueAt(calendar, n);
  const collectBy = Math.min(due + COLLECTION_WINDOW, dueAt(calendar, n + 1), calendar.endAt ?? Infinity);
  return { dueAt: due, collectBy };
}

/** The last cycle's window is cut below 120 h; only `endAt` can do that, as no repetition is shorter (decisions 2). */
export function isLastWindowCut(calendar: Calendar, lastCycle: number): boolean {
  const { dueAt: due, collectBy } = collectionWindow(calendar, lastCycle);
  return collectBy - due < COLLECTION_WINDOW;
}
