/**
 * `npm run restore`: PostgreSQL is set back to before five debits under a daemon that runs on, first as a recovery to a point in
 * time leaves it, then as a disk's snapshot does. Nothing may be sent until `dueday reconcile` has passed; then every debit must be
 * in the ledger, and have been made once. Real processes, about three minutes. Last line: `restore: N checks, 0 failed`.
 */
import { interruption } from '../support/interruption';
import { restore } from './restore';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const checks = await restore(interruption(), say);
  for (const { name, holds, found } of checks) say(`${holds ? 'ok    ' : 'FAILED'} ${name}: ${found}`);
  const failed = checks.filter(({ holds }) => !holds).length;
  say(`restore: ${checks.length} checks, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
