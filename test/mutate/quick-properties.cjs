/**
 * A mutant is dead with the first example that fails. Looking for the smallest one, or at more of them than fit into the time
 * given, would take most of the time. A property that has none within it fails.
 */
const fc = require('fast-check');

/** @param {number} ms */
exports.endPropertiesAfter = (ms) => {
  fc.configureGlobal({
    ...fc.readConfigureGlobal(),
    endOnFailure: true,
    interruptAfterTimeLimit: ms,
    markInterruptAsFailure: false,
  });
};
