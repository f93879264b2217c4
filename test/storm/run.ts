/**
 * `npm run storm -- [--due 10000] [--rate 10]`: `--due` subscriptions fall due in one instant, the payment service takes
 * `--rate` calls a second, and over the next ten minutes callers pause, cancel and create, while one of three workers is killed.
 * It needs two processors to itself. Last line: `storm: N checks, 0 failed`.
 */
import { parseArgs } from 'node:util';
import { MINUTE, SECOND } from '../../src/domain/time';
import { report, runCampaign, say } from '../support/campaign';
import { interruption } from '../support/interruption';
import { storm, type StormOrder } from './storm';

function readOrder(): StormOrder {
  const { values } = parseArgs({
    options: { due: { type: 'string', default: '10000' }, rate: { type: 'string', default: '10' } },
  });
  const [due, rate] = [Number(values.due), Number(values.rate)];
  if (!Number.isInteger(due) || due < 200) throw new RangeError(`--due: expected 200 or more; got ${values.due}`);
  if (!(rate >= 1)) throw new RangeError(`--rate: expected 1 or more calls a second; got ${values.rate}`);
  const people = { pauses: 100, cancels: 20, creations: 20 };
  return { due, rate, lasts: 10 * MINUTE, ...people, checks: 2_500, viewers: 60, slowestStop: SECOND };
}

async function main(): Promise<number> {
  const checks = await storm(readOrder(), interruption(), say);
  return report('storm', checks);
}

runCampaign(main);
