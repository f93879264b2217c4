import { type Figure, sumOf } from './figure';
import type { Instant } from './instant';
import { daysOf, type Span } from './span';
import type { CycleStatus } from './subscription';

/**
 * What a day's due dates and one-time payments came to: `due` is the sum of `collected`, `failed`, `skipped`, `missed` and `open`; `refunded` is
 * part of `collected`.
 */
export const COLLECTION_FIGURES = ['due', 'collected', 'failed', 'skipped', 'missed', 'open', 'refunded'] as const;
export type CollectionFigure = (typeof COLLECTION_FIGURES)[number];
export type Collections = Readonly<Record<CollectionFigure, Figure>>;

/** The cycles and one-time payments of one day in one status, or the refunds made of them. */
export interface CollectionSum extends Figure {
  /** The beginning of the UTC day of the due date, or of the capture. */
  readonly day: Instant;
  readonly status: CycleStatus | 'refunded';
}

export interface CollectionDay extends Collections {
  readonly day: Instant;
}

/** Every day of the span, those too on which nothing fell due. */
export function collectionsByDay(span: Span, sums: readonly CollectionSum[]): CollectionDay[] {
  const byDay = new Map<Instant, CollectionSum[]>(daysOf(span).map((day) => [day, []]));
  for (const sum of sums) byDay.get(sum.day)?.push(sum);
  return [...byDay].map(([day, ofDay]) => ({ day, ...collectionsOf(ofDay) }));
}

/** Of all the sums together, whatever their day. */
export function collectionsOf(sums: readonly CollectionSum[]): Collections {
  const figures = COLLECTION_FIGURES.map((figure) => [figure, sumOf(sums.filter((sum) => counts(sum, figure)))]);
  return Object.fromEntries(figures) as Collections;
}

function counts({ status }: CollectionSum, figure: CollectionFigure): boolean {
  return figure === 'due' ? status !== 'refunded' : figure === FIGURE_OF[status];
}

const FIGURE_OF: Readonly<Record<CollectionSum['status'], CollectionFigure>> = {
  scheduled: 'open',
  collecting: 'open',
  dunning: 'open',
  unresolved: 'open',
  collected: 'collected',
  failed: 'failed',
  skipped: 'skipped',
  missed: 'missed',
  refunded: 'refunded',
};
