/**
 * `npm run restore`: PostgreSQL is set back to before five debits under a daemon that runs on, first as a recovery to a point in
 * time leaves it, then as a disk's snapshot does. Nothing may be sent until `dueday reconcile` has passed; then every debit must be
 * in the ledger, and have been made once. Real processes, about three minutes. Last line: `restore: N checks, 0 failed`.
 */
import { report, runCampaign, say } from '../support/campaign';
import { interruption } from '../support/interruption';
import { restore } from './restore';

async function main(): Promise<number> {
  const checks = await restore(interruption(), say);
  return report('restore', checks);
}

runCampaign(main);
