import { describeState } from '../../activities/describe';
import { active, FIRST, openCycle, rejectedOnce } from './subscription-under-test';

const linesOf = (state: ReturnType<typeof active>) =>
  describeState(state, 'good', { kind: 'wait', until: FIRST, why: 'due' }, []);

it.each([
  ['the first one', active(), 'Next due (cycle 0)'],
  ['the one after a skipped cycle', active({}, { skips: [0] }), 'Next due 2027-02-28T10:00:00.000Z (cycle 1)'],
  ['an open cycle whose only send was never made', active({}, { open: openCycle() }), 'Next due (cycle 0)'],
  [
    'the one after a refused cycle',
    active({}, { open: rejectedOnce() }),
    'Next due 2027-02-28T10:00:00.000Z (cycle 1)',
  ],
])('the details in the Web UI show the next cycle that is collected: %s', (_which, state, expected) => {
  expect(linesOf(state)).toContain(expected);
});
