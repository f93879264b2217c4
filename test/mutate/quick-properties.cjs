/**
 * A mutant is dead with the first example that fails. Looking for the smallest one, or at more of them than fit into
 * half a second, would take most of the time.
 */
const fc = require('fast-check');

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  endOnFailure: true,
  interruptAfterTimeLimit: 500,
  markInterruptAsFailure: false,
});
