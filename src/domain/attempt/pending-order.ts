import { MAX_REFUND_DURATION } from '../payment/refund-rules';
import { toIso } from '../time';
import { type Action, alertOf, type RetryLater, retryLater, type SideEffect } from './action';
import type { ListResult, Attempt, Facts, Send, ServiceRecord } from './attempt';
import { typeOf } from './before-send';
import { growingWait, slowWait } from './waits';
import { ageOf } from './unknown-outcome';

/** Polls until the order is final. A pending order is never sent again or counted as failed, however long it takes (rules 10, 18). */
export function pollOrder(attempt: Attempt, facts: Facts, send: Send): Action {
  const { list } = facts;
  if (list === null) return { kind: 'poll' };
  if (list.kind === 'unreadable') {
    return notFinal(attempt, facts, send, { kind: 'unreadable', why: list.why, atLeast: list.retryAfter });
  }
  const made = list.records.find(({ id }) => id === send.id);
  if (made === undefined) return notFinal(attempt, facts, send, notListed(list));
  switch (made.status) {
    case 'successful':
      return { kind: 'settle', outcome: { state: 'successful', id: made.id, createdAt: made.createdAt } };
    case 'failed': {
      const { detail = `${attempt.recordKind.toUpperCase()}_FAILED`, description = '' } = made;
      return { kind: 'settle', outcome: { state: 'refused', detail, description, retryable: false, made } };
    }
    default:
      return notFinal(attempt, facts, send, pendingAsListed(attempt, made));
  }
}

/** The result of polling an order that is not final. */
interface NotFinal {
  readonly kind: 'pending' | 'unlisted' | 'unreadable';
  readonly why: string;
  /** Real ms for which the service must not be called. */
  readonly atLeast?: number;
  readonly sideEffects?: readonly SideEffect[];
}

/** An incomplete list proves nothing about records that it lacks (rule 39). */
function notListed({ incomplete }: Extract<ListResult<ServiceRecord>, { kind: 'listed' }>): NotFinal {
  if (incomplete === undefined) return { kind: 'unlisted', why: 'the service does not list it' };
  return { kind: 'unreadable', why: `the list is incomplete: ${incomplete}` };
}

/** An unknown status counts as pending and raises an alert (rule 41). */
function pendingAsListed(attempt: Attempt, { id, unknownStatus: status }: ServiceRecord): NotFinal {
  const why = `the service says ${status ?? 'pending'}`;
  if (status === undefined) return { kind: 'pending', why };
  const name = attempt.recordKind === 'capture' ? { captureId: id } : { serviceRefundId: id };
  return { kind: 'pending', why, sideEffects: [alertOf(typeOf(attempt, 'unknown_status'), { ...name, status })] };
}

/** Polling continues; an operator may resolve an overdue order meanwhile. */
function notFinal(attempt: Attempt, facts: Facts, send: Send, seen: NotFinal): RetryLater {
  const reason = whyOverdue(attempt, facts, send, seen);
  const sideEffects: SideEffect[] = [...(seen.sideEffects ?? [])];
  // An unreadable answer does not close an open item.
  if (reason !== null || seen.kind !== 'unreadable') sideEffects.push({ kind: 'overdue', reason });
  if (reason !== null) sideEffects.push(alertOf(typeOf(attempt, 'overdue'), { reason }));
  const age = ageOf(facts, send);
  const wait = reason === null ? growingWait(age) : slowWait(age, facts.clock);
  const why = `${attempt.recordKind} ${send.id ?? ''}: ${seen.why}`;
  return retryLater('pending', why, Math.max(wait, seen.atLeast ?? 0), ...sideEffects);
}

/**
 * Null while the order may still become final by itself, and within the settle time, as a new record may be listed
 * late.
 */
function whyOverdue(attempt: Attempt, facts: Facts, send: Send, { kind, why }: NotFinal): string | null {
  if (ageOf(facts, send) < facts.settle) return null;
  if (kind === 'unlisted') return `the service does not list ${send.id ?? 'it'} any more`;
  const dueBy = attempt.endsAt ?? send.at + MAX_REFUND_DURATION;
  return facts.now < dueBy ? null : `pending past ${toIso(dueBy)}: ${why}`;
}
