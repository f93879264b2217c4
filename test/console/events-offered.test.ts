import { offeredOf } from '../../src/console/views/events/offered';

test.each([
  ['one that is enabled', { enabled: true, readOnly: false }, { isTestable: true, isReplayable: true }],
  ['a disabled one', { enabled: false, readOnly: false }, { isTestable: false, isReplayable: false }],
  ['that of the environment', { enabled: true, readOnly: true }, { isTestable: true, isReplayable: false }],
  ['a disabled one of the environment', { enabled: false, readOnly: true }, { isTestable: false, isReplayable: false }],
])('what can be sent to an endpoint: to %s', (_which, endpoint, offered) => {
  expect(offeredOf(endpoint)).toEqual(offered);
});
