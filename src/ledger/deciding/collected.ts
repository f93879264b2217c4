import { euros, type Money } from '../../domain/money';
import { isCountedIncrease } from '../../domain/subscription/amount';
import { toIso, type Instant } from '../../domain/time';
import { type Db, instantToColumn, jsonToColumn, readValue } from '../sql/statements';
import { DUEDAY, entryColumns, type NewEntry } from '../audit/entries';
import type { AttemptRecord } from '../rows/attempt';

/** A send, and what its cycle and subscription were before its outcome was written. */
export interface WithBefore extends AttemptRecord {
  readonly before: Before;
}

export interface Before {
  /** Cents that were collected last; null before the first time. */
  readonly currentCents: number | null;
  readonly consentAmount: Money;
  /** What was authorized last before this cycle. */
  readonly previousAmount: Money;
  /** Whether the cycle had ended, collected or not. */
  readonly isOver: boolean;
  /** Whether another attempt has collected the cycle. */
  readonly isCollected: boolean;
  /** Whether an earlier attempt with the same authorization was refused. */
  readonly wasRefused: boolean;
  /** Whether no later cycle has begun. */
  readonly isLast: boolean;
  /** Whether no later cycle has been authorized. */
  readonly isCurrent: boolean;
  readonly collectBy: Instant | null;
  readonly collectedAt: Instant | null;
}

/**
 * Answers the row `sent` with it, which a part of the statement has written, and more. Where the subscription's lock was taken
 * by an earlier statement alone: what this one sees is older than a lock of its own.
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

/** When a debit was made that an operator has found: the service's own time if the ledger has it, else when it was sent. */
export function debitTimeOf({ authorizationCreatedAt, at }: AttemptRecord): Instant {
  return authorizationCreatedAt ?? at;
}

/**
 * The cycle is collected. Due date, standing and what the next cycle collects follow only where no later cycle has begun: a
 * debit that landed late says nothing of those (rules 10, 25). What was collected last is that of the latest cycle (rule 21);
 * an increase counts from its authorization, however late it landed (rules 19, 20).
 * Under the subscription's lock.
 * @returns the id of the last entry that it writes to the trail
 */
export async function collectCycle(db: Db, attempt: WithBefore, collecting: Collecting): Promise<number> {
  const last = await readValue<number>(db, 'select collect_cycle($1, $2, $3, $4)', [
    ...collectedColumns(attempt, collecting),
  ]);
  if (last === null) {
    const { subscriptionId, cycle } = attempt;
    throw new Error(`that cycle ${cycle} of ${subscriptionId} is collected was not written to the audit log`);
  }
  return last;
}

/** Arguments of `collect_cycle`. */
export function collectedColumns(
  attempt: WithBefore,
  { at, debitedAt = at, nextDueAt }: Collecting,
): [string | null, string | null, string | null, string | null] {
  const { subscriptionId, cycle, amount, before } = attempt;
  const { isLast, isCurrent } = before;
  const collected = {
    ...{ subscriptionId, cycle, isLast, isCurrent, cents: amount.value, at: instantToColumn(debitedAt) },
    isDueNext: isLast && nextDueAt !== undefined,
    nextDueAt: instantToColumn(nextDueAt ?? null),
    increasedAt: instantToColumn(increasedAt(attempt)),
  };
  const entries = collectedEntries(attempt, at, debitedAt);
  return [jsonToColumn(collected), ...entryColumns({ subscriptionId, at, actor: DUEDAY, entries })];
}

/** As of when its workflow hears that it is collected; null where the six-month rule does not count it. */
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
