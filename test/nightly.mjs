/**
 * `npm run nightly`: what the tests play with the same seed each time, with one that is drawn, or given as `--seed N`. It is
 * said first and last: with it a failure is played again. Ends with 1 where anything failed.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { seed: { type: 'string' } } });
/** At most nine digits, as `npm run chaos` takes them. */
const seed = values.seed ?? String(randomInt(1_000_000_000));
if (!/^\d{1,9}$/.test(seed))
  throw new RangeError(`--seed: expected a whole number of at most nine digits; got ${seed}`);

const PARTS = [
  ['lives', '--', '--seed', seed],
  ['chaos', '--', '--from', seed, '--seeds', '1000'],
  ['test'],
  ['test:real'],
  ['test:alone'],
  ['security', '--', '--seed', seed],
  ['clients'],
];

/** Resolves to whether it ended with 0. */
function run(args) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DUEDAY_SEED: seed };
    const child = spawn('npm', ['run', '--silent', ...args], { cwd: root, stdio: 'inherit', env });
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
}

console.log(`nightly: seed ${seed}`);
const failed = [];
for (const part of PARTS) if (!(await run(part))) failed.push(part[0]);
console.log(
  `nightly: seed ${seed}, ${PARTS.length - failed.length} passed, ${failed.length} failed ${failed.join(' ')}`.trim(),
);
process.exitCode = failed.length === 0 ? 0 : 1;
