import { partOf } from './stryker.mjs';

const mutate = [
  'activities/collect/*.ts',
  'activities/orders/order.ts',
  'activities/stops.ts',
  'activities/stopwatch.ts',
];

/** The faults that need no process to be killed. */
const faults = [
  ...['clock', 'contradictions', 'crashes', 'lost-and-late', 'order-unknown', 'pending', 'refused', 'resolving'],
  ...['two-workers', 'unrecordable'],
];

const tests = [...faults.map((name) => `test/faults/${name}.test.ts`), 'test/activities'];

/** The code that collects, sends and settles, held by tests against the payment service's simulator over HTTP. */
export default {
  ...partOf('collecting', 93, mutate, tests, 5_000),
  // Longer than a test may take: Stryker would start the process anew, and with it all databases.
  timeoutMS: 120_000,
};
