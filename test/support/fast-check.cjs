/**
 * fast-check as every test has it: with one seed, so that a failure is the change's own doing. `npm run nightly` draws
 * another, says which, and hands it on in DUEDAY_SEED; with it a failure is reproduced.
 */
const fc = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.DUEDAY_SEED ?? 20_270_131) });

module.exports = fc;
