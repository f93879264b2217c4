/**
 * `npm run provide`: fetches or builds the servers that tests start, Temporal and the one whose clock skips waiting. They stay
 * in the user's cache; whatever needs one that is not there provides it, too.
 */
import { provideTemporal } from '../../src/embedded/temporal/program';
import { provideTimeSkippingServer } from '../support/time-skipping/program';
import { createProgressLog } from '../../src/platform/log';

async function main(): Promise<void> {
  const log = createProgressLog();
  await Promise.all([provideTemporal(log), provideTimeSkippingServer(log)]);
}

void main();
