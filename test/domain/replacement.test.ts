import type { SubscriptionId } from '../../src/domain/ids';
import { nextStep } from '../../src/domain/subscription/next-step';
import { endReplacement, replacedBy, startReplacement } from '../../src/domain/subscription/replacements';
import { nextDueAt } from '../../src/domain/subscription/transitions';
import { active, FIRST, NO_MARGIN } from './subscription-under-test';

const BY = 'sub_2' as SubscriptionId;
const state = active({ policy: NO_MARGIN });

it.each([
  ['at the due date of a cycle takes the cycle over', FIRST, 'wait'],
  ['a millisecond after the due date of a cycle leaves it to the old subscription', FIRST + 1, 'collect'],
])('a replacement with its first payment %s', (_, from, kind) => {
  expect(nextStep(startReplacement(state, { by: BY, from }), FIRST).kind).toBe(kind);
});

it('if a replacement takes a cycle over, the old subscription waits until the window closes, and then skips the cycle', () => {
  const waiting = startReplacement(state, { by: BY, from: FIRST });
  const step = nextStep(waiting, FIRST);
  if (step.kind !== 'wait' || step.until === null) throw new Error('it does not wait');
  expect(nextStep(waiting, step.until - 1)).toEqual(step);
  expect(nextStep(waiting, step.until)).toMatchObject({ kind: 'close', status: 'skipped', reason: 'replaced' });
});

it('the old subscription does not show a due date that its replacement takes over', () => {
  expect(nextDueAt(startReplacement(state, { by: BY, from: FIRST }))).toBeNull();
  expect(nextDueAt(startReplacement(state, { by: BY, from: FIRST + 1 }))).toBe(FIRST);
});

it('ending a replacement restores the old subscription, and ending another one changes nothing', () => {
  const asked = startReplacement(state, { by: BY, from: FIRST });
  expect(endReplacement(asked, BY)).toEqual(state);
  expect(endReplacement(asked, 'sub_3' as SubscriptionId)).toEqual(asked);
});

it('of two replacements of a subscription, the one with the earlier first payment counts until it ends', () => {
  const asked = startReplacement(startReplacement(state, { by: BY, from: FIRST }), {
    by: 'sub_3' as SubscriptionId,
    from: FIRST + 1,
  });
  expect(nextStep(asked, FIRST).kind).toBe('wait');
  expect(nextStep(endReplacement(asked, BY), FIRST).kind).toBe('collect');
});

it('a replaced subscription names its replacement, and a replacement does not change an ended subscription', () => {
  expect(replacedBy(state, { by: BY, from: FIRST })).toMatchObject({ replacedBy: BY });
  const ended = { ...state, status: 'cancelled' as const };
  expect(startReplacement(ended, { by: BY, from: FIRST })).toBe(ended);
});
