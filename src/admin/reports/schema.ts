import type { Coverage } from '../../domain/coverage';
import { describeDifference } from '../../domain/reconciliation/records';
import { DIFFERENCE_KINDS } from '../../domain/reconciliation/subscription';
import { type Instant, type Span, DAY, toIso } from '../../domain/time';
import type { ComparedRun, DifferenceRecord, PageOf, RetriesOfDay } from '../../ledger';
import { checkSpan, InstantIn, InstantOut, leftOut, listOf, MoneyOut, PAGE_FIELDS } from '../http/fields';
import { z } from 'zod';
import { type Figure, sumOf } from '../../domain/money';
import {
  BLOCKERS,
  OPEN_STATUSES,
  COLLECTION_FIGURES,
  type CollectionSum,
  collectionsByDay,
  collectionsOf,
  type ForecastDay,
} from '../../domain/subscription/forecast';
import { type Cap, hoursToCollect, type Waiting } from '../../domain/hours-to-collect';
import { MAX_RETRIES } from '../../domain/subscription/retries';

/** `[from, to)`, however long: a comparison goes from payment to payment, and its differences come in pages. */
const AnySpan = z
  .strictObject({
    from: InstantIn.meta({ description: 'Inclusive' }),
    to: InstantIn.meta({ description: 'Exclusive' }),
  })
  .superRefine((query, context) => checkSpan(query, ['from', 'to'], context));

/** `[from, to)`, of so many days at most. */
function spanWithin(days: number) {
  const to = InstantIn.meta({ description: `Exclusive; at most ${days} days after \`from\`` });
  return AnySpan.safeExtend({ to }).superRefine((query, context) => {
    if (query.to <= query.from + days * DAY) return;
    context.addIssue({ code: 'custom', path: ['to'], message: `a time at most ${days} days after from` });
  });
}

/** Of what the ledger sums up: an answer has a few figures for each of ten years' days, or for all of them. */
export const SpanQuery = spanWithin(3_660);

/** Every due date of every subscription is computed here, two thousand subscriptions at a time, while all else waits. */
export const ForecastQuery = spanWithin(366);

export const FigureOut = z
  .object({ amount: MoneyOut, count: z.int().min(0) })
  .meta({ id: 'Figure', description: 'An amount, and how many payments it is the sum of.' });

export const DayText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ format: 'date', description: 'A day in UTC' });

const CollectionFigures = z.object(
  Object.fromEntries(COLLECTION_FIGURES.map((figure) => [figure, FigureOut])) as Record<
    (typeof COLLECTION_FIGURES)[number],
    typeof FigureOut
  >,
);

/** The cursor of a report that is one page. */
export const WHOLE = z.string().nullable().meta({ description: 'Null: the report has no further page.' });

export const SpanOut = { from: InstantOut, to: InstantOut };

export const CollectionsReportOut = z
  .object({
    ...SpanOut,
    items: z.array(CollectionFigures.extend({ day: DayText })),
    total: CollectionFigures,
    nextCursor: WHOLE,
  })
  .meta({ id: 'CollectionsReport', description: 'The sums of each day, and of the whole period.' });

export const ForecastReportOut = z
  .object({
    ...SpanOut,
    items: z.array(
      z.object({
        day: DayText,
        due: FigureOut,
        openRetries: z.int().min(0).meta({ description: 'Cycles whose next retry is planned for the day' }),
        hoursToCollect: z.number().min(0).nullable().meta({
          description:
            'What the cap on calls needs for the day, with what the day before has left; rounded up to the hundredth. Null without a cap',
        }),
      }),
    ),
    total: z.object({ due: FigureOut }),
    nextCursor: WHOLE,
  })
  .meta({ id: 'ForecastReport', description: 'What falls due on each day of the period.' });

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
    retryUntil: leftOut(InstantOut),
    retryHoursLeft: leftOut(Hours),
    retriesLeft: leftOut(z.int().min(0).max(MAX_RETRIES)).meta({ description: 'Left out before the first failure' }),
    nextAttemptAt: leftOut(InstantOut),
    attempts: z
      .int()
      .min(0)
      .max(1 + MAX_RETRIES)
      .meta({ description: 'Begun so far; one sent again counts once' }),
    reference: leftOut(z.string()).meta({ description: "The payer's" }),
    lastRefusal: leftOut(z.string()).meta({ description: 'In plain words; left out if it was never refused' }),
    atRisk: MoneyOut.meta({
      description: 'What is lost if its time runs out: 0 while something of it is pending or successful',
    }),
    blockedBy: z.array(z.enum(BLOCKERS)).meta({ description: 'Empty where the cycle only waits for its time' }),
  })
  .meta({ id: 'Deadline', description: 'An open cycle, and the hours that are left for it.' });

export type CollectionsReportOut = z.output<typeof CollectionsReportOut>;
export type ForecastReportOut = z.output<typeof ForecastReportOut>;
export type DeadlineOut = z.output<typeof DeadlineOut>;

