import type { LedgerOneTimePayment, LedgerPayment, ServicePayment } from '../../src/domain/reconciliation/subscription';
import type { Authorization, Capture, ServiceResult } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { describe, retryAfter } from '../stops';

/** The service's records of one payment, from which attempts that the ledger has lost are entered. */
export interface ServiceRecords {
  readonly authorizations: readonly Authorization[];
  readonly captures: readonly Capture[];
}

/** `isUnavailable`: the service was not reached, or refuses all calls; otherwise only this answer could not be read. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly reason: string;
  readonly isUnavailable: boolean;
  readonly wait: number;
}

/** The ledger's records of one payment. */
export type LedgerRecords = LedgerPayment | LedgerOneTimePayment;

type ServiceAnswer = { readonly kind: 'readable'; readonly records: ServicePayment & ServiceRecords } | Unreadable;

/**
 * Reads the service's records of a payment. Captures and refunds are requested only if there can be any: if the service has what they
 * belong to, or the ledger knows one.
 */
export async function askService(
  { service }: Pick<Dependencies, 'service'>,
  recorded: LedgerRecords,
): Promise<ServiceAnswer> {
  const { paymentId, refunds } = recorded;
  const debits = recorded.subscriptionId === null ? recorded.captures : recorded.attempts;
  const authorizations = await list(() => service.listAuthorizations(paymentId));
  if (authorizations.kind === 'unreadable') return authorizations;
  const mayBeDebited = authorizations.items.length > 0 || debits.some((each) => each.captureId !== null);
  const captures = mayBeDebited ? await list(() => service.listCaptures(paymentId)) : NONE;
  if (captures.kind === 'unreadable') return captures;
  const mayBeRefunded = captures.items.length > 0 || refunds.length > 0;
  const returned = mayBeRefunded ? await list(() => service.listRefunds(paymentId)) : NONE;
  if (returned.kind === 'unreadable') return returned;
  return {
    kind: 'readable',
    records: {
      authorizations: authorizations.items,
      captures: captures.items,
      refunds: returned.items.map(({ refundId, ...each }) => ({ ...each, serviceRefundId: refundId })),
    },
  };
}

const NONE = { kind: 'listed', items: [] } as const;

type ListResult<T> = { readonly kind: 'listed'; readonly items: readonly T[] } | Unreadable;

/** Reads one list. A payment that the service does not know has no records there. */
async function list<T>(ask: () => Promise<ServiceResult<readonly T[]>>): Promise<ListResult<T>> {
  const answer = await ask();
  if (answer.kind === 'accepted' && answer.incomplete === undefined) return { kind: 'listed', items: answer.value };
  // An incomplete list does not prove that a record is missing (rule 39).
  if (answer.kind === 'accepted') {
    return {
      kind: 'unreadable',
      reason: `the list is incomplete: ${answer.incomplete}`,
      isUnavailable: false,
      wait: 0,
    };
  }
  if (answer.kind === 'rejected' && answer.failure.detail === 'NOT_FOUND') return NONE;
  return {
    kind: 'unreadable',
    reason: describe(answer),
    isUnavailable: answer.kind === 'not_sent',
    wait: retryAfter(answer),
  };
}
