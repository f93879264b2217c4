/**
 * Every active `AsyncLocalStorage` slows each promise of the process a little, and that of a connection or a worker
 * never ends by itself. This ends them all after each test file; it must be loaded before the code that creates them.
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

/** Disables every active storage. A storage that is used again becomes active again. */
exports.endContexts = () => {
  for (const storage of running) storage.disable();
  running.clear();
};
