import type { PaymentRef } from '../../src/contract/activities';
import { revived } from '../../src/domain/evidence';
import { COLLECTION_WINDOW } from '../../src/domain/subscription/schedule';
import { type AttemptRecord, knownAuthorizations, readSend, reopenedOf, type Survey } from '../../src/ledger';
import type { Authorization, Capture } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import type { Progress } from '../stops';
import { type CollectInput, Debit } from './debit';
import { listed } from './debit-forms';
import { reopenRefused } from './debit-records';
import { checkOnce } from './interpreter';
import type { AuditMemory } from './audit-memory';

/**
 * Checks once, without waiting, the outcome of a refused attempt that was listed again. `nextDueAt` is not used, because
 * `parked` leaves the next due date as later cycles have moved it.
 */
export function checkReopened(
  deps: Dependencies,
  reopened: AttemptRecord,
  memory: AuditMemory,
  progress: Progress,
): Promise<void> {
  const { subscriptionId, paymentId, cycle, attempt, amount, dueAt } = reopened;
  const about = { subscriptionId, paymentId, cycle, attempt, amount, dueAt, collectBy: dueAt + COLLECTION_WINDOW };
  const plan = { sendBefore: dueAt, nextDueAt: null, settleOnly: true, parked: true, knownUnresolved: true };
  const input = { ...about, ...plan, revision: 0 };
  return checkOnce(deps, new ReopenedDebit(deps, input, memory, reopened), progress);
}

/** Follows exactly the reopened send: an adopted debit that was then refused has the same attempt number as our own later send. */
class ReopenedDebit extends Debit {
  constructor(
    deps: Dependencies,
    input: CollectInput,
    memory: AuditMemory,
    private readonly reopened: AttemptRecord,
  ) {
    super(deps, input, memory, async () => undefined);
  }

  override async readSend() {
    return { send: this.row.replace(await readSend(this.deps.ledger, this.reopened)), reopened: null };
  }
}

/** One attempt as the ledger plans it. @param survey what was just read about it */
export function debitOf(
  deps: Dependencies,
  input: CollectInput,
  memory: AuditMemory,
  progress: Progress,
  survey: Survey | null = null,
): Debit {
  return new Debit(deps, input, memory, (row) => checkReopened(deps, row, memory, progress), survey);
}

/**
 * Follows refused authorizations that are listed or captured after all, as the pre-send check does (rule 36): they are reopened
 * in the ledger, and settled as far as the service shows an outcome. Those still pending are polled again each day.
 */
export async function followRefused(
  {
    deps,
    memory,
    progress,
  }: { readonly deps: Dependencies; readonly memory: AuditMemory; readonly progress: Progress },
  payment: PaymentRef,
  {
    authorizations,
    captures,
  }: { readonly authorizations: readonly Authorization[]; readonly captures: readonly Capture[] },
): Promise<void> {
  const known = await knownAuthorizations(deps.ledger, payment.paymentId);
  for (const again of revived(authorizations.map(listed), captures, known)) {
    await reopenRefused(deps, payment, again, { asker: 'caller' });
  }
  for (const row of await reopenedOf(deps.ledger, payment.paymentId)) await checkReopened(deps, row, memory, progress);
}
