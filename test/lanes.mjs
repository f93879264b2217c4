/**
 * Tests of real processes and servers, by path. They wait more than they compute: `npm run test:real` runs them, more of
 * them beside each other than there are cores. One of them, the payments, stays in `npm test` for a first impression.
 */
export const REAL_PROCESSES = [
  'test/cli/daemon\\.',
  'test/embedded/',
  'test/faults/(api-killed|everything-real|killed|lost-requests|servers|storm)\\.',
  'test/processes/',
  'test/scenarios/(?!payments\\.)',
  'test/wiring/',
];

export const LANES = {
  /** Rules, ledger, activities, admin API, workflows on skipped time. */
  fast: { fewestWorkers: 2, args: ['--testPathIgnorePatterns', '/node_modules/', ...REAL_PROCESSES] },
  real: { fewestWorkers: 3, args: ['--testPathPatterns', ...REAL_PROCESSES] },
};
