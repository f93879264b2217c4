/** `npm run check`, before a commit: the build, then, beside each other, the types of the tests, the imports, and lint and formatting of what has changed. */
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Resolves to the exit code, or to the signal that ended it; what it says is said at once, by itself. */
function run({ name, command, args }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const note = (text) => (said += text);
    child.stdout.setEncoding('utf8').on('data', note);
    child.stderr.setEncoding('utf8').on('data', note);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      console.log(code === 0 ? `check: ${name} passed` : `${said}check: ${name} FAILED (${code ?? signal})`);
      resolve(code === 0);
    });
  });
}

function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--diff-filter=d', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

const changed = changedFiles();
const code = changed.filter((file) => /\.(c|m)?[jt]s$/.test(file));
const typesOfTests = ['-p', 'test/tsconfig.json', '--noEmit', '--incremental'];
const checks = [
  {
    name: 'types of the tests',
    command: bin('tsc'),
    args: [...typesOfTests, '--tsBuildInfoFile', 'node_modules/.cache/tests.tsbuildinfo'],
  },
  { name: 'imports', command: 'npm', args: ['run', '--silent', 'imports'] },
  ...(changed.length === 0
    ? []
    : [{ name: 'formatting', command: bin('prettier'), args: ['--check', '--ignore-unknown', ...changed] }]),
  ...(code.length === 0 ? [] : [{ name: 'lint', command: bin('eslint'), args: code }]),
];

const isBuilt = await run({ name: 'build', command: 'npm', args: ['run', '--silent', 'build'] });
const outcomes = isBuilt ? await Promise.all(checks.map(run)) : [false];
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
