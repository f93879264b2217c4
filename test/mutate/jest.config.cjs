const whole = require('../../jest.config.cjs');

/** The tests that hold the rules and the collecting code; PostgreSQL is up already, see run.ts. */
module.exports = {
  ...whole,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/domain/**/*.test.ts', '<rootDir>/test/activities/**/*.test.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
};
