import { euros } from '../../domain/money';
import { describeRefusal } from '../../domain/refusals';
import { blockersOf } from '../../domain/reports/forecast';
import { DAY, HOUR, type Instant, type Period, toIso } from '../../domain/time';
import type { KeyPowers, OpenCycleRecord } from '../../ledger';
import { PayerOut, viewPayer } from '../payers/schema';
import type { Coverage } from '../../domain/coverage';
import { describeDifference } from '../../domain/reconciliation/records';
import { DIFFERENCE_KINDS } from '../../domain/reconciliation/subscription';
import type { ComparedRun, DifferenceRecord, PageOf } from '../../ledger';
import { checkPeriod, InstantIn, InstantOut, omitNull, listOf, MoneyOut, PAGE_FIELDS } from '../http/fields';
import { PLAIN } from '../http/validation';
import { z } from 'zod';
import {
  BLOCKERS,
  COLLECTION_FIGURES,
  type CollectionSum,
  collectionsByDay,
  collectionsOf,
} from '../../domain/reports/forecast';
import { MAX_RETRIES } from '../../domain/subscription/retries';
import { OPEN_STATUSES } from '../../domain/subscription/state';

/** `[from, to)` of any length: a comparison goes payment by payment, and its differences are paged. */
const AnyPeriod = z
  .strictObject({
    from: InstantIn.meta({ description: 'The start of the period, inclusive' }),
    to: InstantIn.meta({ description: 'The end of the period, exclusive' }),
  })
  .superRefine((query, context) => checkPeriod(query, ['from', 'to'], context));

/** `[from, to)` of at most `days` days. */
export function periodWithin(days: number) {
  const to = InstantIn.meta({ description: `The end of the period, exclusive; at most ${days} days after \`from\`` });
  return AnyPeriod.safeExtend({ to }).superRefine((query, context) => {
    if (query.to <= query.from + days * DAY) return;
    context.addIssue({
      code: 'custom',
      path: ['to'],
      message: `a time at most ${days} days after from`,
      params: PLAIN,
    });
  });
}

/** For sums computed by the ledger: a response has a few figures for each day of at most ten years, or for the whole period. */
export const PeriodQuery = periodWithin(3_660);

export const FigureOut = z
  .object({ amount: MoneyOut, count: z.int().min(0) })
  .meta({ id: 'Figure', description: 'A total amount, and the number of payments in it.' });

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

/** The cursor of a report that has a single page. */
export const WHOLE = z.string().nullable().meta({ description: 'Always null: the report has a single page.' });

export const PeriodOut = { from: InstantOut, to: InstantOut };

export const CollectionsReportOut = z
  .object({
    ...PeriodOut,
    items: z.array(CollectionFigures.extend({ day: DayText })),
    total: CollectionFigures,
    nextCursor: WHOLE,
  })
  .meta({ id: 'CollectionsReport', description: 'The totals of each day and of the whole period.' });

const Hours = z
  .number()
  .min(0)
  .meta({ description: 'Hours left, rounded down to two decimals; 0 once the time is over' });

export const DeadlineOut = z
  .object({
    subscriptionId: z.string(),
    cycle: z.int().min(0),
    status: z.enum(OPEN_STATUSES),
    amount: MoneyOut,
    dueAt: InstantOut,
    deadline: InstantOut.meta({ description: 'The earlier of `collectBy` and `retryUntil`' }),
    hoursLeft: Hours,
    collectBy: InstantOut,
    collectHoursLeft: Hours,
    retryUntil: omitNull(InstantOut),
    retryHoursLeft: omitNull(Hours),
    retriesLeft: omitNull(z.int().min(0).max(MAX_RETRIES)).meta({ description: 'Omitted before the first failure' }),
    nextAttemptAt: omitNull(InstantOut),
    postponedUntil: omitNull(InstantOut),
    attempts: z
      .int()
      .min(0)
      .max(1 + MAX_RETRIES)
      .meta({ description: 'Attempts started so far; repeated sends of one attempt count once' }),
    reference: omitNull(z.string()).meta({ description: "The payer's reference" }),
    payer: PayerOut,
    lastRefusal: omitNull(z.string()).meta({
      description: 'Why the cycle was last refused, in plain words; omitted if it never was',
    }),
    atRisk: MoneyOut.meta({
      description: 'The amount lost if the deadline passes; 0 while an attempt is pending or successful',
    }),
    blockedBy: z.array(z.enum(BLOCKERS)).meta({ description: 'Empty if the cycle only waits for its planned time' }),
  })
  .meta({ id: 'Deadline', description: 'An open cycle, and the hours left to collect it.' });

export type CollectionsReportOut = z.output<typeof CollectionsReportOut>;
export type DeadlineOut = z.output<typeof DeadlineOut>;

export function viewCollections(period: Period, sums: readonly CollectionSum[]): CollectionsReportOut {
  const items = collectionsByDay(period, sums).map(({ day, ...figures }) => ({ day: dayText(day), ...figures }));
  return { ...period, items, total: collectionsOf(sums), nextCursor: null };
}

