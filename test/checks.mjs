import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const bin = (name) => join(root, 'node_modules', '.bin', name);

export const BUILD = { name: 'build', command: 'npm', args: ['run', '--silent', 'build'] };
const TSC = ['run', '--silent', 'tsc', '--'];
/** The checks that `npm test` runs beside the tests, and `npm run check` before a commit. */
export const REVIEWS = [
  { name: 'types of the tests', command: 'npm', args: [...TSC, '-p', 'test/tsconfig.json', '--noEmit'] },
  { name: 'types of the console', command: 'npm', args: [...TSC, '-p', 'src/console'] },
  { name: 'imports', command: 'npm', args: ['run', '--silent', 'imports'] },
  { name: 'unused code', command: bin('knip'), args: ['--no-progress'] },
];

/** Resolves to whether the check passed. The output of a failed check is printed in one piece, once it has ended. */
export function check({ name, command, args }) {
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
