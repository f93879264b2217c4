import { z } from 'zod';
import { type Cap, capOf, hoursToCollect, type Waiting } from '../../domain/hours-to-collect';
import { type Figure, sumOf } from '../../domain/money';
import type { ForecastDay } from '../../domain/reports/forecast';
import type { Period } from '../../domain/time';
import {
  countPostponed,
  countRetries,
  countWaiting,
  type Db,
  type PostponedOfDay,
  readExpectedDays,
  readReport,
  type RetriesOfDay,
} from '../../ledger';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { dayText, DayText, FigureOut, PeriodOut, periodWithin, WHOLE } from './schema';

/** Shorter than other periods: every due date is computed in this process, which is blocked for each batch of 2,000 subscriptions. */
const ForecastQuery = periodWithin(366);

const ForecastReportOut = z
  .object({
    ...PeriodOut,
    items: z.array(
      z.object({
        day: DayText,
        due: FigureOut,
        postponed: z.int().min(1).optional().meta({
          description:
            'How many of these cycles are postponed, so that their first attempt is made later; omitted if there are none',
        }),
        openRetries: z.int().min(0).meta({ description: 'Cycles whose next retry is planned for the day' }),
        overdueRetries: z.int().min(1).optional().meta({
          description:
            'How many of these retries were planned for before now and have not been made; omitted if there are none',
        }),
        hoursToCollect: z.number().min(0).nullable().meta({
          description:
            'Hours that the cap on calls needs for this day, including the backlog of the previous day; rounded up to two decimals. Null without a cap',
        }),
      }),
    ),
    total: z.object({
      due: FigureOut,
      overdueRetries: z.int().min(1).optional().meta({
        description:
          'Retries planned for before now, also before the period, that have not been made; omitted if there are none',
      }),
    }),
    nextCursor: WHOLE,
  })
  .meta({ id: 'ForecastReport', description: 'What falls due on each day of the period.' });

type ForecastReportOut = z.output<typeof ForecastReportOut>;

/** `GET /reports/forecast`. */
export function forecastRoute(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/reports/forecast',
    call('viewer', 'reports', {
      tags: ['reports'],
      operationId: 'reportForecast',
      summary: 'Forecasts what will fall due, by the UTC day of the due date',
      description:
        'Calculated from the schedules of active subscriptions, and of paused ones from the end of their pause, each with the amount that its next cycle collects. Cycles that have been attempted are not included in `due`. `hoursToCollect` includes first attempts, retries, the current backlog, and polls of payments that have been pending for over an hour.',
      querystring: ForecastQuery,
      response: { 200: ForecastReportOut },
    }),
    async ({ query }) => {
      return viewForecast(query, await readReport(listing(deps), (db) => readForecast(db, query, deps)));
    },
  );
}

/** The data of a forecast, with every day of the period. */
interface ForecastParts {
  readonly days: readonly ForecastDay[];
  readonly postponed: readonly PostponedOfDay[];
  readonly retries: readonly RetriesOfDay[];
  /** Retries that were planned for before now, on any day. */
  readonly overdueRetries: number;
  /** The backlog at the start of the first day. */
  readonly waiting: Waiting;
  /** Business ms from now to the first day; 0 if it has started. */
  readonly until: number;
  /** Null without a cap. */
  readonly cap: Cap | null;
}

function viewForecast(period: Period, parts: ForecastParts): ForecastReportOut {
  const { days, overdueRetries, waiting, until, cap } = parts;
  const retriesOf = new Map(parts.retries.map((each) => [each.day, each]));
  const postponedOf = new Map(parts.postponed.map(({ day, count }) => [day, count]));
  const loads = days.map(({ day, count }) => ({ firstAttempts: count, retries: retriesOf.get(day)?.count ?? 0 }));
  const hours = cap === null ? [] : hoursToCollect(loads, waiting, until, cap);
  const items = days.map(({ day, amount, count }, index) => ({
    day: dayText(day),
    due: { amount, count } satisfies Figure,
    postponed: postponedOf.get(day),
    openRetries: retriesOf.get(day)?.count ?? 0,
    overdueRetries: retriesOf.get(day)?.overdue || undefined,
    hoursToCollect: hours[index] ?? null,
  }));
  return {
    ...period,
    items,
    total: { due: sumOf(days), overdueRetries: overdueRetries || undefined },
    nextCursor: null,
  };
}

async function readForecast(db: Db, period: Period, { clock, policy }: AdminDeps): Promise<ForecastParts> {
  const now = clock.now();
  return {
    days: await readExpectedDays(db, period),
    postponed: await countPostponed(db, period),
    retries: await countRetries(db, period, now),
    overdueRetries: totalOf(await countRetries(db, { from: 0, to: now }, now)),
    waiting: await countWaiting(db, period.from, now),
    until: Math.max(0, period.from - now),
    cap: capOf(policy.callsPerSecond, clock.setting),
  };
}

function totalOf(retries: readonly RetriesOfDay[]): number {
  return retries.reduce((sum, { count }) => sum + count, 0);
}
