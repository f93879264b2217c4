const SharedModules = require('../support/shared-modules.cjs');

/** Which mutant is on stands among the globals, which each run has anew: so our modules are loaded anew, too. */
module.exports = class OursAgain extends SharedModules {
  hasOursToItself = true;
};
