/**
 * `npm run nightly`: the tests and campaigns that otherwise have a fixed seed, with a random one or with `--seed N`. The seed is
 * printed first and last, so that a failure can be repeated with it. The exit code is 1 if anything failed.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { seed: { type: 'string' } } });
/** At most nine digits, as `npm run chaos` accepts. */
const seed = values.seed ?? String(randomInt(1_000_000_000));
if (!/^\d{1,9}$/.test(seed))
  throw new RangeError(`--seed: expected a whole number of at most nine digits; got ${seed}`);

/** The releases of Node to test besides the running one. Their binaries are packages of the registry. */
const OTHER_NODES = ['22', '24'].filter((major) => !process.version.startsWith(`v${major}.`));

/** A part, with its arguments for npm. */
const script = (name, ...args) => ({ name, args: ['run', '--silent', name, ...args] });
const onNode = (major) => ({
  name: `node@${major}`,
  args: ['exec', '--yes', `--package=node@${major}`, '--', 'node', 'test/run.mjs', 'fast'],
});
const PARTS = [
  script('lives', '--', '--seed', seed),
  script('chaos', '--', '--from', seed, '--seeds', '1000'),
  script('test'),
  script('test:real'),
  script('test:alone'),
  script('security', '--', '--seed', seed),
  script('clients'),
  ...OTHER_NODES.map(onNode),
];

/** Resolves to whether the exit code was 0. */
function run({ args }) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DUEDAY_SEED: seed };
    const child = spawn('npm', args, { cwd: root, stdio: 'inherit', env });
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
}

console.log(`nightly: seed ${seed}`);
const failed = [];
for (const part of PARTS) if (!(await run(part))) failed.push(part.name);
console.log(
  `nightly: seed ${seed}, ${PARTS.length - failed.length} passed, ${failed.length} failed ${failed.join(' ')}`.trim(),
);
process.exitCode = failed.length === 0 ? 0 : 1;
