const SharedEnvironment = require('../support/environment.cjs');

/** Real ms; several times what the longest test takes. Stryker's own limit is minutes for a mutant that many tests reach. */
const MOST = 30_000;

/** A mutant is dead with the first test that fails, or waits for ever: those that follow are skipped. */
module.exports = class FirstFailure extends SharedEnvironment {
  hasFailed = false;

  async handleTestEvent(event) {
    if (event.name === 'setup') this.global.testNamePattern = event.testNamePattern;
    if (event.name === 'test_fn_failure') this.hasFailed = true;
    if (event.name !== 'test_start') return;
    event.test.timeout = MOST;
    if (this.hasFailed) event.test.mode = 'skip';
  }
};
