/**
 * `npm test`: the build, the types, the imports, unused code, and every test of the lane `fast`. `npm run test:real` and
 * `test:alone`: the build, and every test of the lane. If files are named as arguments, they run instead of the lane.
 * The last line is always `tests: N passed, N failed`. A check or a test file that cannot run counts as one failed.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, BUILD, check, REVIEWS, root } from './checks.mjs';
import { LANES } from './lanes.mjs';

/** A first run also builds Temporal. A run that takes longer than this hangs. */
const JEST_TIMEOUT_MS = 45 * 60_000;

const [lane, ...files] = process.argv.slice(2);
const { workers, args: ofLane } = LANES[lane];

/** Resolves to the exit code, or to the signal that ended the process. */
function run(command, args, timeoutMs) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', timeout: timeoutMs, killSignal: 'SIGKILL' });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
}

/** Runs the checks one after the other. @returns how many failed */
async function runChecks(checks) {
  let failed = 0;
  for (const each of checks) if (!(await check(each))) failed++;
  return failed;
}

async function runTests(folder) {
  const outputFile = join(folder, 'jest.json');
  const args = [`--maxWorkers=${workers}`, '--ci', '--json', `--outputFile=${outputFile}`];
  const outcome = await run(bin('jest'), [...args, ...(files.length > 0 ? files : ofLane)], JEST_TIMEOUT_MS);
  return { outcome, ...readCounts(outputFile) };
}

function readCounts(file) {
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: result.numPassedTests, failed: result.numFailedTests + result.numRuntimeErrorTestSuites };
  } catch (error) {
    console.error(`jest left no result: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}

const folder = mkdtempSync(join(tmpdir(), 'dueday-npm-test-'));
try {
  const failedBuilds = await runChecks([BUILD]);
  // The tests do not wait for these.
  const reviews = lane === 'fast' ? REVIEWS : [];
  const [tests, failedReviews] = await Promise.all([runTests(folder), runChecks(reviews)]);
  const failedChecks = failedBuilds + failedReviews;
  // Jest failed although no test did, or ran no test at all: that counts as a failure.
  const failedOtherwise = tests.failed === 0 && (tests.outcome !== 0 || tests.passed === 0) ? 1 : 0;
  if (failedOtherwise > 0) console.error(`jest ended with ${tests.outcome} and ${tests.passed} passed tests`);
  const failed = tests.failed + failedChecks + failedOtherwise;
  console.log(`tests: ${tests.passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
