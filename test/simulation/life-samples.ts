import type { SubscriptionId } from '../../src/domain/ids';
import { collectionWindow, type Repetition } from '../../src/domain/subscription/schedule';
import { DAY, HOUR, type Instant } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { CycleStatus, Terms } from '../../src/domain/subscription/state';
import type { AttemptStory, CycleStory, LifeRecord } from '../../src/simulation/life-record';

export const FIRST = Date.parse('2027-01-31T09:00:00.000Z');

/** A life whose cycles were all collected at once on their due dates, unless overridden. */
export function sampleLife(repetition: Repetition, cycles: number, rest: Partial<LifeRecord> = {}): LifeRecord {
  const terms = sampleTerms(repetition);
  return {
    terms,
    from: terms.startAt,
    now: null,
    until: FIRST + 6000 * DAY,
    status: 'active',
    standing: 'good',
    cancelled: null,
    cycles: Array.from({ length: cycles }, (_, cycle) => collectedCycle(terms, cycle)),
    notices: [],
    pauses: [],
    scriptedEvents: [],
    amounts: [{ cycle: 0, dueAt: FIRST, amount: terms.consentAmount }],
    ...rest,
  };
}

export function sampleTerms(repetition: Repetition): Terms {
  return {
    subscriptionId: 'simulated' as SubscriptionId,
    repetition,
    firstPaymentAt: FIRST,
    startAt: FIRST - DAY,
    endAt: null,
    consentAmount: euros(1999),
    onExhausted: 'continue' as const,
  };
}

export function collectedCycle(terms: Terms, cycle: number): CycleStory {
  const window = collectionWindow(terms, cycle);
  return {
    cycle,
    ...window,
    amount: euros(1999),
    status: 'collected',
    reason: null,
    collectedAt: window.dueAt + 60,
    attempts: [attemptAt(0, window.dueAt, 'successful')],
  };
}

/** Refused at the first attempt and at each retry, a day apart, with a notice to the payer each time. */
export function refusedCycle(terms: Terms, cycle: number, attempts = 4): CycleStory {
  const window = collectionWindow(terms, cycle);
  const made = Array.from({ length: attempts }, (_, attempt) => {
    const at = window.dueAt + Math.min(attempt * 24 * HOUR, 71 * HOUR);
    return { ...attemptAt(attempt, at, 'rejected_retryable'), noticeAt: at + 50 };
  });
  return { ...uncollectedCycle(terms, cycle, 'failed', 'retries_used'), attempts: made };
}

export function uncollectedCycle(terms: Terms, cycle: number, status: CycleStatus, reason: string): CycleStory {
  const window = collectionWindow(terms, cycle);
  return { cycle, ...window, amount: euros(1999), status, reason, collectedAt: null, attempts: [] };
}

export function attemptAt(attempt: number, at: Instant, outcome: AttemptStory['outcome']): AttemptStory {
  return { attempt, send: 0, at, outcome, detail: null, noticeAt: null };
}
