import { availableParallelism } from 'node:os';

/**
 * Tests of real processes and servers, by path: `npm run test:real`. One of them, the payments, stays in `npm test` for a
 * first impression.
 */
const REAL_PROCESSES = [
  'test/cli/daemon\\.',
  'test/embedded/',
  'test/faults/(api-killed|everything-real|killed|lost-requests|servers)\\.',
  'test/processes/',
  'test/scenarios/(?!payments\\.)',
  'test/wiring/',
];

/** Tests that measure how long people wait: they want the machine to themselves. */
const ALONE = ['test/faults/storm\\.'];

const workers = Math.max(2, Math.floor(availableParallelism() / 2));

export const LANES = {
  /** Rules, ledger, activities, admin API, workflows on skipped time. */
  fast: { workers, args: ['--testPathIgnorePatterns', '/node_modules/', ...REAL_PROCESSES, ...ALONE] },
  real: { workers, args: ['--testPathPatterns', ...REAL_PROCESSES] },
  alone: { workers: 1, args: ['--testPathPatterns', ...ALONE] },
};
