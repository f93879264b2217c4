import { DateTime, IANAZone } from 'luxon';
import { z } from 'zod';
import type { Instant, Period } from '../../domain/time';
import { readReport, readToday, TODAY_FIGURES, type TodayFigure } from '../../ledger';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { InstantOut } from '../http/fields';
import { invalidRequest } from '../http/problems';
import { DayText, FigureOut } from './schema';

const TodayQuery = z.strictObject({
  timeZone: z.string().max(64).default('UTC').meta({
    description: 'Name in the IANA time zone database, such as Europe/Berlin; default: UTC',
  }),
});

const ShareOut = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .meta({ description: 'From 0 to 1; null if there were no answered attempts' });

const MEANINGS: Readonly<Record<TodayFigure, string>> = {
  needsAttention: 'Open attention items, and the money they concern; excludes a halt',
  atRisk: 'Open cycles whose deadline is within 24 hours and that have no pending or successful attempt',
  inRetry: 'Cycles in `dunning`',
  pastDue:
    'Active or paused subscriptions whose last due cycle is `failed` or `missed`; the amount is that of the cycle',
  pastDueInAttention: 'Those of `pastDue` whose standing is `needs_attention`; the others are listed as `past_due`',
  refusedToday: 'Cycles of which an attempt was refused on this day, each counted once',
  collectedToday: 'Debits that succeeded on this day',
  dueToday: 'Cycles due on this day, including those later today',
};

const FiguresOut = Object.fromEntries(
  TODAY_FIGURES.map((figure) => [figure, FigureOut.meta({ description: MEANINGS[figure] })]),
) as Record<TodayFigure, typeof FigureOut>;

export const TodayOut = z
  .object({
    day: DayText.meta({ format: 'date', description: 'Today in the given time zone' }),
    timeZone: z.string(),
    ...FiguresOut,
    successRate: z
      .object({ last7Days: ShareOut, previous7Days: ShareOut })
      .meta({ description: 'Share of answered attempts that succeeded, in periods of 168 hours' }),
    halted: z
      .object({ since: InstantOut, by: z.string(), reason: z.string() })
      .nullable()
      .meta({ description: 'Null unless sending is halted' }),
  })
  .meta({ id: 'TodayReport', description: 'What needs attention now, and the results of the day so far.' });

/** `GET /reports/today`. */
export function todayRoute(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/reports/today',
    call('viewer', 'reports', {
      tags: ['reports'],
      operationId: 'reportToday',
      summary: 'Reports what needs attention now, and the results of the day so far',
      description:
        'For subscriptions, without one-time payments; only `needsAttention` counts all open attention items, except a halt. `refusedToday`, `collectedToday` and `dueToday` refer to the calendar day in the given time zone; all other figures are as of now.',
      querystring: TodayQuery,
      response: { 200: TodayOut },
    }),
    async ({ query: { timeZone } }) => {
      const now = deps.clock.now();
      const { name, ...day } = dayIn(timeZone, now);
      const { figures, ...today } = await readReport(listing(deps), (db) => readToday(db, now, day));
      return { day: name, timeZone, ...figures, ...today };
    },
  );
}

/**
 * The calendar day in which an instant lies. It has 23 or 25 hours when clocks change.
 * @throws Problem `invalid_request` if there is no such time zone
 */
function dayIn(timeZone: string, instant: Instant): Period & { readonly name: string } {
  if (!isTimeZone(timeZone)) throw invalidRequest([{ path: 'timeZone', message: refusal(timeZone) }]);
  const day = DateTime.fromMillis(instant, { zone: timeZone }).startOf('day');
  return {
    name: day.toFormat('yyyy-MM-dd'),
    from: day.toMillis(),
    to: day.plus({ days: 1 }).startOf('day').toMillis(),
  };
}

/** Node also accepts offsets such as `+02:00`, which are not names. */
function isTimeZone(timeZone: string): boolean {
  return /^[A-Za-z]/.test(timeZone) && IANAZone.isValidZone(timeZone);
}

function refusal(timeZone: string): string {
  return `expected an IANA time zone such as Europe/Berlin; got ${JSON.stringify(timeZone)}`;
}
