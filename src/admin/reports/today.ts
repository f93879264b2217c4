import { DateTime, IANAZone } from 'luxon';
import { z } from 'zod';
import type { Instant, Span } from '../../domain/time';
import { readReport, readToday, TODAY_FIGURES, type TodayFigure } from '../../ledger';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { InstantOut } from '../http/fields';
import { invalidRequest } from '../http/problems';
import { DayText, FigureOut } from './schema';

const TodayQuery = z.strictObject({
  timeZone: z.string().max(64).default('UTC').meta({
    description: 'Name in the IANA time zone database, such as Europe/Berlin; UTC if it is left out',
  }),
});

const ShareOut = z.number().min(0).max(1).nullable().meta({ description: 'From 0 to 1; null if nothing was answered' });

const MEANINGS: Readonly<Record<TodayFigure, string>> = {
  needsAttention: 'Open attention items, and the money that they concern; a halt is not one of them',
  atRisk: 'Open cycles whose deadline is within 24 hours and of which nothing is pending or successful',
  inRetry: 'Cycles in `dunning`',
  pastDue:
    'Subscriptions, active or paused, whose last due cycle is `failed` or `missed`; the amount is that of the cycle',
  refusedToday: 'Cycles refused on this day, each once',
  collectedToday: 'Debits that succeeded on this day',
  dueToday: 'Cycles that fall due on this day, including those still to come',
};

const FiguresOut = Object.fromEntries(
  TODAY_FIGURES.map((figure) => [figure, FigureOut.meta({ description: MEANINGS[figure] })]),
) as Record<TodayFigure, typeof FigureOut>;

export const TodayOut = z
  .object({
    day: DayText.meta({ format: 'date', description: 'Today, in the time zone' }),
    timeZone: z.string(),
    ...FiguresOut,
    successRate: z
      .object({ last7Days: ShareOut, previous7Days: ShareOut })
      .meta({ description: 'Successful attempts as a share of those that were answered, in periods of 168 hours' }),
    halted: z
      .object({ since: InstantOut, by: z.string(), reason: z.string() })
      .nullable()
      .meta({ description: 'Null unless sending is halted' }),
  })
  .meta({ id: 'TodayReport', description: 'What needs attention now, and what the day has brought.' });

/** `GET /reports/today`. */
export function todayRoute(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/reports/today',
    call('viewer', 'reports', {
      tags: ['reports'],
      operationId: 'reportToday',
      summary: 'What needs attention now, and what the day has brought',
      description:
        'Of subscriptions; one-time payments are not part of it. `refusedToday`, `collectedToday` and `dueToday` are of the calendar day in the time zone, everything else is as of now.',
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
 * The calendar day that an instant lies in: 23 or 25 hours when clocks change.
 * @throws Problem `invalid_request` if there is no such time zone
 */
function dayIn(timeZone: string, instant: Instant): Span & { readonly name: string } {
  if (!isTimeZone(timeZone)) throw invalidRequest([{ path: 'timeZone', message: refusal(timeZone) }]);
  const day = DateTime.fromMillis(instant, { zone: timeZone }).startOf('day');
  return {
    name: day.toFormat('yyyy-MM-dd'),
    from: day.toMillis(),
    to: day.plus({ days: 1 }).startOf('day').toMillis(),
  };
}

/** Node also takes offsets such as `+02:00`, which are no names. */
function isTimeZone(timeZone: string): boolean {
  return /^[A-Za-z]/.test(timeZone) && IANAZone.isValidZone(timeZone);
}

function refusal(timeZone: string): string {
  return `expected an IANA time zone such as Europe/Berlin; got ${JSON.stringify(timeZone)}`;
}
