import {
  type CollectionSum,
  collectionsByDay,
  collectionsOf,
  type ForecastDay,
} from '../../domain/subscription/forecast';
import { type Figure, sumOf } from '../../domain/money';
import { type Instant, toIso, type Span } from '../../domain/time';
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
