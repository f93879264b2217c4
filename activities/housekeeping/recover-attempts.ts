import type { PaymentRef } from '../../src/contract/activities';
import { outcomeOfBooking, outcomeOfRefusal } from '../../src/domain/attempt/pending-debit';
import { findLostAttempt } from '../../src/domain/reconciliation/lost';
import { matchSent } from '../../src/domain/send';
import { dueFrom } from '../../src/domain/subscription/transitions';
import type { SubscriptionState } from '../../src/domain/subscription/state';
import {
  type AttemptRecord,
  DUEDAY,
  enterRecovered,
  takenAuthorizationIds,
  openSends,
  type Outcome,
  outcomeData,
  readLedgerPayment,
  readState,
  recordOutcome,
} from '../../src/ledger';
import type { Authorization } from '../../src/payment-service';
import { listed, outcomeOf as storedOutcome } from '../collect/debit-forms';
import type { Dependencies } from '../dependencies';
import type { ServiceRecords } from './service-records';

type Recovering = Pick<Dependencies, 'ledger' | 'clock'>;

/**
 * Enters what a restored ledger has lost about a subscription's attempts, from the service's own records: missing outcomes,
 * and attempts that the ledger lacks entirely. The workflow does not always do so: if it learned the outcome before the
 * restore, it no longer polls. Nothing is sent.
 * @param hasDifferences whether the comparison has found any: without one, and without an open send, nothing can be missing
 * @returns whether anything was entered
 */
export async function recoverAttempts(
  deps: Recovering,
  payment: PaymentRef,
  { hasDifferences, records }: { readonly hasDifferences: boolean; readonly records: ServiceRecords },
): Promise<boolean> {
  const open = await openSends(deps.ledger, payment.paymentId);
  if (open.length === 0 && !hasDifferences) return false;
  let entered = false;
  for (const row of open) {
    const own = await findOwnAuthorization(deps, row, records);
    if (own !== undefined && (await enterOutcome(deps, row, own, records))) entered = true;
  }
  for (;;) {
    const row = await enterNext(deps, payment, records);
    if (row === null) return entered;
    entered = true;
  }
}

/** The authorization that our send created, if the service shows one that can belong to no other send. */
async function findOwnAuthorization(
  { ledger }: Recovering,
  row: AttemptRecord,
  { authorizations }: ServiceRecords,
): Promise<Authorization | undefined> {
  if (row.state === 'pending') return authorizations.find((each) => each.authorizationId === row.authorizationId);
  const takenIds = await takenAuthorizationIds(ledger, row.paymentId);
  const match = matchSent(authorizations.map(listed), { ...row, takenIds });
  return match.kind === 'found' ? authorizations.find((each) => each.authorizationId === match.record.id) : undefined;
}

/** Enters the next attempt that the ledger lacks. @returns null if no record is left that can only be ours */
async function enterNext(
  deps: Recovering,
  payment: PaymentRef,
  records: ServiceRecords,
): Promise<AttemptRecord | null> {
  const { ledger, clock } = deps;
  const onRecord = await readLedgerPayment(ledger, payment);
  const lost = findLostAttempt(await stateOf(deps, payment), onRecord, records);
  const own = records.authorizations.find((each) => each.authorizationId === lost?.authorizationId);
  if (lost === null || own === undefined) return null;
  const { cycle, attempt, dueAt, collectBy } = lost;
  const row = await enterRecovered(ledger, {
    ...payment,
    cycle,
    attempt,
    dueAt,
    collectBy,
    amount: own.amount,
    authorizationId: own.authorizationId,
    createdAt: own.createdAt,
    enteredAt: clock.now(),
    realAt: clock.realNow(),
    owner: DUEDAY,
  });
  if (row !== null) await enterOutcome(deps, row, own, records);
  return row;
}

function stateOf({ ledger, clock }: Recovering, { subscriptionId }: PaymentRef): Promise<SubscriptionState> {
  return readState(ledger, subscriptionId, clock.now());
}

/** Records the outcome at the service's time. @returns whether the row lacked it before */
async function enterOutcome(
  deps: Recovering,
  row: AttemptRecord,
  own: Authorization,
  records: ServiceRecords,
): Promise<boolean> {
  const { subscriptionId, cycle, attempt, send, paymentId } = row;
  const nextDueAt = dueFrom(await stateOf(deps, { subscriptionId, paymentId }), cycle + 1);
  const outcome = outcomeOf(own, records, nextDueAt);
  const data = { cycle, attempt, send, ...outcomeData(outcome) };
  const at = timeOf(outcome, own, records);
  const event = { type: `attempt.${outcome.state}`, data } as const;
  return (await recordOutcome(deps.ledger, row, outcome, at, event)).kind === 'recorded';
}

function outcomeOf(own: Authorization, { captures }: ServiceRecords, nextDueAt: number | null): Outcome {
  const { authorizationId, createdAt, status } = own;
  const pending = { state: 'pending', authorizationId, createdAt } as const;
  if (status === 'pending') return pending;
  const authorization = listed(own);
  const settled = status === 'successful' ? outcomeOfBooking(authorization, captures) : outcomeOfRefusal(authorization);
  return settled === null ? pending : storedOutcome(settled, nextDueAt);
}

/** A debit is dated by its booking, everything else by its authorization. */
function timeOf(outcome: Outcome, own: Authorization, { captures }: ServiceRecords): number {
  const captureId = outcome.state === 'successful' ? outcome.captureId : null;
  return captures.find((each) => each.captureId === captureId)?.createdAt ?? own.createdAt;
}
