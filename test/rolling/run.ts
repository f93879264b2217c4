/**
 * `npm run rolling`: release B follows release A while people order and are collected. B brings a migration and a workflow that
 * goes another way (patched); it is promoted, taken back and promoted again, and a release C whose workflow is not patched is
 * refused. Real processes; ten minutes. Needs a build. Last line: `rolling: N checks, 0 failed`.
 */
import { interruption } from '../support/interruption';
import type { Check } from '../security-campaign/check';
import { campaign } from './campaign';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const checks: Check[] = [];
  await campaign(interruption(), (check) => {
    checks.push(check);
    say(`${check.holds ? 'ok    ' : 'FAILED'} ${check.name}: ${check.found}`);
  });
  const failed = checks.filter(({ holds }) => !holds).length;
  say(`rolling: ${checks.length} checks, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
