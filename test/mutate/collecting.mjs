import { partOf } from './stryker.mjs';

/** The code that collects, sends and settles, held by tests against the payment service's simulator over HTTP. */
export default partOf('collecting', 93, [
  'activities/collect/*.ts',
  'activities/orders/order.ts',
  'activities/stops.ts',
  'activities/stopwatch.ts',
]);
