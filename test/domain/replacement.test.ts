import type { SubscriptionId } from '../../src/domain/ids';
import { nextStep } from '../../src/domain/subscription/next-step';
import { endReplacement, replacedBy, startReplacement } from '../../src/domain/subscription/pauses';
import { nextDueAt } from '../../src/domain/subscription/transitions';
import { active, FIRST, NO_MARGIN } from './subscription-under-test';

const BY = 'sub_2' as SubscriptionId;
const state = active({ policy: NO_MARGIN });

it.each([
  ['at', FIRST, 'wait'],
  ['a millisecond after', FIRST + 1, 'collect'],
])('a replaced subscription leaves a cycle to the new one with a first payment %s its due date', (_, from, kind) => {
  expect(nextStep(startReplacement(state, { by: BY, from }), FIRST).kind).toBe(kind);
});

it('a subscription that is to be replaced waits until the window closes, and then skips the cycle', () => {
  const waiting = startReplacement(state, { by: BY, from: FIRST });
  const step = nextStep(waiting, FIRST);
  if (step.kind !== 'wait' || step.until === null) throw new Error('it does not wait');
  expect(nextStep(waiting, step.until - 1)).toEqual(step);
  expect(nextStep(waiting, step.until)).toMatchObject({ kind: 'close', status: 'skipped', reason: 'replaced' });
});

it('a subscription that is to be replaced shows no due date that it leaves to the new one', () => {
  expect(nextDueAt(startReplacement(state, { by: BY, from: FIRST }))).toBeNull();
  expect(nextDueAt(startReplacement(state, { by: BY, from: FIRST + 1 }))).toBe(FIRST);
});

it('a subscription that is to be replaced continues unchanged if the new consent is not granted', () => {
  const asked = startReplacement(state, { by: BY, from: FIRST });
  expect(endReplacement(asked, BY)).toEqual(state);
  expect(endReplacement(asked, 'sub_3' as SubscriptionId)).toEqual(asked);
});

it('of several replacements of a subscription, the earliest first payment counts', () => {
  const asked = startReplacement(startReplacement(state, { by: BY, from: FIRST }), {
    by: 'sub_3' as SubscriptionId,
    from: FIRST + 1,
  });
  expect(nextStep(asked, FIRST).kind).toBe('wait');
  expect(nextStep(endReplacement(asked, BY), FIRST).kind).toBe('collect');
});

it('a subscription that is to be replaced names the one that took its place; an ended one is left as it is', () => {
  expect(replacedBy(state, { by: BY, from: FIRST })).toMatchObject({ replacedBy: BY });
  const ended = { ...state, status: 'cancelled' as const };
  expect(startReplacement(ended, { by: BY, from: FIRST })).toBe(ended);
});
