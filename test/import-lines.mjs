/**
 * `npm run import-test -- --lines 10000`: imports that many lines, one in a hundred bad, through a real API process,
 * which is killed in the middle. The import is then repeated twice. `npm run test:real` does the same with 200 lines.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { lines: { type: 'string', default: '10000' } } });
const lines = Number(values.lines);
if (!Number.isInteger(lines) || lines < 100) {
  console.error(`--lines: expected a whole number of at least 100; got ${values.lines}`);
  process.exit(2);
}
const jest = spawn(join(root, 'node_modules', '.bin', 'jest'), ['test/scenarios/import-lines'], {
  cwd: root,
  env: { ...process.env, IMPORT_LINES: String(lines) },
  stdio: 'inherit',
});
jest.once('close', (code) => {
  process.exitCode = code ?? 1;
});
