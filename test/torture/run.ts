/**
 * `npm run torture -- --subscriptions 100 --months 3 --kills 100 [--days D] [--seed N] [--speed S] [--logs FOLDER]`:
 * subscriptions over virtual months with real processes that are killed at random moments, and every fault that the
 * payment service's simulator knows. The faster the programs start on this machine, the faster time runs: at most four
 * hours a second (`--speed 14400`, a collection window of 30 s). The seed is printed; the same seed gives the same
 * plan. Last line:
 * `torture: 100 subscriptions, 0 double debits, 0 lost dates, 0 broken invariants`.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DAY, plusMonths } from '../lives/calendar';
import { runCampaign, say } from '../support/campaign';
import { interruption } from '../support/interruption';
import { MIN_DURATION, type TortureOrder } from './plan';
import { torture } from './torture';

const START = Date.parse('2027-01-29T08:00:00.000Z');

function readOrder(): TortureOrder & { readonly logs: string | null } {
  const { values } = parseArgs({
    options: {
      subscriptions: { type: 'string', default: '100' },
      months: { type: 'string', default: '3' },
      days: { type: 'string' },
      kills: { type: 'string', default: '100' },
      seed: { type: 'string' },
      logs: { type: 'string' },
      speed: { type: 'string' },
    },
  });
  const numberOf = (name: string, value: string): number => {
    if (!/^\d{1,10}$/.test(value)) throw new RangeError(`--${name}: expected a whole number from 0 on; got ${value}`);
    return Number(value);
  };
  const lasts =
    values.days === undefined
      ? plusMonths(START, numberOf('months', values.months)) - START
      : numberOf('days', values.days) * DAY;
  if (lasts < MIN_DURATION) throw new RangeError(`--days: expected ${MIN_DURATION / DAY} or more`);
  return {
    subscriptions: numberOf('subscriptions', values.subscriptions),
    kills: numberOf('kills', values.kills),
    seed: values.seed === undefined ? randomInt(2 ** 31) : numberOf('seed', values.seed),
    speed: values.speed === undefined ? null : numberOf('speed', values.speed),
    lasts,
    logs: values.logs ?? null,
  };
}

async function main(): Promise<number> {
  const order = readOrder();
  say(`seed ${order.seed}`);
  const { tally, isComplete } = await torture(order, START, order.logs, interruption(), say);
  const { simulated, doubles, lost, broken } = tally;
  say(`torture: ${simulated} subscriptions, ${doubles} double debits, ${lost} lost dates, ${broken} broken invariants`);
  return isComplete && simulated > 0 && doubles + lost + broken === 0 ? 0 : 1;
}

// A failure ends the process at once: lives that are not over would still wait for their dates.
runCampaign(main);
