import { partOf } from './stryker.mjs';

/** The code that collects, sends and reconciles, held by tests against the payment service's simulator over HTTP. */
export default partOf('collecting', [
  'activities/{collect-payment,collecting,send-attempt,look-before-the-leap,reconcile-attempt,poll-attempt,stored-outcome}.ts',
  'activities/{carry-out-order,send-order,reconcile-order,poll-order,freshness,doubt,failures}.ts',
]);
