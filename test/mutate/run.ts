/**
 * `npm run mutate -- [rules|collecting] [options of Stryker]`: mutation tests of the rules and of the code that collects.
 * The tests of the collecting code share one PostgreSQL; those of the rules need none. Exits with 0 if each part has at
 * least the score that it must have.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import setUp from '../support/global-setup';
import tearDown from '../support/global-teardown';

const STRYKER = join(__dirname, '../../node_modules/.bin/stryker');
const PARTS: readonly string[] = ['rules', 'collecting'];

function mutate(part: string, options: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(STRYKER, ['run', `test/mutate/${part}.mjs`, ...options], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function withDatabase<Result>(run: () => Promise<Result>): Promise<Result> {
  await setUp();
  try {
    return await run();
  } finally {
    await tearDown();
  }
}

async function main(): Promise<void> {
  const given = process.argv.slice(2);
  const [first = ''] = given;
  const [parts, options] = PARTS.includes(first) ? [[first], given.slice(1)] : [PARTS, given];
  for (const part of parts) {
    const code = part === 'collecting' ? await withDatabase(() => mutate(part, options)) : await mutate(part, options);
    process.exitCode = Math.max(Number(process.exitCode ?? 0), code);
  }
}

void main();
