const whole = require('../../jest.config.cjs');

/** Which tests run is each part's to say; PostgreSQL is up already, see run.ts. */
module.exports = {
  ...whole,
  rootDir: '../..',
  globalSetup: undefined,
  globalTeardown: undefined,
  runtime: require.resolve('./ours-anew.cjs'),
  testEnvironment: require.resolve('./first-failure.cjs'),
  setupFiles: ['<rootDir>/test/mutate/quick-properties.cjs'],
};
