import { isFinal, hasUnknownOutcome, isVerdict, mayBecome, type SendState, statesBefore } from '../../src/domain/send';

/** Whether each state is an unknown outcome, a decision of the service or the bank, and final. */
const STATES = {
  sending: { unknownOutcome: true, verdict: false, final: false },
  unknown: { unknownOutcome: true, verdict: false, final: false },
  unresolved: { unknownOutcome: true, verdict: false, final: false },
  pending: { unknownOutcome: false, verdict: false, final: false },
  not_sent: { unknownOutcome: false, verdict: false, final: true },
  successful: { unknownOutcome: false, verdict: true, final: true },
  rejected_retryable: { unknownOutcome: false, verdict: true, final: true },
  rejected: { unknownOutcome: false, verdict: true, final: true },
  capture_failed: { unknownOutcome: false, verdict: true, final: true },
  failed: { unknownOutcome: false, verdict: true, final: true },
} as const satisfies Readonly<Record<SendState, object>>;
const ALL = Object.keys(STATES) as SendState[];

it.each(ALL)('the state %s is an unknown outcome, a decision or final exactly as listed here', (state) => {
  expect({ unknownOutcome: hasUnknownOutcome(state), verdict: isVerdict(state), final: isFinal(state) }).toEqual(
    STATES[state],
  );
});

it('an order that was never sent counts neither as an unknown outcome nor as a decision', () => {
  expect([hasUnknownOutcome('ordered'), isVerdict('ordered')]).toEqual([false, false]);
});

it.each(ALL)('a send that is %s may change only to a state that says more', (state) => {
  const { final, unknownOutcome } = STATES[state];
  const verdicts = ALL.filter((each) => STATES[each].verdict);
  const later = unknownOutcome
    ? ['unknown', 'unresolved'].slice(['sending', 'unknown', 'unresolved'].indexOf(state))
    : [];
  const expected = final ? [] : [...later, ...(unknownOutcome ? ['pending', 'not_sent'] : []), ...verdicts];
  expect(ALL.filter((each) => mayBecome(state, each)).toSorted()).toEqual(expected.toSorted());
});

it('each state of a send names the states that may precede it', () => {
  expect(statesBefore('pending')).toEqual(['sending', 'unknown', 'unresolved']);
  expect(statesBefore('successful')).toEqual(['sending', 'unknown', 'unresolved', 'pending']);
  expect(statesBefore('sending')).toEqual([]);
});
