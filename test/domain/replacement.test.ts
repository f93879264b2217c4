import type { SubscriptionId } from '../../src/domain/ids';
import { nextStep } from '../../src/domain/subscription/next-step';
import { endReplacement, replacedBy, startReplacement } from '../../src/domain/subscription/pauses';
import { type SuccessorFacts, toldBySuccessors } from '../../src/domain/subscription/state-from-ledger';
import { nextDueAt } from '../../src/domain/subscription/transitions';
import { active, at, FIRST, NO_MARGIN, termsOf } from './subscription-under-test';

const BY = 'sub_2' as SubscriptionId;
const state = active({ policy: NO_MARGIN });

describe('a subscription that is to be replaced', () => {
  it.each([
    ['at', FIRST, 'wait'],
    ['a millisecond after', FIRST + 1, 'collect'],
  ])('leaves a cycle to the new one whose first payment is %s its due date', (_, from, kind) => {
    expect(nextStep(startReplacement(state, { by: BY, from }), FIRST).kind).toBe(kind);
  });

  it('waits until the window closes, and then skips the cycle', () => {
    const waiting = startReplacement(state, { by: BY, from: FIRST });
    const step = nextStep(waiting, FIRST);
    if (step.kind !== 'wait' || step.until === null) throw new Error('it does not wait');
    expect(nextStep(waiting, step.until - 1)).toEqual(step);
    expect(nextStep(waiting, step.until)).toMatchObject({ kind: 'close', status: 'skipped', reason: 'replaced' });
  });

  it('shows no due date that it leaves to the new one', () => {
    expect(nextDueAt(startReplacement(state, { by: BY, from: FIRST }))).toBeNull();
    expect(nextDueAt(startReplacement(state, { by: BY, from: FIRST + 1 }))).toBe(FIRST);
  });

  it('goes on as before where the new consent is not given', () => {
    const asked = startReplacement(state, { by: BY, from: FIRST });
    expect(endReplacement(asked, BY)).toEqual(state);
    expect(endReplacement(asked, 'sub_3' as SubscriptionId)).toEqual(asked);
  });

  it('of several, the earliest first payment counts', () => {
    const asked = startReplacement(startReplacement(state, { by: BY, from: FIRST }), {
      by: 'sub_3' as SubscriptionId,
      from: FIRST + 1,
    });
    expect(nextStep(asked, FIRST).kind).toBe('wait');
    expect(nextStep(endReplacement(asked, BY), FIRST).kind).toBe('collect');
  });

  it('names the one that took its place; an ended one is left as it is', () => {
    expect(replacedBy(state, { by: BY, from: FIRST })).toMatchObject({ replacedBy: BY });
    const ended = { ...state, status: 'cancelled' as const };
    expect(startReplacement(ended, { by: BY, from: FIRST })).toBe(ended);
  });
});

describe('a subscription whose workflow did not run while it was replaced (rules 22, 30)', () => {
  const from = at('2027-02-28T10:00');
  const GRANTED = FIRST + 1;
  const successor = (wanted: Partial<SuccessorFacts> = {}): SuccessorFacts => ({
    ...termsOf({ firstPaymentAt: from }),
    by: BY,
    grantedAt: GRANTED,
    isAsked: false,
    collectFrom: null,
    ...wanted,
  });
  const told = (wanted: Partial<SuccessorFacts> = {}, given = state) => toldBySuccessors(given, [successor(wanted)]);

  it('leaves to the new one what falls due from its first payment on, while its payer is asked', () => {
    const asked = told({ grantedAt: null, isAsked: true });
    expect(asked).toEqual(startReplacement(state, { by: BY, from }));
  });

  it('is being cancelled from when the new one became active', () => {
    expect(told()).toEqual({
      ...replacedBy(state, { by: BY, from }),
      cancellation: { at: GRANTED, actor: 'dueday', reason: `replaced by ${BY}` },
    });
    expect(nextStep(told(), FIRST)).toMatchObject({ kind: 'wait', why: 'cancelling' });
  });

  it('keeps a cancellation that was asked for before', () => {
    const cancellation = { at: FIRST, actor: 'ops', reason: null };
    expect(told({}, { ...state, cancellation }).cancellation).toBe(cancellation);
  });

  it('goes on as before where the new consent was not given', () => {
    expect(told({ grantedAt: null }, startReplacement(state, { by: BY, from }))).toEqual(state);
  });

  it('leaves to an imported one what falls due from its first cycle here on', () => {
    const collectFrom = at('2027-03-01T00:00');
    expect(told({ collectFrom }).replacements).toEqual([{ by: BY, from: at('2027-03-28T10:00') }]);
  });

  it('that has ended is left as it is', () => {
    const ended = { ...state, status: 'cancelled' as const };
    expect(told({}, ended)).toBe(ended);
  });
});
