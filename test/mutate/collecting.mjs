import { readdirSync } from 'node:fs';
import { partOf } from './stryker.mjs';

const mutate = [
  'activities/collect/*.ts',
  'activities/orders/order.ts',
  'activities/stops.ts',
  'activities/stopwatch.ts',
];

/** Tests of faults in which no process is killed. */
const FAULTS =
  /^(clock|contradictions|crashes|order-unknown|pending|refused|resolving|two-workers|unrecordable)\.test\.ts$/;
/**
 * Tests that are left out. Each plays at least one whole life, so they would take half of the time of all tests, and other tests
 * kill the same mutants sooner. A mutant that survives was run with as many of the tests that reach it as fit into its time.
 */
const LIVES =
  /^(compare-(daily|lists)|consent-look|expired-payers|hot-updates|leftovers|lives-.*|money-safety.*|numbered-ids|reconcile-.*|six-months)\.test\.ts$/;

const filesIn = (folder, isWanted) =>
  readdirSync(new URL(`../${folder}`, import.meta.url))
    .filter((name) => name.endsWith('.test.ts') && isWanted(name))
    .map((name) => `test/${folder}/${name}`);

const tests = [
  ...filesIn('faults', (name) => FAULTS.test(name)),
  ...filesIn('activities', (name) => !LIVES.test(name)),
];

/** The code that collects, sends and settles, with tests that call the payment service's simulator over HTTP. */
export default {
  ...partOf('collecting', 93, mutate, tests, 5_000),
  // Longer than a test may take: otherwise Stryker would restart the process, and with it all databases.
  timeoutMS: 120_000,
};
