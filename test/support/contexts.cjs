/**
 * Every `AsyncLocalStorage` that runs costs each promise of the process a little, and that of a connection or a worker never ends by
 * itself. This ends them all between tests; it must be loaded before the code that creates them.
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

/** Ends every storage that runs. A storage that is used again runs again. */
exports.endContexts = () => {
  for (const storage of running) storage.disable();
  running.clear();
};
