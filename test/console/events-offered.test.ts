import { offeredOf } from '../../src/console/views/events/offered';

test.each([
  ['an enabled one', { enabled: true, readOnly: false }, { isTestable: true, isReplayable: true }],
  ['a disabled one', { enabled: false, readOnly: false }, { isTestable: false, isReplayable: false }],
  ['the one of the environment', { enabled: true, readOnly: true }, { isTestable: true, isReplayable: false }],
  ['a disabled one of the environment', { enabled: false, readOnly: true }, { isTestable: false, isReplayable: false }],
])('what can be sent to an endpoint: %s', (_which, endpoint, offered) => {
  expect(offeredOf(endpoint)).toEqual(offered);
});
