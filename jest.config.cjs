/**
 * Test files run in CommonJS through swc; the parts they share (PostgreSQL, workflow bundle) come up once, in globalSetup,
 * and packages are loaded once a process.
 */
module.exports = {
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  runtime: '<rootDir>/test/support/shared-modules.cjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  moduleNameMapper: { '^fast-check$': '<rootDir>/test/support/fast-check.cjs' },
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 300_000,
};
