import { type CollectionSum, collectionsByDay, collectionsOf } from '../../domain/collections';
import { type Figure, sumOf } from '../../domain/figure';
import type { ForecastDay } from '../../domain/forecast';
import { type Instant, toIso } from '../../domain/instant';
import type { Span } from '../../domain/span';
import type { CollectionsReportOut, ForecastReportOut } from '../schemas/reports';

export function viewCollections(span: Span, sums: readonly CollectionSum[]): CollectionsReportOut {
  const items = collectionsByDay(span, sums).map(({ day, ...figures }) => ({ day: dayText(day), ...figures }));
  return { ...viewSpan(span), items, total: collectionsOf(sums), nextCursor: null };
}

export function viewForecast(span: Span, days: readonly ForecastDay[]): ForecastReportOut {
  const items = days.map(({ day, amount, count }) => ({ day: dayText(day), due: { amount, count } satisfies Figure }));
  return { ...viewSpan(span), items, total: { due: sumOf(days) }, nextCursor: null };
}

function viewSpan({ from, to }: Span) {
  return { from: toIso(from), to: toIso(to) };
}

function dayText(day: Instant): string {
  return toIso(day).slice(0, 'YYYY-MM-DD'.length);
}
