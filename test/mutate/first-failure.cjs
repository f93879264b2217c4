const SharedEnvironment = require('../support/environment.cjs');

/** A mutant is dead with the first test that fails: those that follow are skipped. */
module.exports = class FirstFailure extends SharedEnvironment {
  hasFailed = false;

  async handleTestEvent(event) {
    if (event.name === 'test_fn_failure') this.hasFailed = true;
    if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
  }
};
