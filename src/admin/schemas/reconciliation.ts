import { z } from 'zod';
import { DIFFERENCE_KINDS } from '../../domain/reconciliation/subscription';
import { InstantOut } from './instants';
import { listOf } from './listing';
import { MoneyOut } from './money';
import { SpanOut, SpanQuery } from './reports';

/** Of differences in one answer. */
export const MOST_DIFFERENCES = 1000;

export const OrderReconciliation = SpanQuery.meta({ id: 'OrderReconciliation' });

/** A difference is rare, so that one answer holds them all; should they not be, the cursor names what they stand on. */
export const ReconciliationQuery = SpanQuery.safeExtend({
  limit: z.coerce.number('a whole number').int().min(1).max(MOST_DIFFERENCES).default(MOST_DIFFERENCES),
  cursor: z.string().min(1).max(512).optional(),
});

const SideOut = z
  .object({ state: z.string(), amount: MoneyOut, at: InstantOut })
  .meta({ id: 'ReconciliationSide', description: "One side's word: the ledger's own state, or the service's" });

export const DifferenceOut = z
  .object({
    kind: z.enum(DIFFERENCE_KINDS),
    text: z.string().meta({ description: 'In plain words' }),
    subscriptionId: z.string().optional().meta({ description: 'Left out for a one-time payment' }),
    paymentId: z.string(),
    cycle: z.int().min(0).optional().meta({ description: 'Left out where the ledger ties it to none' }),
    authorizationId: z.string().optional(),
    captureId: z.string().optional(),
    refundId: z.string().optional().meta({ description: "The ledger's own id of a refund" }),
    serviceRefundId: z.string().optional().meta({ description: "The service's id of a refund" }),
    ledger: SideOut.optional(),
    service: SideOut.optional(),
  })
  .meta({ id: 'ReconciliationDifference' });

export const ReconciliationReportOut = listOf(DifferenceOut)
  .extend({
    ...SpanOut,
    comparedAt: InstantOut.nullable().meta({
      description:
        'In business time: whatever was in the span by then has been compared. Null where a part of it never was',
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
  .meta({ id: 'ReconciliationReport' });

export type DifferenceOut = z.output<typeof DifferenceOut>;
export type ReconciliationReportOut = z.output<typeof ReconciliationReportOut>;
