import { isFinal, isInDoubt, isVerdict, mayBecome, type SendState, statesBefore } from '../../src/domain/send';

/** Each state with what it is: in doubt, the last word of the service or the bank, and never overwritten. */
const STATES = {
  sending: { inDoubt: true, verdict: false, final: false },
  unknown: { inDoubt: true, verdict: false, final: false },
  unresolved: { inDoubt: true, verdict: false, final: false },
  pending: { inDoubt: false, verdict: false, final: false },
  not_sent: { inDoubt: false, verdict: false, final: true },
  successful: { inDoubt: false, verdict: true, final: true },
  rejected_retryable: { inDoubt: false, verdict: true, final: true },
  rejected: { inDoubt: false, verdict: true, final: true },
  capture_failed: { inDoubt: false, verdict: true, final: true },
  failed: { inDoubt: false, verdict: true, final: true },
} as const satisfies Readonly<Record<SendState, object>>;
const ALL = Object.keys(STATES) as SendState[];

it.each(ALL)('%s is in doubt, a verdict and final as the rules have it', (state) => {
  expect({ inDoubt: isInDoubt(state), verdict: isVerdict(state), final: isFinal(state) }).toEqual(STATES[state]);
});

it('of an order that was never sent is none of them', () => {
  expect([isInDoubt('ordered'), isVerdict('ordered')]).toEqual([false, false]);
});

it.each(ALL)('%s becomes only what is known better', (state) => {
  const { final, inDoubt } = STATES[state];
  const verdicts = ALL.filter((each) => STATES[each].verdict);
  const later = inDoubt ? ['unknown', 'unresolved'].slice(['sending', 'unknown', 'unresolved'].indexOf(state)) : [];
  const expected = final ? [] : [...later, ...(inDoubt ? ['pending', 'not_sent'] : []), ...verdicts];
  expect(ALL.filter((each) => mayBecome(state, each)).toSorted()).toEqual(expected.toSorted());
});

it('names what may come before a state', () => {
  expect(statesBefore('pending')).toEqual(['sending', 'unknown', 'unresolved']);
  expect(statesBefore('successful')).toEqual(['sending', 'unknown', 'unresolved', 'pending']);
  expect(statesBefore('sending')).toEqual([]);
});
