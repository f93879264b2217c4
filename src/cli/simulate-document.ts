import { type Instant, toIso } from '../domain/time';
import type { CycleStory, LifeRecord } from '../simulation/life-record';
import { totalsOf, whyOf } from './simulate-words';

/** The life as one JSON document: instants in ISO, money in cents with its currency. */
export function lifeDocument(life: LifeRecord): unknown {
  const { repetition, startAt, firstPaymentAt, endAt, consentAmount, onExhausted } = life.terms;
  const { status, standing, cancelled, notices, pauses, amounts, happenings } = life;
  return {
    terms: {
      ...{ repetition, amount: consentAmount, startAt: toIso(startAt), firstPaymentAt: toIso(firstPaymentAt) },
      ...{ endAt: isoOrNull(endAt), onExhausted },
    },
    from: toIso(life.from),
    until: toIso(life.until),
    ...{ status, standing },
    cancelled: cancelled === null ? null : { at: toIso(cancelled.at), by: cancelled.by },
    cycles: life.cycles.map(cycleDocument),
    notices: notices.map(({ at, ...about }) => ({ at: toIso(at), ...about })),
    pauses: pauses.map(({ from, until }) => ({ from: toIso(from), until: isoOrNull(until) })),
    amounts: amounts.map(({ cycle, dueAt, amount }) => ({ cycle, dueAt: toIso(dueAt), amount })),
    happenings: happenings.map(({ at, says, refusal }) => ({ at: toIso(at), what: says, refusal })),
    totals: totalsOf(life),
  };
}

function cycleDocument(story: CycleStory): unknown {
  const { cycle, dueAt, collectBy, amount, status, reason, collectedAt } = story;
  return {
    ...{ cycle, dueAt: toIso(dueAt), collectBy: toIso(collectBy), amount, status },
    ...{ collectedAt: isoOrNull(collectedAt), reason, why: whyOf(story) },
    attempts: story.attempts.map(({ attempt, send, at, outcome, detail, noticeAt }) => ({
      ...{ attempt, send, at: toIso(at), outcome, detail, payerNotifiedAt: isoOrNull(noticeAt) },
    })),
  };
}

function isoOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant);
}
