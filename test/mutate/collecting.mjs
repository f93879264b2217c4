import { partOf } from './stryker.mjs';

const mutate = [
  'activities/collect/*.ts',
  'activities/orders/order.ts',
  'activities/stops.ts',
  'activities/stopwatch.ts',
];

/** The code that collects, sends and settles, held by tests against the payment service's simulator over HTTP. */
export default {
  ...partOf('collecting', 93, mutate),
  testRunner: 'jest',
  jest: {
    configFile: 'test/mutate/jest.config.cjs',
    config: { testMatch: ['<rootDir>/test/mutate/all-collecting.ts'] },
    enableFindRelatedTests: false,
  },
  plugins: ['@stryker-mutator/jest-runner'],
  // Jest keeps something of every run, and grows slower by it.
  maxTestRunnerReuse: 40,
};
