import { toIso } from '../../domain/time';
import type { CaptureRecord } from '../../ledger';
import type { CaptureOut } from '../schemas/capture';
import { named } from './fields';

export function viewCapture(record: CaptureRecord): CaptureOut {
  const hasFailed = record.state === 'failed';
  return {
    captureId: record.captureId,
    ...named('orderId', record.orderId),
    amount: record.amount,
    status: captureStatus(record),
    finalCapture: record.finalCapture,
    createdAt: toIso(record.createdAt),
    ...named('detail', hasFailed ? record.detail : null),
    ...named('description', hasFailed ? record.description : null),
  };
}

/** The wire knows fewer words than the ledger: whatever is not final is pending, and is seen to until it is. */
export function captureStatus({ state }: Pick<CaptureRecord, 'state'>): CaptureOut['status'] {
  return state === 'successful' || state === 'failed' ? state : 'pending';
}