export function dayText(day: Instant): string {
  return toIso(day).slice(0, 'YYYY-MM-DD'.length);
}

export const OrderReconciliation = AnyPeriod.meta({ id: 'OrderReconciliation', description: 'The period to compare.' });

/** The cursor contains the run that the differences are based on. */
export const ReconciliationQuery = AnyPeriod.safeExtend(PAGE_FIELDS);

const SideOut = z.object({ state: z.string(), amount: MoneyOut, at: InstantOut }).meta({
  id: 'ReconciliationSide',
  description: 'The record of the ledger or of the payment service.',
});

export const DifferenceOut = z
  .object({
    kind: z.enum(DIFFERENCE_KINDS),
    text: z.string().meta({ description: 'The difference in plain words' }),
    subscriptionId: omitNull(z.string()).meta({ description: 'Omitted for a one-time payment' }),
    paymentId: z.string(),
    cycle: omitNull(z.int().min(0)).meta({ description: 'Omitted if the ledger assigns the transaction to no cycle' }),
    authorizationId: omitNull(z.string()),
    captureId: omitNull(z.string()),
    refundId: omitNull(z.string()).meta({ description: "The ledger's own id of a refund" }),
    serviceRefundId: omitNull(z.string()).meta({ description: "The service's id of a refund" }),
    ledger: SideOut.optional(),
    service: SideOut.optional(),
  })
  .meta({ id: 'ReconciliationDifference', description: 'A difference between the ledger and the payment service.' });

export const ReconciliationReportOut = listOf(DifferenceOut)
  .extend({
    ...PeriodOut,
    comparedAt: InstantOut.nullable().meta({
      description:
        'In business time: everything in the period up to this time has been compared. Null if a part of the period has never been compared',
    }),
    payments: z.int().min(0).meta({ description: 'Number of payments compared, by all comparisons in `compared`' }),
    differences: z.int().min(0),
    compared: z
      .array(z.object({ ...PeriodOut, comparedAt: InstantOut, jobId: z.string() }))
      .meta({ description: 'Which comparison covers which part of the period' }),
    notCompared: z.array(z.object(PeriodOut)).meta({ description: 'Parts of the period that no comparison covers' }),
  })
  .meta({
    id: 'ReconciliationReport',
    description: 'A page of the differences that comparisons of the period have found.',
  });

export type DifferenceOut = z.output<typeof DifferenceOut>;
export type ReconciliationReportOut = z.output<typeof ReconciliationReportOut>;

/** The results of the comparisons that cover a period. */
export interface ReconciliationReport extends Coverage<
  Pick<ComparedRun, 'runId' | 'startedAt' | 'payments' | 'period'>
> {
  readonly period: Period;
  readonly comparedAt: Instant | null;
  readonly differences: number;
}

export function viewReconciliation(
  report: ReconciliationReport,
  page: PageOf<DifferenceRecord>,
): ReconciliationReportOut {
  const runs = new Map(report.parts.map(({ by }) => [by.runId, by.payments]));
  return {
    ...report.period,
    comparedAt: report.comparedAt,
    payments: [...runs.values()].reduce((sum, payments) => sum + payments, 0),
    differences: report.differences,
    compared: report.parts.map(({ period, by }) => ({ ...period, comparedAt: by.startedAt, jobId: by.runId })),
    notCompared: [...report.gaps],
    items: page.items.map(viewDifference),
    nextCursor: page.nextCursor,
  };
}

export function viewDifference(record: DifferenceRecord): DifferenceOut {
  const { ledger, service } = record;
  return { ...record, text: describeDifference(record), ledger: ledger ?? undefined, service: service ?? undefined };
}

/** An open cycle as the deadline report shows it to this caller at `now`. */
export function viewDeadline(
  record: OpenCycleRecord,
  now: Instant,
  caller: Pick<KeyPowers, 'role' | 'scopes'>,
): DeadlineOut {
  const { deadline, collectBy, retryUntil, refusedWith, isCollecting, amount } = record;
  return {
    ...record,
    reference: record.payer.reference,
    payer: viewPayer(record.payer, caller),
    hoursLeft: hoursUntil(deadline, now),
    collectHoursLeft: hoursUntil(collectBy, now),
    retryHoursLeft: retryUntil === null ? null : hoursUntil(retryUntil, now),
    retriesLeft: retryUntil === null ? null : record.retriesLeft,
    lastRefusal: refusedWith === null ? null : describeRefusal(refusedWith),
    atRisk: isCollecting ? euros(0) : amount,
    blockedBy: blockersOf(record, now),
  };
}

/** Rounded down, so that no response promises more time than is left. */
function hoursUntil(instant: Instant, now: Instant): number {
  return Math.max(0, Math.floor(((instant - now) * 100) / HOUR) / 100);
}
