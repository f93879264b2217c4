import type { components } from '../../src/client/api';
import { reasonOf } from '../../src/console/views/today/blockers';
import { automaticOf, workOf as workAt } from '../../src/console/views/today/work';
import { item } from './items';
import { at, euros, noon } from './lives';

const workOf = (...of: [Parameters<typeof workAt>[0], Parameters<typeof workAt>[1]]) => workAt(...of, noon(7));

type Deadline = components['schemas']['Deadline'];

function deadline(more: Partial<Deadline> = {}): Deadline {
  return {
    subscriptionId: 'sub_a',
    cycle: 1,
    status: 'dunning',
    amount: euros(1999),
    dueAt: at(8),
    deadline: at(10),
    hoursLeft: 20,
    collectBy: at(12),
    collectHoursLeft: 68,
    attempts: 1,
    payer: {},
    atRisk: euros(1999),
    blockedBy: [],
    ...more,
  };
}

test('the queue of Today has the operator’s tasks, earliest deadline first and tasks without a deadline last', () => {
  const work = workOf(
    [item({ item: 'endless', kind: 'dead_letter', subscriptionId: null, cycle: null, deadline: null })],
    [
      deadline({ subscriptionId: 'sub_late', deadline: at(12), blockedBy: ['notice_undeliverable'] }),
      deadline({ subscriptionId: 'sub_soon', deadline: at(9), blockedBy: ['paused'] }),
    ],
  );
  expect(work.map(({ id, action }) => [id, action])).toEqual([
    ['sub_soon', 'Resume'],
    ['sub_late', 'Edit payer'],
    ['pay_a', 'Review'],
  ]);
});

test('critical items come before items with more than a day left, and after items with less', () => {
  const items = [
    item({ item: 'failed', kind: 'capture_failed', deadline: at(12) }),
    item({ item: 'debit', kind: 'debit_unknown', deadline: null }),
    item({ item: 'notice', kind: 'notice_undeliverable', deadline: at(8) }),
    item({ item: 'many', kind: 'installation', deadline: null }),
  ];
  expect(workOf(items, []).map(({ key }) => key)).toEqual(['notice', 'debit', 'many', 'failed']);
});

test('a cycle with an attention item is in the queue once, with its payer', () => {
  const cycle = deadline({ status: 'unresolved', blockedBy: ['outcome_unresolved'] });
  const payer = { name: 'Marta' };
  expect(workOf([item({ payer })], [cycle])).toMatchObject([{ payer, action: 'Resolve' }]);
});

test('two items of one cycle are two rows, each with its own key', () => {
  const cycle = deadline({ status: 'unresolved', blockedBy: ['outcome_unresolved'] });
  const work = workOf([item({ item: 'att_a' }), item({ item: 'att_b', kind: 'contradiction' })], [cycle]);
  expect(new Set(work.map(({ key }) => key)).size).toBe(2);
  expect(work).toHaveLength(2);
});

test('an item opens beside the list in the order of the queue, so that the page contains it', () => {
  expect(workOf([item({ item: 'att_a' })], [])).toMatchObject([{ href: '/attention/att_a?sort=deadline' }]);
});

test('a payment that waits for its retry needs no operator and is not in the queue', () => {
  const cycle = deadline({ blockedBy: ['notice_undelivered'] });
  expect(workOf([], [cycle])).toEqual([]);
  expect(automaticOf([cycle, deadline({ blockedBy: ['paused'] })])).toEqual([cycle]);
});

test('a halt of all sending is not in the queue, because every page shows it', () => {
  expect(workOf([item({ kind: 'sending_halted', subscriptionId: null, cycle: null })], [])).toEqual([]);
});

test.each([
  [{}, 'Waiting for its due time'],
  [{ blockedBy: ['notice_undelivered'] }, 'The payer must be notified before the next attempt'],
  [{ lastRefusal: 'not enough money', attempts: 2 }, 'Declined twice: not enough money'],
  [{ lastRefusal: 'no', attempts: 3, blockedBy: ['paused'] }, 'Declined 3 times: no; the subscription is paused'],
  [
    { lastRefusal: 'no', attempts: 2, blockedBy: ['pending_at_service'] },
    'Declined once: no; the bank has not decided yet',
  ],
] as const)('a cycle in the queue with %j has the reason "%s"', (more, reason) => {
  expect(reasonOf(deadline(more as Partial<Deadline>))).toBe(reason);
});
