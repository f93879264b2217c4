import { revived } from '../../src/domain/evidence';
import {
  type Difference,
  findDifferences,
  findOneTimeDifferences,
  isBeyondLists,
  isWithin,
  keyOfDifference,
  type LedgerPayment,
} from '../../src/domain/reconciliation/subscription';
import { DAY, type Period } from '../../src/domain/time';
import {
  type ComparedPayment,
  readLedgerOneTimePayment,
  readLedgerPayment,
  readLedgerPayments,
} from '../../src/ledger';
import { listed } from '../collect/debit-forms';
import type { Dependencies } from '../dependencies';
import { askService, type LedgerRecords, type ServiceRecords, type Unreadable } from './service-records';

/** The dependencies of comparing: only ledger, service and clock, so that it can run anywhere. */
export interface Comparing extends Pick<Dependencies, 'ledger' | 'service' | 'clock'> {
  readonly settings: Pick<Dependencies['settings'], 'listDays'>;
}

export type Comparison =
  | {
      readonly kind: 'compared';
      readonly differences: readonly Difference[];
      readonly records: ServiceRecords;
      /** Whether a refused authorization of a subscription, of any age, is listed as pending or successful, or captured, after all (rule 36). */
      readonly isRefusalContradicted: boolean;
    }
  | Unreadable;

/** The ledger's records of those payments that belong to subscriptions, read at once. The others are read as they are compared. */
export async function readLedgerRecords(
  { ledger }: Comparing,
  payments: readonly ComparedPayment[],
): Promise<ReadonlyMap<string, LedgerRecords>> {
  const ofSubscriptions = payments.filter((each) => each.subscriptionId !== null);
  const found = await readLedgerPayments(ledger, ofSubscriptions);
  return new Map(found.map((each) => [each.paymentId, each]));
}

/**
 * Compares one payment with the service. Differences are checked once more and count only if they are found again:
 * a send may have started between reading the ledger and reading the service.
 * @param recorded the ledger's records of it, if they have been read already
 */
export async function comparePayment(
  comparing: Comparing,
  payment: ComparedPayment,
  period: Period,
  recorded?: LedgerRecords,
): Promise<Comparison> {
  const first = await compareOnce(comparing, period, recorded ?? (await readLedger(comparing, payment)));
  if (first.kind === 'unreadable' || first.differences.length === 0) return first;
  const second = await compareOnce(comparing, period, await readLedger(comparing, payment));
  if (second.kind === 'unreadable') return second;
  const seen = first.differences.map(keyOfDifference);
  return { ...second, differences: second.differences.filter((each) => seen.includes(keyOfDifference(each))) };
}

/**
 * @param recorded must be read before the service is asked: what is final in the ledger was then already final at the service
 */
async function compareOnce(comparing: Comparing, period: Period, recorded: LedgerRecords): Promise<Comparison> {
  const { clock, settings } = comparing;
  const service = await askService(comparing, recorded);
  if (service.kind === 'unreadable') return service;
  const differences =
    recorded.subscriptionId === null
      ? findOneTimeDifferences(recorded, service.records, { business: clock.now(), real: clock.realNow() })
      : findDifferences(recorded, service.records, clock.now());
  const listedSince = settings.listDays === undefined ? -Infinity : clock.now() - settings.listDays * DAY;
  const found = differences.filter((each) => isWithin(period, each) && !isBeyondLists(each, listedSince));
  return {
    kind: 'compared',
    differences: found,
    records: service.records,
    isRefusalContradicted: recorded.subscriptionId !== null && isRefusalContradicted(recorded, service.records),
  };
}

function isRefusalContradicted({ attempts }: LedgerPayment, { authorizations, captures }: ServiceRecords): boolean {
  const known = attempts.flatMap(({ authorizationId: id, state, captureId }) =>
    id === null ? [] : [{ id, state, captureId }],
  );
  return revived(authorizations.map(listed), captures, known).length > 0;
}

function readLedger({ ledger }: Comparing, payment: ComparedPayment): Promise<LedgerRecords> {
  if (payment.subscriptionId === null) return readLedgerOneTimePayment(ledger, payment.paymentId);
  return readLedgerPayment(ledger, payment);
}
