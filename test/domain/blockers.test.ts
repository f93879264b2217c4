import { type Blocker, BLOCKERS, blockersOf, type OpenCycleFacts } from '../../src/domain/reports/forecast';
import { at } from './subscription-under-test';

const NOW = at('2027-02-01T10:00:00.000');

function blockers(changes: Partial<OpenCycleFacts>): Blocker[] {
  const waiting: OpenCycleFacts = {
    status: 'collecting',
    stoppedBy: null,
    lastSend: null,
    notice: null,
    isOtherUnknown: false,
    isHalted: false,
    heldUntil: null,
    deadline: NOW + 1,
  };
  return blockersOf({ ...waiting, ...changes }, NOW);
}

const ALONE: readonly [Blocker, Partial<OpenCycleFacts>][] = [
  ['time_over', { deadline: NOW }],
  ['halted', { isHalted: true }],
  ['on_hold', { heldUntil: NOW + 1 }],
  ['paused', { stoppedBy: 'pause' }],
  ['cancelling', { stoppedBy: 'cancel' }],
  ['outcome_unresolved', { lastSend: 'unresolved' }],
  ['outcome_unknown', { lastSend: 'unknown' }],
  ['other_cycle_unknown', { isOtherUnknown: true }],
  ['awaiting_answer', { lastSend: 'sending' }],
  ['pending_at_service', { lastSend: 'pending' }],
  ['capture_failed', { lastSend: 'capture_failed' }],
  ['not_sent', { lastSend: 'not_sent' }],
  ['notice_undelivered', { lastSend: 'rejected_retryable', notice: 'pending' }],
  ['notice_undeliverable', { lastSend: 'rejected_retryable', notice: 'undeliverable' }],
];

it('nothing blocks a cycle that only waits for its time, a millisecond before its deadline', () => {
  expect(blockers({})).toEqual([]);
  expect(blockers({ heldUntil: NOW })).toEqual([]);
  expect(blockers({ status: 'scheduled' })).toEqual([]);
  expect(blockers({ status: 'dunning', lastSend: 'rejected_retryable', notice: 'delivered' })).toEqual([]);
});

it.each(ALONE)('a cycle that only %s blocks has no other blocker', (blocker, facts) => {
  expect(blockers(facts)).toEqual([blocker]);
});

it('the cases above name every blocker', () => {
  expect(ALONE.map(([blocker]) => blocker)).toEqual(BLOCKERS);
});

it('several blockers of a cycle are listed in a fixed order', () => {
  expect(
    blockers({ stoppedBy: 'pause', deadline: NOW, isHalted: true, isOtherUnknown: true, lastSend: 'pending' }),
  ).toEqual(['time_over', 'halted', 'paused', 'other_cycle_unknown', 'pending_at_service']);
});

it('a cycle that is unresolved without a send is blocked by its unresolved outcome', () => {
  expect(blockers({ status: 'unresolved' })).toEqual(['outcome_unresolved']);
});

it('a cycle is blocked by an undelivered notice if the notice of its rejection is not even ordered', () => {
  expect(blockers({ lastSend: 'rejected_retryable', notice: null })).toEqual(['notice_undelivered']);
});

it('a cycle with a final rejection is not blocked by its notice', () => {
  expect(blockers({ lastSend: 'rejected', notice: 'pending' })).toEqual([]);
});
