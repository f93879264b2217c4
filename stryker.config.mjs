/** `npm run mutate`: the rules, and the code that collects, changed one small thing at a time; a test must notice. */
export default {
  packageManager: 'npm',
  mutate: [
    'src/domain/**/*.ts',
    '!src/domain/{ids,instant,event-types,reference-sentences,rules-cited,explain*,explanation-words,event-facts}.ts',
    'activities/{collect-payment,collecting,send-attempt,look-before-the-leap,reconcile-attempt,poll-attempt,stored-outcome}.ts',
    'activities/{carry-out-order,send-order,reconcile-order,poll-order,freshness,doubt,failures}.ts',
  ],
  testRunner: 'jest',
  jest: { configFile: 'test/mutate/jest.config.cjs', enableFindRelatedTests: true },
  plugins: ['@stryker-mutator/jest-runner'],
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  thresholds: { high: 95, low: 85, break: 85 },
  reporters: ['clear-text', 'progress-append-only', 'html'],
  clearTextReporter: { allowColor: false, reportTests: false },
  htmlReporter: { fileName: 'dist/mutate/report.html' },
  tempDirName: 'dist/mutate/work',
  ignorePatterns: ['dist', '.dueday', 'test/replay/histories'],
  concurrency: 2,
  timeoutMS: 30_000,
};
