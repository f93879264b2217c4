import type { SubscriptionId } from '../../domain/ids';
import { euros, type Money } from '../../domain/money';
import { isCountedIncrease } from '../../domain/subscription/amount';
import { toIso, type Instant } from '../../domain/time';
import { type Db, instantToColumn, readValue, type StatementPart, withParts, wordsOf } from '../statements';
import { DUEDAY, eventsPart, type NewEntry } from '../trail';
import type { AttemptRecord } from './attempts';
import { OVER } from './ground';

/** A send, and what its cycle and subscription were before its outcome was written. */
export interface WithBefore extends AttemptRecord {
  readonly before: Before;
}

interface Before {
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
  return `select sent.*${more}, s.current_amount as "before.current_cents", s.consent_amount as "before.consent_amount",
      coalesce((
        select earlier.amount from attempts earlier
        where earlier.subscription_id = sent.subscription_id and earlier.cycle < sent.cycle
          and earlier.state in ('successful', 'capture_failed')
        order by earlier.cycle desc limit 1
      ), first_current(s)) as "before.previous_amount",
      coalesce(c.status in (${wordsOf(OVER)}), false) as "before.is_over",
      exists (
        select from attempts earlier
        where earlier.payment_id = sent.payment_id and earlier.authorization_id = sent.authorization_id
          and earlier.state in ('rejected', 'rejected_retryable')
      ) as "before.was_refused",
      coalesce(c.status = 'collected' and exists (
        select from attempts other
        where (other.subscription_id, other.cycle) = (sent.subscription_id, sent.cycle) and other.state = 'successful'
          and (other.attempt, other.send) <> (sent.attempt, sent.send)
      ), false) as "before.is_collected",
      c.collect_by as "before.collect_by", c.collected_at as "before.collected_at", not exists (
        select from cycles later
        where later.subscription_id = sent.subscription_id and later.cycle > sent.cycle
          and later.status not in ('scheduled', 'skipped')
      ) as "before.is_last", not exists (
        select from attempts later
        where later.subscription_id = sent.subscription_id and later.cycle > sent.cycle
          and later.state in ('successful', 'capture_failed')
      ) as "before.is_current"
    from sent join subscriptions s on s.subscription_id = sent.subscription_id
      left join cycles c on c.subscription_id = sent.subscription_id and c.cycle = sent.cycle`;
}

/**
 * The cycle is collected. Due date, standing and what the next cycle collects follow only where no later cycle has begun: a
 * debit that landed late says nothing of those (rules 10, 25). What was collected last is that of the latest cycle (rule 21);
 * an increase counts from its authorization, however late it landed (rules 19, 20).
 * Under the subscription's lock.
 * @returns the id of the last entry that it writes to the trail
 */
export async function collectCycle(
  db: Db,
  attempt: WithBefore,
  at: Instant,
  nextDueAt?: Instant | null,
): Promise<number> {
  const { subscriptionId, cycle } = attempt;
  const { text, values } = withParts(
    [
      collectedPart(subscriptionId, cycle, at),
      followedPart(attempt, nextDueAt),
      eventsPart({ subscriptionId, at, actor: DUEDAY, entries: collectedEntries(attempt, at) }),
    ],
    'select max(id) from entry',
  );
  const last = await readValue<number>(db, text, values);
  if (last === null)
    throw new Error(`that cycle ${cycle} of ${subscriptionId} is collected was not written to the trail`);
  return last;
}

function collectedPart(subscriptionId: SubscriptionId, cycle: number, at: Instant): StatementPart {
  const values = [subscriptionId, cycle, instantToColumn(at)];
  return (first) => ({
    text: `collected as (
      update cycles set status = 'collected', collected_at = coalesce(collected_at, $${first + 2}), reason = null,
        next_attempt_at = null, retries_left = 0, retry_until = null
      where subscription_id = $${first} and cycle = $${first + 1}
      returning cycle
    )`,
    values,
  });
}

function followedPart(attempt: WithBefore, nextDueAt: Instant | null | undefined): StatementPart {
  const { subscriptionId, cycle, amount, before } = attempt;
  const { isLast, isCurrent } = before;
  const values = [
    ...[subscriptionId, cycle, isLast, isCurrent, amount.value, isLast && nextDueAt !== undefined],
    ...[instantToColumn(nextDueAt ?? null), instantToColumn(increasedAt(attempt))],
  ];
  return (first) => {
    const [id, number, last, current, cents, isDueNext, dueNext, increase] = values.map(
      (_, index) => `$${first + index}`,
    );
    return {
      // The part beside it is not seen: the cycle counts by what that returns.
      text: `followed as (
        update subscriptions set
          cycles_collected = (select count(*) from collected) + (
            select count(*) from cycles where subscription_id = ${id} and status = 'collected' and cycle <> ${number}
          ),
          amount = case when ${last} then ${cents} else amount end,
          current_amount = case when ${current} then ${cents} else current_amount end,
          last_increase_at = greatest(last_increase_at, ${increase}::timestamptz),
          dunning = dunning and not ${last}, past_due = past_due and not ${last},
          next_due_at = case when ${isDueNext} and status in ('active', 'paused') then ${dueNext} else next_due_at end
        where subscription_id = ${id}
      )`,
      values,
    };
  };
}

/** As of when its workflow hears that it is collected; null where the six-month rule does not count it. */
function increasedAt({ amount, before, ...attempt }: WithBefore): Instant | null {
  const counts = isCountedIncrease(amount, before.previousAmount, before.consentAmount);
  return counts ? (attempt.authorizationCreatedAt ?? attempt.outcomeAt ?? attempt.at) : null;
}

function collectedEntries({ before, ...attempt }: WithBefore, at: Instant): readonly NewEntry[] {
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
      collectedAt: toIso(at),
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
