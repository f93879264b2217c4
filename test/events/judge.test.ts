import { judge, judgeReturn, type Written } from '../events-campaign/judge';
import type { Arrived } from '../events-campaign/listener';

const event = (id: string, sequence: number, subscriptionId = 'sub_1') => ({ id, subscriptionId, sequence });
const written = (id: string, sequence: number, subscriptionId = 'sub_1'): Written => {
  return { ...event(id, sequence, subscriptionId), type: 'cycle.collected', at: 1_000 };
};
const taken = (id: string, sequence: number, at = 1_500): Arrived => ({ ...event(id, sequence), at });
const NONE: ReadonlySet<string> = new Set();
const THREE = [written('a', 1), written('b', 2), written('c', 3)];
const IN_ORDER = [taken('a', 1), taken('b', 2), taken('c', 3)];

test('the judge counts every event that arrived in order as delivered, even if repeated', () => {
  const arrived = [taken('a', 1), taken('a', 1, 9_000), taken('b', 2), taken('c', 3, 3_000)];
  expect(judge(THREE, arrived, NONE)).toEqual({ delivered: 3, lost: 0, outOfOrder: 0, strange: 0, lag: 2_000 });
});

test.each([0, 1, 2])('the judge counts any dropped event as lost: event %i', (index) => {
  const arrived = IN_ORDER.filter((_, each) => each !== index);
  expect(judge(THREE, arrived, NONE)).toMatchObject({ delivered: 2, lost: 1, outOfOrder: 0 });
});

test.each([
  [0, 1],
  [1, 2],
  [0, 2],
])('the judge counts two swapped events as out of order: %i and %i', (one, other) => {
  const arrived = [...IN_ORDER];
  [arrived[one], arrived[other]] = [IN_ORDER[other]!, IN_ORDER[one]!];
  const { lost, outOfOrder } = judge(THREE, arrived, NONE);
  expect([lost, outOfOrder > 0]).toEqual([0, true]);
});

test('the judge counts a repetition after a later event as out of order, too', () => {
  expect(judge(THREE, [...IN_ORDER, taken('a', 1)], NONE)).toMatchObject({ lost: 0, outOfOrder: 1 });
});

test('the judge checks the order of each subscription separately', () => {
  const both = [...THREE, written('x', 1, 'sub_2')];
  const arrived = [...IN_ORDER, { ...event('x', 1, 'sub_2'), at: 2_000 }];
  expect(judge(both, arrived, NONE)).toMatchObject({ delivered: 4, lost: 0, outOfOrder: 0 });
});

test('an id that the ledger lacks, or has for another event, counts as strange, and the expected event as lost', () => {
  expect(judge(THREE, [taken('z', 1), taken('b', 2), taken('c', 3)], NONE)).toMatchObject({ lost: 1, strange: 1 });
  expect(judge(THREE, [taken('a', 2), taken('b', 2), taken('c', 3)], NONE)).toMatchObject({ lost: 1, strange: 1 });
});

test('a dead letter may arrive after later events, but in order with other dead letters, and must arrive', () => {
  const dead = new Set(['a', 'b']);
  const late = [taken('c', 3), taken('a', 1), taken('b', 2)];
  expect(judge(THREE, late, dead)).toMatchObject({ lost: 0, outOfOrder: 0 });
  expect(judge(THREE, late, new Set(['a']))).toMatchObject({ lost: 0, outOfOrder: 1 });
  expect(judge(THREE, [taken('c', 3), taken('b', 2), taken('a', 1)], dead)).toMatchObject({ lost: 0, outOfOrder: 1 });
  expect(judge(THREE, [taken('c', 3), taken('b', 2)], dead)).toMatchObject({ lost: 1 });
});

const BACKLOG = new Set(['b', 'c']);

test('the judge times the first event after an outage from the return, and the rest of the backlog from that event', () => {
  const arrived = [taken('a', 1, 9_000), taken('b', 2, 40_000), taken('c', 3, 45_000)];
  expect(judgeReturn(BACKLOG, arrived, 10_000)).toEqual({ firstAfter: 30_000, restAfter: 5_000, repeated: 0 });
});

test('the judge counts an event that arrives twice after an outage as repeated', () => {
  const arrived = [taken('b', 2, 11_000), taken('c', 3, 12_000), taken('b', 2, 13_000)];
  expect(judgeReturn(BACKLOG, arrived, 10_000)).toEqual({ firstAfter: 1_000, restAfter: 1_000, repeated: 1 });
});

test.each([[[]], [[taken('b', 2, 11_000)]]])(
  'the judge never accepts an incomplete backlog as delivered in time',
  (arrived) => {
    const { firstAfter, restAfter } = judgeReturn(BACKLOG, arrived, 10_000);
    expect([firstAfter, restAfter]).not.toContain(0);
    expect(restAfter > 30_000 || firstAfter > 60_000).toBe(true);
  },
);
