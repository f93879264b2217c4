/**
 * Ends a property at the first example that fails, which is enough to kill a mutant, and after the given time: shrinking the
 * example, or trying more of them, would take most of the time. A property that completes no example in that time fails.
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
