import { availableParallelism } from 'node:os';

/** At a time, where there are few cores: nearly all files wait now and then. */
const atOnce = (least) => Math.max(least, Math.floor(availableParallelism() / 2));

/**
 * Tests of real processes and servers, by path: `npm run test:real`. Two of them, the payments and the shop of
 * docs/guides/integrate.md, stay in `npm test` for a first impression.
 */
const REAL_PROCESSES = [
  'test/cli/daemon\\.',
  'test/console/(console|decisions|large|mishaps)\\.',
  'test/embedded/',
  'test/faults/(api-killed|everything-real|killed|lost-requests|servers|stopping|temporal-gone|without-temporal)\\.',
  'test/processes/(?!interpreter-neighbours\\.)',
  'test/scenarios/(?!(integrate|payments)\\.)',
  'test/versions/releases\\.',
  'test/wiring/',
];

/** Tests that measure how long people wait: they want the machine to themselves. */
const ALONE = ['test/faults/storm\\.', 'test/processes/interpreter-neighbours\\.'];

/** Files that take longest, longest first. Nearly all of them wait for time to pass rather than for a processor. */
export const BEGINS_FIRST = [
  /test\/observation\/days\./,
  /test\/console\/views\./,
  /test\/cli\/commands\./,
  /test\/workflows\/interpreter-(limits|endless)\./,
  /test\/activities\/sent-without-answer\./,
  /test\/admin\/import\./,
  /test\/security-campaign\/generated\./,
  /test\/faults\/(hostile-callers|installation)\./,
  /test\/ledger\/plans\./,
  /test\/faults\/servers\./,
  /test\/faults\/killed\./,
  /test\/wiring\//,
  /test\/faults\/(lost-requests|everything-real)\./,
  /test\/console\/console\./,
  /test\/scenarios\//,
];

export const LANES = {
  /** Rules, ledger, activities, admin API, workflows on skipped time.  */
  fast: { workers: atOnce(6), args: ['--testPathIgnorePatterns', '/node_modules/', ...REAL_PROCESSES, ...ALONE] },
  /**
   * What a person asks for is refused after ten seconds, and business time goes on meanwhile: each file starts several
   * programs, so that as many files at once as there are processors keep them busy.
   */
  real: { workers: atOnce(2), args: ['--testPathPatterns', ...REAL_PROCESSES] },
  alone: { workers: 1, args: ['--testPathPatterns', ...ALONE] },
};
