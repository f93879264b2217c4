/**
 * `npm run days [-- --subscriptions 200000]`: the daily work over this many subscriptions and a fifth as many one-time
 * payments, with a payment service that takes 20 ms for each answer. Both daily jobs, the check of consents and the comparison, must do
 * everything within 30 minutes though the worker is killed in each, and find the one difference that is planted, in the very
 * last one-time payment. Real processes; it needs the machine to itself. Last line: `days: N checks, 0 failed`.
 */
import { parseArgs } from 'node:util';
import { report, runCampaign, say } from '../support/campaign';
import { interruption } from '../support/interruption';
import { days, type DaysOrder } from './days';

/** With fewer subscriptions, a job would end before its worker can be killed. */
const MIN_SUBSCRIPTIONS = 1_000;

function readOrder(): DaysOrder {
  const { values } = parseArgs({ options: { subscriptions: { type: 'string', default: '200000' } } });
  const subscriptions = Number(values.subscriptions);
  if (/^\d{1,8}$/.test(values.subscriptions) && subscriptions >= MIN_SUBSCRIPTIONS) return { subscriptions };
  throw new RangeError(
    `--subscriptions: expected a whole number from ${MIN_SUBSCRIPTIONS} on; got ${values.subscriptions}`,
  );
}

async function main(): Promise<number> {
  const checks = await days(readOrder(), interruption(), say);
  return report('days', checks);
}

runCampaign(main);
