import { toIso } from '../../domain/instant';
import type { Side } from '../../domain/ledger-differences';
import { describeDifference } from '../../domain/ledger-differences-in-words';
import type { DifferenceRecord, PageOf, ReconciliationRun } from '../../ledger';
import type { DifferenceOut, ReconciliationReportOut } from '../schemas/reconciliation';
import { named } from './fields';

export function viewReconciliation(run: ReconciliationRun, page: PageOf<DifferenceRecord>): ReconciliationReportOut {
  return {
    from: toIso(run.span.from),
    to: toIso(run.span.to),
    comparedAt: toIso(run.begunAt),
    payments: run.payments,
    differences: run.differences,
    items: page.items.map(viewDifference),
    nextCursor: page.nextCursor,
  };
}

export function viewDifference(record: DifferenceRecord): DifferenceOut {
  return {
    kind: record.kind,
    text: describeDifference(record, record.subscriptionId === null),
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
