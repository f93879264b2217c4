import { HOUR, type Instant, MINUTE, toIso } from '../domain/time';
import { euros, formatMoney, type Money } from '../domain/money';
import type { AttemptStory, CycleStory, LifeRecord } from '../simulation/life-record';

/** Reasons of cycles that ended uncollected, in words. */
const REASONS: Readonly<Record<string, string>> = {
  paused: 'due in a pause',
  skipped_by_request: 'skipped by request',
  window_closed: 'nothing could be sent in the window',
  rejected: 'the bank rejected it for good',
  capture_failed: 'authorized, but the debit failed',
  retries_used: 'the bank rejected it and every retry',
  no_time_left: 'rejected, and no time left for a retry',
  out_of_time: 'the time for retries passed',
  notice_undeliverable: 'the payer could not be told',
  consent_ended: 'the consent had ended',
  outcome_not_known: 'the outcome cannot be known',
};

/** Attempts that reached the bank. */
export function attemptsAtBank({ attempts }: CycleStory): readonly AttemptStory[] {
  return attempts.filter(({ outcome }) => outcome !== 'not_sent');
}

/** Why the cycle came out as it did. */
export function whyOf(cycle: CycleStory): string {
  const last = attemptsAtBank(cycle).at(-1);
  if (cycle.status !== 'collected') return uncollected(cycle, last);
  const resent = cycle.attempts.some(({ outcome }) => outcome === 'not_sent') ? ', sent anew' : '';
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

/** Nothing where it was on time. */
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
  /** Authorizations that reached the bank. */
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
    ...{ cycles: cycles.length, collected, collectedAmount: euros(sum), failed, skipped, missed },
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
  return `${cycles} cycle${cycles === 1 ? '' : 's'}: ${collected} collected (${formatMoney(collectedAmount)})${others.join('')}`;
}

/** `2027-01-31 09:00`, UTC. */
export function minute(at: Instant): string {
  return toIso(at).slice(0, 16).replace('T', ' ');
}
