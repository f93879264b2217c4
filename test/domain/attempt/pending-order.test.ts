import type { Send } from '../../../src/domain/attempt/attempt';
import { nextAction } from '../../../src/domain/attempt/next-action';
import { DAY, HOUR, MINUTE, toIso } from '../../../src/domain/time';
import {
  capture,
  END,
  kindOf,
  listing,
  NOW,
  pending,
  refund,
  SETTLE,
  shown,
  unasked,
  UNREADABLE,
} from './facts-under-test';

/** A capture or a refund that the service has, `waited` ms after it was sent. */
const polled = (id: string, waited: number, changes: object, send: Partial<Send> = {}) =>
  unasked({ send: pending({ id, ...send }), now: NOW + waited, realNow: NOW + waited, ...changes });

const NOT_OVERDUE = { kind: 'overdue', reason: null };

/** The side effects of an overdue order: the item for an operator, and the alert with the same reason. */
const overdue = (type: string, reason: unknown) => [
  { kind: 'overdue', reason },
  { kind: 'alert', type, data: { reason } },
];

it('a pending order is looked up in the list of the service', () => {
  expect(nextAction(refund(), polled('ref_1', 0, {}))).toEqual({ kind: 'poll' });
});

it('a pending order that is listed as successful is settled with the id and the time that the service gives', () => {
  const list = listing(shown('ref_0'), shown('ref_1', { status: 'successful', createdAt: NOW + 1 }));
  expect(nextAction(refund(), polled('ref_1', MINUTE, { list }))).toEqual({
    kind: 'settle',
    outcome: { state: 'successful', id: 'ref_1', createdAt: NOW + 1 },
  });
});

it.each([
  ["a refund with the service's code and description", refund(), { detail: 'NO_FUNDS', description: 'empty' }, {}],
  ['a refund without a code by the kind of order', refund(), {}, { detail: 'REFUND_FAILED', description: '' }],
  ['a capture without a code by the kind of order', capture(), {}, { detail: 'CAPTURE_FAILED', description: '' }],
])('a pending order that is listed as failed is refused, and never retried: %s', (_which, attempt, words, expected) => {
  const made = shown('ord_1', { status: 'failed', ...words });
  expect(nextAction(attempt, polled('ord_1', MINUTE, { list: listing(made) }))).toEqual({
    kind: 'settle',
    outcome: { state: 'refused', retryable: false, made, ...words, ...expected },
  });
});

it('a pending order that is listed as pending is polled again, and the message to operators has its id and the reason', () => {
  expect(nextAction(refund(), polled('ref_1', MINUTE, { list: listing(shown('ref_1')) }))).toEqual({
    kind: 'retry_later',
    stop: 'pending',
    why: expect.stringMatching(/^refund ref_1: .*pending/),
    wait: MINUTE / 5,
    inPlace: null,
    sideEffects: [NOT_OVERDUE],
  });
});

it.each([
  ['a capture', capture(), 'capture.unknown_status', { captureId: 'ord_1' }],
  ['a refund', refund(), 'refund.unknown_status', { serviceRefundId: 'ord_1' }],
])(
  'an unknown status of an order counts as pending and alerts, with the id of %s (rule 41)',
  (_which, attempt, type, ids) => {
    const list = listing(shown('ord_1', { unknownStatus: 'odd' }));
    expect(nextAction(attempt, polled('ord_1', MINUTE, { list }))).toMatchObject({
      stop: 'pending',
      why: expect.stringContaining('odd'),
      sideEffects: [{ kind: 'alert', type, data: { ...ids, status: 'odd' } }, NOT_OVERDUE],
    });
  },
);

it.each([
  ['is not overdue a millisecond before five days', 5 * DAY - 1, [NOT_OVERDUE]],
  [
    'is overdue at five days',
    5 * DAY,
    overdue('refund.overdue', expect.stringMatching(`pending past ${toIso(NOW + 5 * DAY)}: .*pending`)),
  ],
])('a pending refund %s', (_when, waited, sideEffects) => {
  const facts = polled('ref_1', waited, { list: listing(shown('ref_1')) });
  expect(nextAction(refund(), facts)).toMatchObject({ stop: 'pending', sideEffects });
});

it.each([
  ['is not overdue a millisecond before the time to capture ends', END - 1, NOW, [NOT_OVERDUE]],
  [
    'is overdue when the time to capture ends',
    END,
    NOW,
    overdue('capture.overdue', expect.stringContaining(`pending past ${toIso(END)}`)),
  ],
  ['is not overdue within the settle time of its send, even then', END, END - SETTLE + 1, [NOT_OVERDUE]],
])('a pending capture %s', (_when, now, sendingRealAt, sideEffects) => {
  const facts = polled('cap_1', 0, { now, realNow: now, list: listing(shown('cap_1')) }, { sendingRealAt });
  expect(nextAction(capture(), facts)).toMatchObject({ stop: 'pending', sideEffects });
});

it.each([
  ['may be listed late within the settle time', SETTLE - 1, [NOT_OVERDUE]],
  [
    'is handed to an operator after the settle time',
    SETTLE,
    overdue('refund.overdue', expect.stringContaining('ref_1')),
  ],
])('a pending order that the list lacks %s', (_when, waited, sideEffects) => {
  const action = nextAction(refund(), polled('ref_1', waited, { list: listing(shown('ref_0')) }));
  expect(action).toMatchObject({ why: expect.stringContaining('does not list it'), sideEffects });
});

it.each([
  ['an unreadable answer', UNREADABLE, UNREADABLE.why],
  ['an incomplete list (rule 39)', { ...listing(), incomplete: 'one more page' }, 'one more page'],
])(
  '%s proves nothing about a pending order: an open item remains open, and no item is opened early',
  (_what, list, why) => {
    const early = nextAction(refund(), polled('ref_1', SETTLE, { list }));
    expect(early).toMatchObject({ stop: 'pending', why: expect.stringContaining(why), sideEffects: [] });
    const late = nextAction(refund(), polled('ref_1', 5 * DAY, { list }));
    expect(late).toHaveProperty('sideEffects', overdue('refund.overdue', expect.stringContaining(why)));
  },
);

it.each([
  ['grows to a minute while it may become final by itself', HOUR, { list: listing(shown('ref_1')) }, MINUTE],
  ['grows to an hour once an operator has been notified', 5 * DAY, { list: listing(shown('ref_1')) }, HOUR],
  ['is as long as the service asked for', MINUTE, { list: { ...UNREADABLE, retryAfter: HOUR } }, HOUR],
  [
    'is no shorter than usual if the service asked for less',
    MINUTE,
    { list: { ...UNREADABLE, retryAfter: 1 } },
    12_000,
  ],
])('the wait between two polls of an order %s', (_how, waited, changes, wait) => {
  expect(nextAction(refund(), polled('ref_1', waited, changes))).toMatchObject({ wait });
});

it('a pending order is never sent again or given up, however long it takes (rules 10, 18)', () => {
  const facts = polled('cap_1', 1000 * DAY, { list: listing() });
  expect(kindOf(capture(), facts)).toBe('retry_later pending');
});
