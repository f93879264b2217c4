import { amountsOf, type CycleStory, type DrawnLife, pausesOf } from '../../../simulation/life-record';
import { whyOf as whyOfStory } from '../../../simulation/report/text';
import { type Money, sameMoney } from '../../../domain/money';
import type { Attempt, AuditEntry, Cycle, Notice, PageOf, ScheduledCycle, Subscription } from '../common/schemas';

/** The history and future of a subscription, as its page shows it. All lists are oldest first. */
export interface Life {
  readonly subscription: Subscription;
  readonly cycles: readonly Cycle[];
  /** Whether there are earlier cycles. */
  readonly hasEarlier: boolean;
  readonly coming: readonly ScheduledCycle[];
  readonly notices: readonly Notice[];
  /** Audit entries of its pauses and its end. */
  readonly changes: readonly AuditEntry[];
}

/** The API's data, in its order: newest first, except `coming`. */
export interface Answers {
  readonly subscription: Subscription;
  readonly cycles: PageOf<Cycle>;
  readonly coming: { readonly items: readonly ScheduledCycle[] };
  readonly notices: PageOf<Notice>;
  readonly changes: readonly PageOf<AuditEntry>[];
}

export function lifeOf({ subscription, cycles, coming, notices, changes }: Answers): Life {
  const known = new Set(cycles.items.map(({ cycle }) => cycle));
  return {
    subscription,
    cycles: cycles.items.toReversed(),
    hasEarlier: cycles.nextCursor !== null,
    // A started cycle is among `cycles`.
    coming: coming.items.filter(({ cycle }) => !known.has(cycle)),
    notices: notices.items.toReversed(),
    changes: changes.flatMap(({ items }) => items).sort((one, other) => Date.parse(one.at) - Date.parse(other.at)),
  };
}

/** Whether the subscription is active or paused, and not being cancelled. */
export function isOngoing({ status, cancelling }: Pick<Subscription, 'status' | 'cancelling'>): boolean {
  return (status === 'active' || status === 'paused') && cancelling === undefined;
}

/** The data for the timeline and the list. @param now epoch ms of business time */
export function drawnLife(life: Life, now: number): DrawnLife {
  const { subscription } = life;
  const terms = {
    repetition: subscription.repetition,
    firstPaymentAt: Date.parse(subscription.firstPaymentAt),
    consentAmount: subscription.consentAmount,
  };
  const cycles = [...life.cycles.map(storyOf), ...life.coming.map(storyToCome)];
  const tried = amountsOf(terms, cycles);
  return {
    terms,
    now,
    until: now,
    cycles,
    cancelled: endOf(life),
    notices: life.notices.flatMap(noticeStory),
    pauses: pausesAt(life),
    amounts: [...tried, ...amountsToCome(cycles, tried.at(-1)?.amount)],
  };
}

/** Each coming cycle whose amount differs from the one before, such as the first one of a pending change. */
function amountsToCome(cycles: readonly CycleStory[], current: Money | undefined): DrawnLife['amounts'] {
  return cycles
    .filter(({ status }) => status === 'scheduled')
    .filter(({ amount }, index, coming) => {
      const before = coming[index - 1]?.amount ?? current;
      return before !== undefined && !sameMoney(before, amount);
    })
    .map(({ cycle, dueAt, amount }) => ({ cycle, dueAt, amount }));
}

/** Why the cycle has its outcome. A debit that another system made is not one of our attempts (rule 40). */
export function whyOf(cycle: Cycle): string {
  const isAdopted = cycle.attempts.some(({ adopted, outcome }) => adopted && outcome === 'successful');
  if (cycle.status === 'collected' && isAdopted) return 'paid by a debit that dueday found but did not send';
  return whyOfStory(storyOf(cycle));
}

export function storyOf({ dueAt, collectBy, collectedAt, reason, attempts, cycle, amount, status }: Cycle): CycleStory {
  return {
    cycle,
    amount,
    status,
    dueAt: Date.parse(dueAt),
    collectBy: Date.parse(collectBy),
    reason: attempts.some(isRecordedAsFailed) ? RECORDED_AS_FAILED : (reason ?? null),
    collectedAt: collectedAt === undefined ? null : Date.parse(collectedAt),
    attempts: attempts.map(({ attempt, send, at, outcome, detail, payerNotifiedAt }) => ({
      attempt,
      send,
      at: Date.parse(at),
      outcome: outcomeIn({ reason }, { outcome }),
      detail: detail ?? null,
      noticeAt: payerNotifiedAt === undefined ? null : Date.parse(payerNotifiedAt),
    })),
  };
}

/** The API reports a failed debit as a refusal; the cycle's reason distinguishes them. */
export function outcomeIn({ reason }: Pick<Cycle, 'reason'>, { outcome }: Pick<Cycle['attempts'][number], 'outcome'>) {
  return outcome === 'rejected' && reason === 'capture_failed' ? 'capture_failed' : outcome;
}

/** An attempt whose unknown outcome an admin resolved as failed: no bank refused it. */
export function isRecordedAsFailed({ resolvedBy, outcome }: Attempt): boolean {
  return resolvedBy !== undefined && outcome === 'rejected';
}

/** Shown instead of the cycle's reason, which would report a refusal. */
const RECORDED_AS_FAILED = 'an admin recorded that it was not debited';

function storyToCome({ cycle, dueAt, collectBy, amount }: ScheduledCycle): CycleStory {
  return {
    cycle,
    amount,
    status: 'scheduled',
    dueAt: Date.parse(dueAt),
    collectBy: Date.parse(collectBy),
    reason: null,
    collectedAt: null,
    attempts: [],
  };
}

function noticeStory({ deliveredAt, type, cycle, attempt }: Notice) {
  if (deliveredAt === null) return [];
  return [{ at: Date.parse(deliveredAt), type, cycle: cycle ?? null, attempt: attempt ?? null }];
}

function endOf({ subscription, changes }: Life): DrawnLife['cancelled'] {
  const at = changes.find(({ type }) => type === 'subscription.cancelled')?.at;
  const by = subscription.cancelledBy;
  return at === undefined || by === undefined ? null : { at: Date.parse(at), by };
}

/** The pauses so far; one that has not ended has its planned end, if any. */
function pausesAt({ subscription, changes }: Life): DrawnLife['pauses'] {
  const { status, pausedUntil } = subscription;
  const pauses = pausesOf(changes.map(({ type, at, data }) => ({ type, data, at: Date.parse(at) })));
  const last = pauses.at(-1);
  if (status === 'paused' && pausedUntil !== undefined && last?.until === null) last.until = Date.parse(pausedUntil);
  return pauses;
}
