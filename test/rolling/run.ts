/**
 * `npm run rolling`: release B follows release A while subscriptions are created, steered and collected. B brings a migration and
 * a new kind of step; it is promoted, rolled back and promoted again. A release C whose interpreter gives its commands in another
 * order is refused. Real processes; five minutes. Needs a build. Last line: `rolling: N checks, 0 failed`.
 */
import { type Check, runCampaign, sayCheck, sumUp } from '../support/campaign';
import { interruption } from '../support/interruption';
import { campaign } from './campaign';

async function main(): Promise<number> {
  const checks: Check[] = [];
  await campaign(interruption(), (check) => {
    checks.push(check);
    sayCheck(check);
  });
  return sumUp('rolling', checks);
}

runCampaign(main);
