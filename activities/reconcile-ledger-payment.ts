import {
  type Difference,
  findDifferences,
  findOneTimeDifferences,
  isWithin,
  keyOfDifference,
  type LedgerOneTimePayment,
  type LedgerPayment,
  type ServicePayment,
} from '../src/domain/reconciliation/subscription';
import type { Span } from '../src/domain/time';
import { type ComparedPayment, readLedgerOneTimePayment, readLedgerPayment } from '../src/ledger';
import type { ServiceResult } from '../src/payment-service';
import type { Dependencies } from './dependencies';
import { describe, retryAfter } from './service-answers';

/** What comparing stands on: no more than the ledger, the service and the time, so that it can be done anywhere. */
export type Comparing = Pick<Dependencies, 'ledger' | 'service' | 'clock'>;

export type Comparison =
  | { readonly kind: 'compared'; readonly differences: readonly Difference[] }
  /** `away`: the service was not reached at all, or lets nobody in; else only this answer could not be read. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly away: boolean; readonly wait: number };

/**
 * Holds one payment against the service. What differs is looked at once more, and counts only where it is found again: a
 * send may have begun between the ledger's word and the service's.
 */
export async function comparePayment(comparing: Comparing, payment: ComparedPayment, span: Span): Promise<Comparison> {
  const first = await look(comparing, payment, span);
  if (first.kind === 'unreadable' || first.differences.length === 0) return first;
  const second = await look(comparing, payment, span);
  if (second.kind === 'unreadable') return second;
  const seen = first.differences.map(keyOfDifference);
  return { kind: 'compared', differences: second.differences.filter((each) => seen.includes(keyOfDifference(each))) };
}

/** The ledger first: what it calls final was final at the service before. */
async function look(comparing: Comparing, payment: ComparedPayment, span: Span): Promise<Comparison> {
  const { clock } = comparing;
  const ledger = await readLedger(comparing, payment);
  const service = await askService(comparing, ledger);
  if (service.kind === 'unreadable') return service;
  const differences =
    ledger.subscriptionId === null
      ? findOneTimeDifferences(ledger, service.records, { business: clock.now(), real: clock.realNow() })
      : findDifferences(ledger, service.records);
  return { kind: 'compared', differences: differences.filter((each) => isWithin(span, each)) };
}

type OnRecord = LedgerPayment | LedgerOneTimePayment;

function readLedger({ ledger }: Comparing, payment: ComparedPayment): Promise<OnRecord> {
  if (payment.subscriptionId === null) return readLedgerOneTimePayment(ledger, payment.paymentId);
  return readLedgerPayment(ledger, payment);
}

type Asked = { readonly kind: 'asked'; readonly records: ServicePayment } | Extract<Comparison, { kind: 'unreadable' }>;

/** Without an authorization there is nothing to capture, without a capture nothing to give back: no need to ask. */
async function askService({ service }: Comparing, ledger: OnRecord): Promise<Asked> {
  const { paymentId, refunds } = ledger;
  const debits = ledger.subscriptionId === null ? ledger.captures : ledger.attempts;
  const authorizations = await list(() => service.listAuthorizations(paymentId));
  if (authorizations.kind === 'unreadable') return authorizations;
  const mayBeDebited = authorizations.items.length > 0 || debits.some((each) => each.captureId !== null);
  const captures = mayBeDebited ? await list(() => service.listCaptures(paymentId)) : NONE;
  if (captures.kind === 'unreadable') return captures;
  const mayBeRefunded = captures.items.length > 0 || refunds.length > 0;
  const given = mayBeRefunded ? await list(() => service.listRefunds(paymentId)) : NONE;
  if (given.kind === 'unreadable') return given;
  return {
    kind: 'asked',
    records: { authorizations: authorizations.items, captures: captures.items, refunds: given.items },
  };
}

const NONE = { kind: 'listed', items: [] } as const;

type Listed<T> = { readonly kind: 'listed'; readonly items: readonly T[] } | Extract<Asked, { kind: 'unreadable' }>;

/** A payment that the service does not know has no records there. */
async function list<T>(ask: () => Promise<ServiceResult<readonly T[]>>): Promise<Listed<T>> {
  const answer = await ask();
  if (answer.kind === 'accepted') return { kind: 'listed', items: answer.value };
  if (answer.kind === 'rejected' && answer.failure.detail === 'NOT_FOUND') return NONE;
  return {
    ...{ kind: 'unreadable', reason: describe(answer) },
    ...{ away: answer.kind === 'not_sent', wait: retryAfter(answer) },
  };
}
