const { DefaultLogger, Runtime } = require('@temporalio/worker');

let isQuiet = false;

/** Installs Temporal's runtime, of which a process has one for all its test files. */
exports.quietRuntime = () => {
  if (!isQuiet) Runtime.install({ logger: new DefaultLogger('ERROR') });
  isQuiet = true;
};
