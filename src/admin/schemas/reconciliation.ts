import { z } from 'zod';
import { DIFFERENCE_KINDS } from '../../domain/ledger-differences';
import { InstantOut } from './instants';
import { listOf } from './listing';
import { MoneyOut } from './money';
import { SpanOut, SpanQuery } from './reports';

const MOST = 1000;

/** A difference is rare, so that one answer holds them all; should they not be, the cursor names the run. */
export const ReconciliationQuery = SpanQuery.safeExtend({
  limit: z.coerce.number('a whole number').int().min(1).max(MOST).default(MOST),
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
    comparedAt: InstantOut.meta({ description: 'When the comparison began, in business time' }),
    payments: z.int().min(0).meta({ description: 'How many payments were compared' }),
    differences: z.int().min(0),
  })
  .meta({ id: 'ReconciliationReport' });

export type DifferenceOut = z.output<typeof DifferenceOut>;
export type ReconciliationReportOut = z.output<typeof ReconciliationReportOut>;
