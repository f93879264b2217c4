import { z } from 'zod';
import {
  adviseRetries,
  figuresOf,
  RECOVERY_FATES,
  RECOVERY_KEYS,
  type RecoveryKey,
  type RecoveryTime,
} from '../../domain/reports/recovery';
import { sumOf } from '../../domain/money';
import type { Period } from '../../domain/time';
import { readReport, readRetriesMade, readRetryHistories, type Recovery, sumRecoveries } from '../../ledger';
import { csvLine } from '../../domain/csv';
import { decimalOf } from '../../domain/money';
import { preferredType } from '../csv/media-types';
import { CSV_TYPE, describeCsv } from '../csv/stream';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { FigureOut, PeriodOut, PeriodQuery, WHOLE } from './schema';

const RecoveryQuery = PeriodQuery.safeExtend({
  by: z.enum(RECOVERY_KEYS).default('attempt').meta({
    description:
      'What to group by: number, UTC weekday (1 is Monday) or UTC hour of the last attempt; detail of the first refusal; or repetition',
  }),
});

const Hours = z.number().min(0).meta({ description: 'Hours, to two decimals' });

const Recovered = {
  firstAttempt: FigureOut.meta({ description: 'Collected by the first attempt' }),
  recovered: FigureOut.meta({ description: 'Refused at first, then collected by a retry' }),
  recoveredByLink: FigureOut.meta({ description: 'Failed or missed, then paid by the payer by a payment link' }),
  lost: FigureOut.meta({ description: 'Refused and not collected' }),
  open: FigureOut.meta({ description: 'Refused and still open' }),
  hoursToRecover: z
    .object({ median: Hours, mean: Hours })
    .nullable()
    .meta({ description: 'From the first refusal to the debit by a retry; null if no cycle was recovered by a retry' }),
};

const RecoveryReportOut = z
  .object({
    ...PeriodOut,
    by: z.enum(RECOVERY_KEYS),
    items: z.array(
      z.object({ key: z.string().nullable().meta({ description: 'Null if there is no value' }), ...Recovered }),
    ),
    total: z.object(Recovered),
    nextCursor: WHOLE,
  })
  .meta({
    id: 'RecoveryReport',
    description: 'How many cycles were collected at the first attempt, recovered or lost.',
  });

const RetryAdviceOut = z
  .object({
    ...PeriodOut,
    refused: FigureOut.meta({ description: 'All cycles whose first attempt was refused as retryable' }),
    items: z.array(
      z.object({
        offsetHours: z.int().meta({ description: 'Hours after the first refusal' }),
        met: FigureOut.meta({ description: 'Cycles for which a retry had succeeded by then' }),
        refused: FigureOut.meta({ description: 'Cycles for which a retry was still refused then or later' }),
        unknown: FigureOut.meta({ description: 'Cycles without an attempt at a conclusive time' }),
        tried: z.int().min(0).meta({ description: 'Retries made within three hours of this offset' }),
        collected: z.int().min(0).meta({ description: 'The part of `tried` that succeeded' }),
      }),
    ),
    nextCursor: WHOLE,
  })
  .meta({ id: 'RetryAdvice', description: 'How retries at other times would probably have performed.' });

const tags = ['reports'];

/** `GET /reports/recovery` and `GET /reports/retry-advice`. */
export function recoveryRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/reports/recovery',
    call('viewer', 'reports', {
      tags,
      operationId: 'reportRecovery',
      summary: 'Reports what retries have recovered, for cycles due in the period',
      description:
        'Each cycle that the bank has answered counts once, regardless of the number of attempts. Skipped cycles are excluded, and missed ones unless the payer has paid them by a link: neither was ever refused.',
      querystring: RecoveryQuery,
      response: {
        200: {
          description: 'The report; with `Accept: text/csv`, its items as CSV.',
          content: { 'application/json': { schema: RecoveryReportOut }, [CSV_TYPE]: { schema: z.string() } },
        },
      },
    }),
    async ({ query, headers }, reply) => {
      const recovery = await readReport(listing(deps), (db) => sumRecoveries(db, query, query.by));
      const report = viewRecovery(query, query.by, recovery);
      if (preferredType(headers.accept, ['application/json', CSV_TYPE]) !== CSV_TYPE) return report;
      describeCsv(reply, 'recovery');
      return recoveryCsv(report.by, report.items);
    },
  );
  app.get(
    '/reports/retry-advice',
    call('viewer', 'reports', {
      tags,
      operationId: 'adviseRetries',
      summary: 'Estimates the result of retries at other times within the 72 hours, from the history of the period',
      description:
        'For information only: nothing is changed automatically. The estimate assumes that money which was once in the account stayed there.',
      querystring: PeriodQuery,
      response: { 200: RetryAdviceOut },
    }),
    async ({ query }) => {
      const { histories, made } = await readReport(listing(deps), async (db) => ({
        histories: await readRetryHistories(db, query),
        made: await readRetriesMade(db, query),
      }));
      const items = adviseRetries(histories, made).map(({ hours, ...figures }) => ({ offsetHours: hours, ...figures }));
      const { from, to } = query;
      return { from, to, refused: sumOf(histories), items, nextCursor: null };
    },
  );
}

type RecoveryItem = z.output<typeof RecoveryReportOut>['items'][number];

/** One line per item, with the figure of each of {@link RECOVERY_FATES} as count, cents and decimal. */
function recoveryCsv(by: RecoveryKey, items: readonly RecoveryItem[]): string {
  const figures = RECOVERY_FATES.flatMap((fate) => [`${fate}Count`, `${fate}Amount`, `${fate}AmountDecimal`]);
  const lines = items.map((item) => [
    item.key,
    ...RECOVERY_FATES.flatMap((fate) => [item[fate].count, item[fate].amount.value, decimalOf(item[fate].amount)]),
    'EUR',
    ...[item.hoursToRecover?.median ?? null, item.hoursToRecover?.mean ?? null],
  ]);
  return [[by, ...figures, 'currency', 'medianHoursToRecover', 'meanHoursToRecover'], ...lines].map(csvLine).join('');
}

function viewRecovery(
  { from, to }: Period,
  by: RecoveryKey,
  { sums, times }: Recovery,
): z.output<typeof RecoveryReportOut> {
  const keys = [...new Set(sums.map(({ key }) => key))].sort(inOrder);
  return {
    from,
    to,
    by,
    items: keys.map((key) => ({
      key,
      ...figuresOf(sums.filter((each) => each.key === key)),
      hoursToRecover: viewTime(times.get(key)),
    })),
    total: { ...figuresOf(sums), hoursToRecover: viewTime(times.get(undefined)) },
    nextCursor: null,
  };
}

/** Numbers by value, other keys alphabetically, null last. */
function inOrder(one: string | null, other: string | null): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  return Number(one) - Number(other) || (one < other ? -1 : 1);
}

function viewTime(time: RecoveryTime | undefined): { median: number; mean: number } | null {
  const rounded = (hours: number) => Math.max(0, Math.round(hours * 100) / 100);
  return time === undefined ? null : { median: rounded(time.median), mean: rounded(time.mean) };
}
