import type { Coverage } from '../../domain/coverage';
import { type Instant, toIso, type Span } from '../../domain/time';
import type { Side } from '../../domain/reconciliation/subscription';
import { describeDifference } from '../../domain/reconciliation/records';
import type { ComparedRun, DifferenceRecord, PageOf } from '../../ledger';
import type { DifferenceOut, ReconciliationReportOut } from '../schemas/reconciliation';
import { isoOrNull, named } from './fields';

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
    ...viewSpan(report.span),
    comparedAt: isoOrNull(report.comparedAt),
    payments: [...runs.values()].reduce((sum, payments) => sum + payments, 0),
    differences: report.differences,
    compared: report.parts.map(({ span, by }) => ({
      ...viewSpan(span),
      comparedAt: toIso(by.begunAt),
      jobId: by.runId,
    })),
    notCompared: report.gaps.map(viewSpan),
    items: page.items.map(viewDifference),
    nextCursor: page.nextCursor,
  };
}

function viewSpan({ from, to }: Span): { from: string; to: string } {
  return { from: toIso(from), to: toIso(to) };
}

export function viewDifference(record: DifferenceRecord): DifferenceOut {
  return {
    kind: record.kind,
    text: describeDifference(record),
    ...named('subscriptionId', record.subscriptionId),
    paymentId: record.paymentId,
    ...named('cycle', record.cycle),
    ...named('authorizationId', record.authorizationId),
    ...named('captureId', record.captureId),
    ...named('refundId', record.refundId),
    ...named('serviceRefundId', record.serviceRefundId),
    ...named('ledger', viewSide(record.ledger)),
    ...named('service', viewSide(record.service)),
  };
}

function viewSide(side: Side | null): NonNullable<DifferenceOut['ledger']> | null {
  return side === null ? null : { ...side, at: toIso(side.at) };
}
