/**
 * `npm run rolling`: release B follows release A while people order and are collected. B brings a migration and a workflow that
 * goes another way (patched); it is promoted, taken back and promoted again, and a release C whose workflow is not patched is
 * refused. Real processes; ten minutes. Needs a build. Last line: `rolling: N checks, 0 failed`.
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
