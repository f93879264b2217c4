/**
 * `npm run cluster -- [--due 300] [--rate 10]`: Temporal's server on PostgreSQL, as docker-compose.yml sets it up (built by Go,
 * once), two workers, and two APIs behind a proxy. `--due` subscriptions fall due in one instant, the payment service takes
 * `--rate` calls a second, callers pause, cancel and create, and one worker and one API are killed for good. After
 * `npm run build`, with the machine to itself. Last line: `cluster: N checks, 0 failed`.
 *
 * `npm run cluster -- --measure [--due 1000]`: the figures of docs/explain/scale.md; no caller comes, nothing is killed or capped.
 */
import { parseArgs } from 'node:util';
import { MINUTE } from '../../src/domain/time';
import { report, runCampaign, say } from '../support/campaign';
import { interruption } from '../support/interruption';
import { cluster, type ClusterOrder } from './cluster';
import { measure } from './measure';

interface Order extends ClusterOrder {
  /** Whether the run only measures, and checks nothing. */
  readonly measure: boolean;
}

/** The subscriptions that callers pause or cancel, and as many again. */
const MIN_DUE = 250;

function readOrder(): Order {
  const { values } = parseArgs({
    options: {
      due: { type: 'string', default: '300' },
      rate: { type: 'string', default: '10' },
      measure: { type: 'boolean', default: false },
    },
  });
  const [due, rate] = [Number(values.due), Number(values.rate)];
  if (!Number.isInteger(due) || due < MIN_DUE)
    throw new RangeError(`--due: expected a whole number from ${MIN_DUE} on; got ${values.due}`);
  if (!(rate >= 1)) throw new RangeError(`--rate: expected 1 or more calls a second; got ${values.rate}`);
  return { due, rate, lasts: 1.5 * MINUTE, pauses: 100, cancels: 20, creations: 20, measure: values.measure };
}

async function main(): Promise<number> {
  const order = readOrder();
  if (!order.measure) return report('cluster', await cluster(order, interruption(), say));
  await measure(order.due, interruption(), say);
  return 0;
}

runCampaign(main);
