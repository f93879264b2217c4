/**
 * `npm run contradictions [-- --only TEXT] [--speed S] [--logs FOLDER] [--details]`: every way in which the payment service may
 * contradict itself, side by side against real processes, for five weeks of business time, with lost answers and a worker that
 * is killed every week. The expected result of each is in table.ts. Under 15 minutes. Last line:
 * `contradictions: N kinds, M cycles, 0 second debits, 0 unexpected cycles, 0 extra items, 0 missing items`.
 */
import { parseArgs } from 'node:util';
import { runCampaign, say } from '../support/campaign';
import { interruption } from '../support/interruption';
import { contradict, type Options } from './campaign';
import type { Judgement } from './judge';

/** A collection window lasts 72 s, a week 101 s. */
const SPEED = '6000';

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      speed: { type: 'string', default: SPEED },
      logs: { type: 'string' },
      details: { type: 'boolean', default: false },
    },
  });
  if (!/^[1-9]\d{0,4}$/.test(values.speed)) {
    throw new RangeError(`--speed: expected a whole number from 1 to 99999; got ${values.speed}`);
  }
  const { only = null, logs = null, details: isDetailed } = values;
  return { only, logs, isDetailed, speed: Number(values.speed) };
}

async function main(): Promise<number> {
  const { kinds, judgements, otherItems } = await contradict(readOptions(), interruption(), say);
  const sum = (count: (each: Judgement) => number) => judgements.reduce((total, each) => total + count(each), 0);
  const found = [
    [sum(({ secondDebits }) => secondDebits.length), 'second debits'],
    [sum(({ unexpectedCycles }) => unexpectedCycles.length), 'unexpected cycles'],
    [sum(({ extraItems }) => extraItems.length) + otherItems.length, 'extra items'],
    [sum(({ missingItems }) => missingItems.length), 'missing items'],
  ] as const;
  const cycles = sum((each) => each.cycles);
  say(
    `contradictions: ${kinds} kinds, ${cycles} cycles, ${found.map(([count, what]) => `${count} ${what}`).join(', ')}`,
  );
  return kinds > 0 && found.every(([count]) => count === 0) ? 0 : 1;
}

runCampaign(main);
