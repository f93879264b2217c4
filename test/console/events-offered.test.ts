import { offeredOf } from '../../src/console/views/events/offered';

test.each([
  [
    'that is enabled can be tested and receive a replay',
    { enabled: true, readOnly: false },
    { isTestable: true, isReplayable: true },
  ],
  [
    'that is disabled can neither be tested nor receive a replay',
    { enabled: false, readOnly: false },
    { isTestable: false, isReplayable: false },
  ],
  [
    'configured in the environment can be tested, and receives no replay',
    { enabled: true, readOnly: true },
    { isTestable: true, isReplayable: false },
  ],
  [
    'configured in the environment and disabled can neither be tested nor receive a replay',
    { enabled: false, readOnly: true },
    { isTestable: false, isReplayable: false },
  ],
])('an endpoint %s', (_which, endpoint, offered) => {
  expect(offeredOf(endpoint)).toEqual(offered);
});