export function viewCollections(span: Span, sums: readonly CollectionSum[]): CollectionsReportOut {
  const items = collectionsByDay(span, sums).map(({ day, ...figures }) => ({ day: dayText(day), ...figures }));
  return { ...span, items, total: collectionsOf(sums), nextCursor: null };
}

/** What is known of a span, with every day of it. */
export interface ForecastParts {
  readonly days: readonly ForecastDay[];
  readonly retries: readonly RetriesOfDay[];
  /** What the days begin with. */
  readonly waiting: Waiting;
  /** Business ms from now to the first day; 0 if it has begun. */
  readonly until: number;
  /** Null without one. */
  readonly cap: Cap | null;
}

export function viewForecast(span: Span, { days, retries, waiting, until, cap }: ForecastParts): ForecastReportOut {
  const retriesOf = new Map(retries.map(({ day, count }) => [day, count]));
  const loads = days.map(({ day, count }) => ({ firstAttempts: count, retries: retriesOf.get(day) ?? 0 }));
  const hours = cap === null ? [] : hoursToCollect(loads, waiting, until, cap);
  const items = days.map(({ day, amount, count }, index) => ({
    day: dayText(day),
    due: { amount, count } satisfies Figure,
    openRetries: retriesOf.get(day) ?? 0,
    hoursToCollect: hours[index] ?? null,
  }));
  return { ...span, items, total: { due: sumOf(days) }, nextCursor: null };
}

function dayText(day: Instant): string {
  return toIso(day).slice(0, 'YYYY-MM-DD'.length);
}

export const OrderReconciliation = AnySpan.meta({ id: 'OrderReconciliation', description: 'The period to compare.' });

/** The cursor names what the differences stand on. */
export const ReconciliationQuery = AnySpan.safeExtend(PAGE_FIELDS);

const SideOut = z.object({ state: z.string(), amount: MoneyOut, at: InstantOut }).meta({
  id: 'ReconciliationSide',
  description: 'The record of one side: the state that the ledger or the service gives it.',
});

export const DifferenceOut = z
  .object({
    kind: z.enum(DIFFERENCE_KINDS),
    text: z.string().meta({ description: 'In plain words' }),
    subscriptionId: leftOut(z.string()).meta({ description: 'Left out for a one-time payment' }),
    paymentId: z.string(),
    cycle: leftOut(z.int().min(0)).meta({ description: 'Left out where the ledger ties it to none' }),
    authorizationId: leftOut(z.string()),
    captureId: leftOut(z.string()),
    refundId: leftOut(z.string()).meta({ description: "The ledger's own id of a refund" }),
    serviceRefundId: leftOut(z.string()).meta({ description: "The service's id of a refund" }),
    ledger: SideOut.optional(),
    service: SideOut.optional(),
  })
  .meta({ id: 'ReconciliationDifference', description: 'A difference between the ledger and the payment service.' });

export const ReconciliationReportOut = listOf(DifferenceOut)
  .extend({
    ...SpanOut,
    comparedAt: InstantOut.nullable().meta({
      description:
        'In business time: all that was in the span by then has been compared. Null where a part of it never was',
    }),
    payments: z
      .int()
      .min(0)
      .meta({ description: 'How many payments were compared, by all comparisons that are told of' }),
    differences: z.int().min(0),
    compared: z
      .array(z.object({ ...SpanOut, comparedAt: InstantOut, jobId: z.string() }))
      .meta({ description: 'Which comparison tells of which part of the span' }),
    notCompared: z.array(z.object(SpanOut)).meta({ description: 'Parts of the span that no comparison tells of' }),
  })
  .meta({
    id: 'ReconciliationReport',
    description: 'A page of the differences that comparisons of the period have found.',
  });

export type DifferenceOut = z.output<typeof DifferenceOut>;
export type ReconciliationReportOut = z.output<typeof ReconciliationReportOut>;

/** What comparisons say of a span. */
export interface ReconciliationReport extends Coverage<Pick<ComparedRun, 'runId' | 'begunAt' | 'payments' | 'span'>> {
  readonly span: Span;
  readonly comparedAt: Instant | null;
  readonly differences: number;
}

export function viewReconciliation(
  report: ReconciliationReport,
  page: PageOf<DifferenceRecord>,
): ReconciliationReportOut {
  const runs = new Map(report.parts.map(({ by }) => [by.runId, by.payments]));
  return {
    ...report.span,
    comparedAt: report.comparedAt,
    payments: [...runs.values()].reduce((sum, payments) => sum + payments, 0),
    differences: report.differences,
    compared: report.parts.map(({ span, by }) => ({ ...span, comparedAt: by.begunAt, jobId: by.runId })),
    notCompared: [...report.gaps],
    items: page.items.map(viewDifference),
    nextCursor: page.nextCursor,
  };
}

export function viewDifference(record: DifferenceRecord): DifferenceOut {
  const { ledger, service } = record;
  return { ...record, text: describeDifference(record), ledger: ledger ?? undefined, service: service ?? undefined };
}
