import type { Check } from '../support/campaign';
import { realNow, type Arrival } from './meter';
import { busiestSecond, percentile } from './measure';
import type { Made } from './stack-in-storm';

/** The answer to a caller, and its time. Epoch ms of real time. */
export interface Told {
  readonly status: number;
  readonly ms: number;
  readonly answeredAt: number;
}

export async function timed(ask: () => Promise<number>): Promise<Told> {
  const asked = realNow();
  const status = await ask();
  const answeredAt = realNow();
  return { status, ms: answeredAt - asked, answeredAt };
}

export function msOf(told: readonly Told[]): readonly number[] {
  return told.map(({ ms }) => ms);
}

export function answered(name: string, told: readonly Told[], expected: readonly number[]): Check {
  const others = told.filter(({ status }) => !expected.includes(status)).map(({ status }) => status);
  const found = others.length === 0 ? `${told.length} of them` : `others: ${others.join(', ')}`;
  return {
    name: `${name} are answered with ${expected.join(' or ')}`,
    holds: told.length > 0 && others.length === 0,
    found,
  };
}

/** @param ms what each took; @param most what all but one of a hundred must take less than */
export function slowest(name: string, ms: readonly number[], most: number): Check {
  const [p50, p99] = [percentile(ms, 50), percentile(ms, 99)].map(Math.round);
  return {
    name: `${name} takes less than ${most} ms (p99)`,
    holds: (p99 ?? 0) < most,
    found: `p50 ${p50} ms, p99 ${p99} ms`,
  };
}

/** @param stopped what was answered to the stop of each of the targets, in their order */
export function sentAfterStop(arrivals: readonly Arrival[], targets: readonly Made[], stopped: readonly Told[]): Check {
  const late = targets.filter(({ paymentId }, n) =>
    arrivals.some(({ at, method, path }) => {
      return method === 'POST' && path === `/${paymentId}/authorizations` && at > (stopped[n]?.answeredAt ?? 0);
    }),
  );
  return { name: 'nothing is sent after an answered stop', holds: late.length === 0, found: `${late.length} were` };
}

/** @param since real time, epoch ms, at which the workers began to come up with the cap */
export function atMost(arrivals: readonly Arrival[], since: number, rate: number): Check {
  const busiest = busiestSecond(arrivals.filter(({ at }) => at >= since));
  const holds = busiest.length <= rate;
  const from = busiest[0]?.at ?? 0;
  const each = busiest.map(({ at, method, path }) => `${(at - from).toFixed()} ms ${method} ${path}`);
  const found = `${busiest.length} at most${holds ? '' : `: ${each.join(', ')}`}`;
  return { name: `never more than ${rate} calls in a second`, holds, found };
}
