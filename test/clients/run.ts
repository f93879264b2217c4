/**
 * `npm run clients`: lints `/openapi.json` by the recommended rules of Redocly and Spectral, generates clients from it for
 * Python, Java and Go, compiles them, and plays create, approve, collect, refund and cancel with each against real processes.
 * A language whose tools are not installed is skipped. Needs a build, and the package registries of npm, Python, Maven and Go.
 * Last line: `clients: N checks, 0 failed`.
 */
import { type Check, runCampaign, say, sayCheck, sumUp } from '../support/campaign';
import { interruption } from '../support/interruption';
import { campaign } from './campaign';

async function main(): Promise<number> {
  const checks: Check[] = [];
  await campaign(interruption(), (result) => {
    if ('skipped' in result) {
      say(`skipped ${result.skipped}`);
      return;
    }
    checks.push(result);
    sayCheck(result);
  });
  return sumUp('clients', checks);
}

runCampaign(main);
