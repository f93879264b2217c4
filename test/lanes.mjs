import { availableParallelism } from 'node:os';

/**
 * How many files run at the same time: at least `least`, even with fewer cores, as nearly all files wait at times.
 */
const atOnce = (least) => Math.max(least, Math.floor(availableParallelism() / 2));

/**
 * Tests of real processes, servers and browsers, by path: `npm run test:real`. Two scenarios remain in `npm test`, so that it also
 * runs the whole program: the one-time payments, and the shop of docs/guides/integrate.md. So do a few tests with a browser, such as
 * the tasks that users do most (test/console/clicks.test.ts).
 */
const REAL_PROCESSES = [
  'test/cli/(commands|daemon)\\.',
  'test/console/(columns|console|decisions|holds|large|lists|mishaps|payers-requests|repeats|reports|views|webhooks)\\.',
  'test/deploy/compose\\.',
  'test/embedded/',
  'test/faults/(api-killed|everything-real|killed|killed-in-place|lost-requests|servers|stopping|temporal-gone|without-temporal)\\.',
  'test/processes/(?!interpreter-neighbours\\.)',
  'test/scenarios/(?!(integrate|payments)\\.)',
  'test/versions/releases\\.',
  'test/wiring/',
];

/** Tests that measure how long operators and payers wait. They need the machine to themselves. */
const ALONE = ['test/faults/storm\\.', 'test/processes/interpreter-neighbours\\.'];

/** The slowest files, the slowest first. Nearly all of them wait for time to pass rather than for a processor. */
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
  /test\/faults\/killed(-in-place)?\./,
  /test\/wiring\//,
  /test\/faults\/(lost-requests|everything-real)\./,
  /test\/console\/console\./,
  /test\/scenarios\//,
];

export const LANES = {
  /** Rules, ledger, activities, admin API, and workflows with time skipping. */
  fast: { workers: atOnce(6), args: ['--testPathIgnorePatterns', '/node_modules/', ...REAL_PROCESSES, ...ALONE] },
  /**
   * A request that is not answered within ten seconds is refused, and business time continues meanwhile. Each file starts
   * several programs, so a few files at the same time keep the machine busy.
   */
  real: { workers: atOnce(2), args: ['--testPathPatterns', ...REAL_PROCESSES] },
  alone: { workers: 1, args: ['--testPathPatterns', ...ALONE] },
};
