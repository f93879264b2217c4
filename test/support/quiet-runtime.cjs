const { DefaultLogger, Runtime } = require('@temporalio/worker');

let isQuiet = false;

/** Temporal's runtime is one for all the test files of a process. */
exports.quietRuntime = () => {
  if (!isQuiet) Runtime.install({ logger: new DefaultLogger('ERROR') });
  isQuiet = true;
};
