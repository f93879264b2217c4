/**
 * The settings for one part of the code: Stryker makes one small change at a time, which the tests of the part must notice.
 * @param {string} name of the part
 * @param {number} least percent of the mutants that its tests must notice
 * @param {readonly string[]} mutate files, as globs
 * @param {readonly string[]} tests files, and folders with such
 * @param {number} propertyMs how long the examples of a property may take together
 */
export const partOf = (name, least, mutate, tests, propertyMs) => ({
  packageManager: 'npm',
  mutate,
  testRunner: 'in-process',
  plugins: ['./test/mutate/in-process.mjs'],
  inProcess: { tests, propertyMs },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  thresholds: { high: 95, low: least, break: least },
  reporters: ['clear-text', 'progress-append-only', 'html'],
  clearTextReporter: { allowColor: false, reportTests: false },
  htmlReporter: { fileName: `dist/mutate/${name}.html` },
  incrementalFile: `dist/mutate/${name}.json`,
  tempDirName: `dist/mutate/work-${name}`,
  ignorePatterns: ['dist', '.dueday', 'test/replay/histories'],
  concurrency: 2,
  // A mutant that never ends, and all tests once: on a busy machine these take several times as long.
  timeoutMS: 30_000,
  dryRunTimeoutMinutes: 120,
});
