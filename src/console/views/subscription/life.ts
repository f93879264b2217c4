import { amountsOf, type CycleStory, type DrawnLife, pausesOf } from '../../../simulation/life-record';
import type { AuditEntry, Cycle, Notice, PageOf, ScheduledCycle, Subscription } from '../common/schemas';

/** All that is known of a subscription, as its page shows it. Oldest first throughout. */
export interface Life {
  readonly subscription: Subscription;
  readonly cycles: readonly Cycle[];
  /** Whether there are cycles before these. */
  readonly hasEarlier: boolean;
  readonly coming: readonly ScheduledCycle[];
  readonly notices: readonly Notice[];
  /** Its pauses and its end, by the trail. */
  readonly turns: readonly AuditEntry[];
}

/** What the API has answered of it, each list as it comes: newest first, but what is to come. */
export interface Answers {
  readonly subscription: Subscription;
  readonly cycles: PageOf<Cycle>;
  readonly coming: { readonly items: readonly ScheduledCycle[] };
  readonly notices: PageOf<Notice>;
  readonly turns: readonly PageOf<AuditEntry>[];
}

export function lifeOf({ subscription, cycles, coming, notices, turns }: Answers): Life {
  const known = new Set(cycles.items.map(({ cycle }) => cycle));
  return {
    subscription,
    cycles: cycles.items.toReversed(),
    hasEarlier: cycles.nextCursor !== null,
    // One that has begun is among the cycles.
    coming: coming.items.filter(({ cycle }) => !known.has(cycle)),
    notices: notices.items.toReversed(),
    turns: turns.flatMap(({ items }) => items).sort((one, other) => Date.parse(one.at) - Date.parse(other.at)),
  };
}

/** Whether due dates of it are to come, now or after its pause: none of one that is being cancelled. */
export function isLiving({ status, cancelling }: Pick<Subscription, 'status' | 'cancelling'>): boolean {
  return (status === 'active' || status === 'paused') && cancelling === undefined;
}

/** The life as the drawing and its list tell it. @param now epoch ms of business time */
export function drawnLife(life: Life, now: number): DrawnLife {
  const { subscription } = life;
  const terms = {
    repetition: subscription.repetition,
    firstPaymentAt: Date.parse(subscription.firstPaymentAt),
    consentAmount: subscription.consentAmount,
  };
  const cycles = [...life.cycles.map(storyOf), ...life.coming.map(storyToCome)];
  return {
    terms,
    now,
    until: now,
    cycles,
    cancelled: endOf(life),
    notices: life.notices.flatMap(noticeStory),
    pauses: pausesAt(life),
    amounts: amountsOf(terms, cycles),
  };
}

export function storyOf({ dueAt, collectBy, collectedAt, reason, attempts, cycle, amount, status }: Cycle): CycleStory {
  return {
    cycle,
    amount,
    status,
    dueAt: Date.parse(dueAt),
    collectBy: Date.parse(collectBy),
    reason: reason ?? null,
    collectedAt: collectedAt === undefined ? null : Date.parse(collectedAt),
    attempts: attempts.map(({ attempt, send, at, outcome, detail, payerNotifiedAt }) => ({
      attempt,
      send,
      at: Date.parse(at),
      // The API's word for a failed debit is that of a refusal; the cycle's reason tells them apart.
      outcome: outcome === 'rejected' && reason === 'capture_failed' ? 'capture_failed' : outcome,
      detail: detail ?? null,
      noticeAt: payerNotifiedAt === undefined ? null : Date.parse(payerNotifiedAt),
    })),
  };
}

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

function endOf({ subscription, turns }: Life): DrawnLife['cancelled'] {
  const at = turns.find(({ type }) => type === 'subscription.cancelled')?.at;
  const by = subscription.cancelledBy;
  return at === undefined || by === undefined ? null : { at: Date.parse(at), by };
}

/** The one that stands has its planned end. */
function pausesAt({ subscription, turns }: Life): DrawnLife['pauses'] {
  const { status, pausedUntil } = subscription;
  const pauses = pausesOf(turns.map(({ type, at, data }) => ({ type, data, at: Date.parse(at) })));
  const last = pauses.at(-1);
  if (status === 'paused' && pausedUntil !== undefined && last?.until === null) last.until = Date.parse(pausedUntil);
  return pauses;
}
