import { isServiceFault } from '../../../src/domain/attempt/action';
import { isDebit, isOver, isToBeSent } from '../../../src/domain/attempt/attempt';
import { STATES } from './any-facts';
import { capture, debit, END, refund, sent } from './facts-under-test';

it('an attempt still has to be sent if it has no send, or if its last one never arrived', () => {
  expect(isToBeSent(null)).toBe(true);
  expect(STATES.filter((state) => isToBeSent(sent({ state })))).toEqual(['not_sent']);
});

it('an attempt still has to be sent if the record that it has adopted from another system was refused', () => {
  const states = STATES.filter((state) => isToBeSent(sent({ state, adopted: true })));
  expect(states).toEqual(['not_sent', 'rejected_retryable', 'rejected']);
});

it.each([
  ['a debit is open a millisecond before its collection window ends', debit(), END - 1, false],
  ['a debit is over when its collection window ends', debit(), END, true],
  ['a capture is over when the time to capture ends', capture(), END, true],
  ['a refund is never over', refund(), Number.MAX_SAFE_INTEGER, false],
])('%s', (_which, attempt, now, expected) => {
  expect(isOver(attempt, { now })).toBe(expected);
});

it('only an authorization is a debit', () => {
  expect([debit(), capture(), refund()].map(isDebit)).toEqual([true, false, false]);
});

it.each([
  ['not_sent', true],
  ['service_unreadable', true],
  ['clocks_differ', true],
  ['halted', false],
  ['blocked', false],
  ['pending', false],
  ['outcome_unknown', false],
  [null, false],
  [undefined, false],
])('whether service or connection prevent a send if the attempt stopped with "%s": %s', (stop, expected) => {
  expect(isServiceFault(stop)).toBe(expected);
});
