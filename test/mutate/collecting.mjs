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
 * They take half of the time of all, as each lives a whole life or many, and kill what other tests kill sooner. A mutant that
 * survives runs all tests that reach it.
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

/** The code that collects, sends and settles, held by tests against the payment service's simulator over HTTP. */
export default {
  ...partOf('collecting', 93, mutate, tests, 5_000),
  // Longer than a test may take: otherwise Stryker would restart the process, and with it all databases.
  timeoutMS: 120_000,
};
