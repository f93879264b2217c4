/**
 * What is changed one small thing at a time, and whose tests must notice.
 * @param {string} name of the part: its tests are in `all-<name>.ts`
 * @param {number} least percent of the mutants that its tests must notice
 * @param {readonly string[]} mutate files, as globs
 */
export const partOf = (name, least, mutate) => ({
  packageManager: 'npm',
  mutate,
  testRunner: 'jest',
  jest: {
    configFile: 'test/mutate/jest.config.cjs',
    config: { testMatch: [`<rootDir>/test/mutate/all-${name}.ts`] },
    enableFindRelatedTests: false,
  },
  plugins: ['@stryker-mutator/jest-runner'],
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
  // Jest keeps something of every run, and grows slower by it.
  maxTestRunnerReuse: 40,
  // A mutant that never ends.
  timeoutMS: 10_000,
});
