/**
 * Every `AsyncLocalStorage` that runs costs each promise of the process a little, and a connection's or a worker's has no end of
 * its own. This ends them between tests; it must be loaded before the code that has them.
 */
const { AsyncLocalStorage } = require('node:async_hooks');

const running = new Set();
for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    running.add(this);
    return original.apply(this, args);
  };
}

/** One that is asked to run once more does. */
exports.endContexts = () => {
  for (const storage of running) storage.disable();
  running.clear();
};
