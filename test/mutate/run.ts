/**
 * `npm run mutate [-- --mutate <files>]`: mutation tests of the rules and of the code that collects; arguments go to
 * Stryker. One PostgreSQL serves all runs. Exits with 0 where the score is 85 % or more.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import setUp from '../support/global-setup';
import tearDown from '../support/global-teardown';

const STRYKER = join(__dirname, '../../node_modules/.bin/stryker');

async function main(): Promise<void> {
  await setUp();
  try {
    process.exitCode = await new Promise<number>((resolve, reject) => {
      const child = spawn(STRYKER, ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
  } finally {
    await tearDown();
  }
}

void main();
