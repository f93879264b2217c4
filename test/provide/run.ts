/**
 * `npm run provide`: fetches or builds the servers that tests start, Temporal and the one whose clock skips waiting. They stay
 * in the user's cache; whatever needs one that is not there provides it, too. With `-- --promtool` it also builds the engine that
 * evaluates the alert rules: without it, the tests of whole days are skipped.
 */
import { parseArgs } from 'node:util';
import { provideTemporal } from '../../src/embedded/temporal/program';
import { provideTimeSkippingServer } from '../support/time-skipping/program';
import { createProgressLog } from '../../src/platform/log';
import { providePromtool } from '../observation/rules-engine';

async function main(): Promise<void> {
  const log = createProgressLog();
  const { values } = parseArgs({ options: { promtool: { type: 'boolean', default: false } } });
  await Promise.all([provideTemporal(log), provideTimeSkippingServer(log)]);
  if (values.promtool) await providePromtool(log);
}

void main();
