import type { CaptureId, PaymentId } from '../../domain/ids';
import { euros, type Money } from '../../domain/money';
import { isCountedIncrease } from '../../domain/subscription/amount';
import { toIso, type Instant } from '../../domain/time';
import { type Db, instantToColumn, jsonToColumn, readValue } from '../sql/statements';
import { openContradiction } from '../attempts/evidence-items';
import { DUEDAY, entryColumns, type NewEntry } from '../audit/entries';
import type { AttemptRecord } from '../rows/attempt';

/** A send, with the facts of its cycle and subscription before its outcome was written. */
export interface WithBefore extends AttemptRecord {
  readonly before: Before;
}

export interface Before {
  /** Cents that were last authorized; null before the first authorization. */
  readonly currentCents: number | null;
  readonly consentAmount: Money;
  /** The amount that was last authorized before this cycle. */
  readonly previousAmount: Money;
  /** Whether the cycle had ended, collected or not. */
  readonly isOver: boolean;
  /** Whether another attempt has collected the cycle. */
  readonly isCollected: boolean;
  /** Whether an earlier attempt with the same authorization was refused. */
  readonly wasRefused: boolean;
  /** Whether no later cycle has started. */
  readonly isLast: boolean;
  /** Whether no later cycle has been authorized. */
  readonly isCurrent: boolean;
  readonly collectBy: Instant | null;
  readonly collectedAt: Instant | null;
  /** The debit by which the payer has paid the cycle by a link; null if there is none. */
  readonly paidLink: PaidLink | null;
}

interface PaidLink {
  readonly paymentId: PaymentId;
  readonly captureId: CaptureId;
  readonly amount: Money;
  readonly paidAt: Instant;
}

/**
 * A query for the row `sent` that a part of the statement has written, with the facts of {@link Before}. An earlier statement
 * must have locked the subscription: a statement that waits for the lock still sees other rows as they were before it waited.
 */
export function answerWithBefore(more = ''): string {
  return `select sent.*${more}, before_collecting(
      sent.subscription_id, sent.cycle, sent.attempt, sent.send, sent.payment_id, sent.authorization_id
    ) as before
    from sent`;
}

interface Collecting {
  /** When it is recorded. */
  readonly at: Instant;
  /** When the debit was made, if not now. */
  readonly debitedAt?: Instant;
  readonly nextDueAt?: Instant | null | undefined;
}

/**
 * The time of a debit that an operator has found: when the service created the authorization if the ledger has that time,
 * otherwise when it was sent.
 */
export function debitTimeOf({ authorizationCreatedAt, at }: AttemptRecord): Instant {
  return authorizationCreatedAt ?? at;
}

/**
 * Records the cycle as collected. Due date, standing and the amount of the next cycle are updated only if no later cycle has
 * started: a late debit does not affect those (rules 10, 25). The last collected amount is that of the latest cycle (rule 21);
 * an increase counts from its authorization, however late it was collected (rules 19, 20). Requires the lock of the
 * subscription.
 * @returns the id of the last audit entry that it writes
 */
export async function collectCycle(db: Db, attempt: WithBefore, collecting: Collecting): Promise<number> {
  const last = await readValue<number>(db, 'select collect_cycle($1, $2, $3, $4)', [
    ...collectedColumns(attempt, collecting),
  ]);
  if (last === null) {
    const { subscriptionId, cycle } = attempt;
    throw new Error(`the collection of cycle ${cycle} of ${subscriptionId} was not written to the audit log`);
  }
  if (attempt.before.paidLink !== null) await reportPaidTwice(db, attempt, attempt.before.paidLink, collecting.at);
  return last;
}

/** Opens the item about both debits. Nothing is refunded automatically (rule 15). */
async function reportPaidTwice(
  db: Db,
  { subscriptionId, paymentId, cycle, amount, authorizationId, state }: WithBefore,
  link: PaidLink,
  at: Instant,
): Promise<void> {
  const detail = `Cycle ${cycle} was collected after its payer had paid it by link, with payment ${link.paymentId}: the payer was debited twice. Recommended: refund capture ${link.captureId} of payment ${link.paymentId}.`;
  const about = { subscriptionId, paymentId, cycle, amount, authorizationId, detail };
  await openContradiction(
    db,
    { ...about, ledger: { state: 'paid by link', at: link.paidAt }, service: { state, at } },
    at,
  );
}

/** Arguments of `collect_cycle`. */
export function collectedColumns(
  attempt: WithBefore,
  { at, debitedAt = at, nextDueAt }: Collecting,
): [string | null, string | null, string | null, string | null] {
  const { subscriptionId, cycle, amount, before } = attempt;
  const { isLast, isCurrent } = before;
  const collected = {
    subscriptionId,
    cycle,
    isLast,
    isCurrent,
    cents: amount.value,
    at: instantToColumn(debitedAt),
    isDueNext: isLast && nextDueAt !== undefined,
    nextDueAt: instantToColumn(nextDueAt ?? null),
    increasedAt: instantToColumn(increasedAt(attempt)),
  };
  const entries = collectedEntries(attempt, at, debitedAt);
  return [jsonToColumn(collected), ...entryColumns({ subscriptionId, at, actor: DUEDAY, entries })];
}

/** When the collected increase was authorized, from which the six months of rule 20 run; null if it is no increase that counts. */
function increasedAt({ amount, before, ...attempt }: WithBefore): Instant | null {
  const counts = isCountedIncrease(amount, before.previousAmount, before.consentAmount);
  return counts ? (attempt.authorizationCreatedAt ?? attempt.outcomeAt ?? attempt.at) : null;
}

function collectedEntries({ before, ...attempt }: WithBefore, at: Instant, debitedAt: Instant): readonly NewEntry[] {
  const { cycle, amount, authorizationId, captureId } = attempt;
  const { currentCents, isCurrent, isOver, collectBy, collectedAt } = before;
  const isLate = collectBy !== null && (collectedAt ?? at) >= collectBy;
  const collected: NewEntry = {
    type: 'cycle.collected',
    data: {
      cycle,
      attempt: attempt.attempt,
      amount,
      dueAt: toIso(attempt.dueAt),
      authorizationId,
      captureId,
      collectedAt: toIso(debitedAt),
      late: isLate || (isOver && attempt.refusedAs !== null),
      adopted: attempt.adopted,
    },
  };
  if (!isCurrent || currentCents === null || currentCents === amount.value) return [collected];
  const data = { cycle, amount, previousAmount: euros(currentCents) };
  return [collected, { type: 'amount_change.applied', data }];
}

export async function recountCollected(db: Db, subscriptionId: string): Promise<void> {
  await db.query(
    `update subscriptions set cycles_collected = (
       select count(*) from cycles where subscription_id = $1 and status = 'collected'
     ) where subscription_id = $1`,
    [subscriptionId],
  );
}
