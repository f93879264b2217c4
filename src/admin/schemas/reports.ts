import { z } from 'zod';
import { BLOCKERS, OPEN_STATUSES, COLLECTION_FIGURES } from '../../domain/subscription/forecast';
import { DAY } from '../../domain/time';
import { MAX_RETRIES } from '../../domain/subscription/retries';
import { InstantIn, InstantOut } from './instants';
import { MoneyOut } from './money';

const MAX_DAYS = 366;

/** `[from, to)`, of 366 days at most. */
export const SpanQuery = z
  .strictObject({
    from: InstantIn.meta({ description: 'Inclusive' }),
    to: InstantIn.meta({ description: `Exclusive; at most ${MAX_DAYS} days after \`from\`` }),
  })
  .superRefine(({ from, to }, context) => {
    const expect = (message: string) => context.addIssue({ code: 'custom', path: ['to'], message });
    if (to <= from) expect('a time after from');
    if (to > from + MAX_DAYS * DAY) expect(`a time at most ${MAX_DAYS} days after from`);
  });

const FigureOut = z.object({ amount: MoneyOut, count: z.int().min(0) }).meta({ id: 'Figure' });

const DayText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ format: 'date', description: 'A day in UTC' });

const CollectionFigures = z.object(
  Object.fromEntries(COLLECTION_FIGURES.map((figure) => [figure, FigureOut])) as Record<
    (typeof COLLECTION_FIGURES)[number],
    typeof FigureOut
  >,
);

export const SpanOut = { from: InstantOut, to: InstantOut };

export const CollectionsReportOut = z
  .object({
    ...SpanOut,
    items: z.array(CollectionFigures.extend({ day: DayText })),
    total: CollectionFigures,
    nextCursor: z.null(),
  })
  .meta({ id: 'CollectionsReport' });

export const ForecastReportOut = z
  .object({
    ...SpanOut,
    items: z.array(z.object({ day: DayText, due: FigureOut })),
    total: z.object({ due: FigureOut }),
    nextCursor: z.null(),
  })
  .meta({ id: 'ForecastReport' });

const Hours = z
  .number()
  .min(0)
  .meta({ description: 'Hours left, to the hundredth, rounded down; 0 once they are over' });

export const DeadlineOut = z
  .object({
    subscriptionId: z.string(),
    cycle: z.int().min(0),
    status: z.enum(OPEN_STATUSES),
    amount: MoneyOut,
    dueAt: InstantOut,
    deadline: InstantOut.meta({ description: 'The sooner of collectBy and retryUntil' }),
    hoursLeft: Hours,
    collectBy: InstantOut,
    collectHoursLeft: Hours,
    retryUntil: InstantOut.optional(),
    retryHoursLeft: Hours.optional(),
    retriesLeft: z.int().min(0).max(MAX_RETRIES).optional().meta({ description: 'Left out before the first failure' }),
    nextAttemptAt: InstantOut.optional(),
    attempts: z
      .int()
      .min(0)
      .max(1 + MAX_RETRIES)
      .meta({ description: 'Begun so far; one sent again counts once' }),
    blockedBy: z.array(z.enum(BLOCKERS)).meta({ description: 'Empty where the cycle only waits for its time' }),
  })
  .meta({ id: 'Deadline' });

export type CollectionsReportOut = z.output<typeof CollectionsReportOut>;
export type ForecastReportOut = z.output<typeof ForecastReportOut>;
export type DeadlineOut = z.output<typeof DeadlineOut>;
