import { counted, euros, formatMoney, type Money } from '../../domain/money';
import type { ClosingReason } from '../../domain/subscription/step';
import { HOUR, type Instant, isoOrNull, MINUTE, toIso } from '../../domain/time';
import type { AttemptStory, CycleStory, LifeRecord } from '../life-record';

/** Why a cycle ended uncollected. */
const REASONS: Readonly<Record<string, string>> = {
  paused: 'due during a pause',
  skipped_by_request: 'skipped by request',
  replaced: 'left to the subscription that replaces it',
  window_closed: 'nothing could be sent in the window',
  rejected: 'the bank rejected it for good',
  capture_failed: 'authorized, but the debit failed',
  retries_used: 'the bank rejected it and every retry',
  no_time_left: 'rejected, and no time left for a retry',
  out_of_time: 'the time for retries has passed',
  notice_undeliverable: 'the payer could not be notified',
  consent_ended: 'the consent had ended',
  outcome_not_known: 'the outcome is unknown',
} satisfies Readonly<Record<ClosingReason | 'outcome_not_known', string>>;

/** Attempts that reached the bank, or may have. */
export function attemptsAtBank({ attempts }: CycleStory): readonly AttemptStory[] {
  return attempts.filter(({ outcome }) => outcome !== 'not_sent');
}

/** Why the cycle has its outcome. */
export function whyOf(cycle: CycleStory): string {
  const last = attemptsAtBank(cycle).at(-1);
  if (cycle.status !== 'collected') return uncollected(cycle, last);
  const resent = cycle.attempts.some(({ outcome }) => outcome === 'not_sent') ? ', sent again' : '';
  const late = cycle.collectedAt === null ? '' : lateness(cycle.collectedAt - cycle.dueAt);
  return last === undefined || last.attempt === 0
    ? `first attempt${late}${resent}`
    : `retry ${last.attempt}${late}, after a notice${resent}`;
}

function uncollected({ status, reason }: CycleStory, last: AttemptStory | undefined): string {
  if (reason !== null) return REASONS[reason] ?? reason;
  if (status === 'dunning') return 'waits for a retry';
  return last === undefined ? '' : `the last attempt is ${last.outcome}`;
}

/** Empty if it was on time. */
function lateness(ms: number): string {
  if (ms < MINUTE) return '';
  return ms < HOUR ? ` ${Math.round(ms / MINUTE)} min late` : ` ${Math.round(ms / HOUR)} h late`;
}

export interface Totals {
  readonly cycles: number;
  readonly collected: number;
  readonly collectedAmount: Money;
  readonly failed: number;
  readonly skipped: number;
  readonly missed: number;
  readonly open: number;
  /** Authorizations that reached the bank, or may have. */
  readonly attempts: number;
  readonly retries: number;
  readonly notices: number;
}

export function totalsOf(life: LifeRecord): Totals {
  const { cycles } = life;
  const count = (status: CycleStory['status']) => cycles.filter((cycle) => cycle.status === status).length;
  const [collected, failed, skipped, missed] = [count('collected'), count('failed'), count('skipped'), count('missed')];
  const attempts = cycles.flatMap((cycle) => attemptsAtBank(cycle));
  const sum = cycles.reduce((cents, { status, amount }) => cents + (status === 'collected' ? amount.value : 0), 0);
  return {
    cycles: cycles.length,
    collected,
    collectedAmount: euros(sum),
    failed,
    skipped,
    missed,
    open: cycles.length - collected - failed - skipped - missed,
    attempts: attempts.length,
    retries: attempts.filter(({ attempt }) => attempt > 0).length,
    notices: life.notices.length,
  };
}

/** `60 cycles: 58 collected (1159.42 EUR), 1 failed, 1 skipped`. */
export function sumUp(life: LifeRecord): string {
  const { cycles, collected, collectedAmount, ...rest } = totalsOf(life);
  const others = (['failed', 'skipped', 'missed', 'open'] as const)
    .filter((each) => rest[each] > 0)
    .map((each) => `, ${rest[each]} ${each}`);
  return `${counted(cycles, 'cycle')}: ${collected} collected (${formatMoney(collectedAmount)})${others.join('')}`;
}

/** `2027-01-31 09:00`, UTC. */
export function minute(at: Instant): string {
  return toIso(at).slice(0, 16).replace('T', ' ');
}

export function describePause({ from, until }: LifeRecord['pauses'][number]): string {
  return `paused from ${minute(from)}${until === null ? '' : ` until ${minute(until)}`}`;
}

/** One row per cycle; the first row has the headings. */
export function lifeTable(life: LifeRecord): string[][] {
  return [
    ['CYCLE', 'DUE (UTC)', 'COLLECTED AT', 'ATTEMPTS', 'AMOUNT', 'OUTCOME', 'WHY'],
    ...life.cycles.map((cycle) => [
      String(cycle.cycle),
      minute(cycle.dueAt),
      cycle.collectedAt === null ? '-' : minute(cycle.collectedAt),
      String(attemptsAtBank(cycle).length),
      formatMoney(cycle.amount),
      cycle.status,
      whyOf(cycle),
    ]),
  ];
}

/** The lines below the table. */
export function closingLines(life: LifeRecord): string[] {
  const { status, standing, cancelled, scriptedEvents } = life;
  const refused = scriptedEvents.flatMap(({ at, description, refusal }) =>
    refusal === null ? [] : [`refused at ${minute(at)}: ${description}: ${refusal}`],
  );
  const end = cancelled === null ? '' : ` by the ${cancelled.by} at ${minute(cancelled.at)}`;
  return [...refused, sumUp(life), `${status}${end}, standing ${standing}; simulated until ${minute(life.until)}`];
}

/** The life as one JSON document: instants in ISO, money in cents with its currency. */
export function lifeDocument(life: LifeRecord): unknown {
  const { repetition, startAt, firstPaymentAt, endAt, consentAmount, onExhausted } = life.terms;
  const { status, standing, cancelled, notices, pauses, amounts, scriptedEvents } = life;
  return {
    terms: {
      repetition,
      amount: consentAmount,
      startAt: toIso(startAt),
      firstPaymentAt: toIso(firstPaymentAt),
      endAt: isoOrNull(endAt),
      onExhausted,
    },
    from: toIso(life.from),
    until: toIso(life.until),
    status,
    standing,
    cancelled: cancelled === null ? null : { at: toIso(cancelled.at), by: cancelled.by },
    cycles: life.cycles.map(cycleDocument),
    notices: notices.map(({ at, ...about }) => ({ at: toIso(at), ...about })),
    pauses: pauses.map(({ from, until }) => ({ from: toIso(from), until: isoOrNull(until) })),
    amounts: amounts.map(({ cycle, dueAt, amount }) => ({ cycle, dueAt: toIso(dueAt), amount })),
    events: scriptedEvents.map(({ at, description, refusal }) => ({ at: toIso(at), description, refusal })),
    totals: totalsOf(life),
  };
}

function cycleDocument(story: CycleStory): unknown {
  const { cycle, dueAt, collectBy, amount, status, reason, collectedAt } = story;
  return {
    cycle,
    dueAt: toIso(dueAt),
    collectBy: toIso(collectBy),
    amount,
    status,
    collectedAt: isoOrNull(collectedAt),
    reason,
    why: whyOf(story),
    attempts: story.attempts.map(({ attempt, send, at, outcome, detail, noticeAt }) => ({
      attempt,
      send,
      at: toIso(at),
      outcome,
      detail,
      payerNotifiedAt: isoOrNull(noticeAt),
    })),
  };
}
