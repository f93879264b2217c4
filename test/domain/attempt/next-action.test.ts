import type { Send } from '../../../src/domain/attempt/attempt';
import { nextAction } from '../../../src/domain/attempt/next-action';
import { euros } from '../../../src/domain/money';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/time';
import {
  captured,
  capture,
  debit,
  DUE,
  END,
  kindOf,
  LEDGER,
  listing,
  NOW,
  own,
  ownRecords,
  pending,
  permitting,
  refund,
  sent,
  SETTLE,
  shown,
  TRANSIT,
  unasked,
  UNREADABLE,
} from './facts-under-test';

/** The state machine at each of its limits: just before, at and after it. */

it.each([
  ['a millisecond before the due date waits', DUE - 1, 'retry_later not_sent'],
  ['at the due date is sent', DUE, 'send'],
  ['a millisecond before the send limit is sent', END - TRANSIT - 1, 'send'],
  ['at the send limit is over', END - TRANSIT, 'answer window_closed'],
])('before a POST a debit %s', (_when, now, expected) => {
  expect(kindOf(debit(), permitting({ now }))).toBe(expected);
});

it.each([
  ['a millisecond before its limit is sent', END - TRANSIT - 1, 'send'],
  ['at its limit fails without a POST', END - TRANSIT, 'give_up'],
])('before a POST a capture %s', (_when, now, expected) => {
  expect(kindOf(capture(), permitting({ now }))).toBe(expected);
});

it('a refund has no limit', () => {
  expect(kindOf(refund(), permitting({ now: END + 1000 * DAY }))).toBe('send');
});

it('before a POST an attempt reads what the ledger permits, the consent, the list and its own records, in this order', () => {
  const { ledger, consent, list } = permitting();
  expect(kindOf(debit(), unasked())).toBe('check ledger');
  expect(kindOf(debit(), unasked({ ledger }))).toBe('check consent');
  expect(kindOf(debit(), unasked({ ledger, consent }))).toBe('check list');
  expect(kindOf(debit(), unasked({ ledger, consent, list }))).toBe('check own');
  expect(kindOf(refund(), unasked({ ledger }))).toBe('check list');
});

it.each([
  ['a retry reads the captures', debit({ isRetry: true }), ownRecords(), 'check_captures'],
  [
    'a first attempt reads the captures if an earlier attempt was refused',
    debit(),
    ownRecords(own('aut_0')),
    'check_captures',
  ],
  ['a first attempt does not read the captures', debit(), ownRecords(), 'send'],
  ['an order does not read the captures', refund(), ownRecords(own('ref_0', { state: 'failed' })), 'send'],
])('before a POST %s', (_which, attempt, records, expected) => {
  expect(kindOf(attempt, permitting({ own: records, captures: null }))).toBe(expected);
});

it.each([
  ['a pause or a cancellation stops an attempt', { isStopped: true }, 'answer stopped'],
  ['a halt stops an attempt', { isHalted: true }, 'retry_later halted'],
  ['two sends in vain stop an attempt', { sends: 2, lastUnknownReal: NOW }, 'retry_later not_sent'],
  ['one send in vain stops no attempt', { sends: 1, lastUnknownReal: NOW }, 'send'],
  [
    'two sends in vain stop no attempt once a POST was answered',
    { sends: 2, lastUnknownReal: NOW, isAnswered: true },
    'send',
  ],
])('before a POST %s', (_what, changes, expected) => {
  expect(kindOf(debit(), permitting({ ledger: { ...LEDGER, ...changes } }))).toBe(expected);
});

it.each([
  ['exactly the skew ahead is sent', 60_000, 'send'],
  ['more than the skew ahead by a millisecond waits', 60_001, 'retry_later clocks_differ'],
  ['exactly the skew behind is sent', -60_000, 'send'],
  ['more than the skew behind by a millisecond waits', -60_001, 'retry_later clocks_differ'],
])("before a POST an attempt with the service's clock %s", (_how, clockLead, expected) => {
  expect(kindOf(debit(), permitting({ list: { ...listing(), clockLead } }))).toBe(expected);
});

const stranger = (changes: object) => permitting({ list: listing(shown('aut_x', changes)), done: new Set(['reread']) });

it.each([
  ['of its amount is adopted', { amount: euros(1999) }, 'adopt'],
  ['of another amount leaves the cycle unresolved', { amount: euros(2000) }, 'answer unresolved'],
  ['created a minute before the start of rule 40 is adopted', { createdAt: LEDGER.since - 60_000 }, 'adopt'],
  ['created a minute and a millisecond before that start is ignored', { createdAt: LEDGER.since - 60_001 }, 'send'],
  ['that has failed is ignored', { status: 'failed' }, 'send'],
])('an authorization that the ledger lacks %s', (_which, changes, expected) => {
  expect(kindOf(debit(), stranger(changes))).toBe(expected);
});

it('two authorizations that the ledger lacks are not adopted', () => {
  const list = listing(shown('aut_x'), shown('aut_y'));
  expect(kindOf(debit(), permitting({ list, done: new Set(['reread']) }))).toBe('answer unresolved');
});

it('an authorization of the amount without the pending change is adopted', () => {
  const ledger = { ...LEDGER, currentAmount: euros(1500) };
  expect(kindOf(debit(), { ...stranger({ amount: euros(1500) }), ledger })).toBe('adopt');
});

it('a record that the ledger lacks stops an order until an operator decides, and is not adopted', () => {
  const action = nextAction(refund(), stranger({}));
  expect(action).toMatchObject({ kind: 'retry_later', stop: 'outcome_unknown' });
  expect(action).toHaveProperty('sideEffects', [
    expect.objectContaining({ kind: 'operator' }),
    expect.objectContaining({ type: 'refund.stopped' }),
  ]);
});

it.each([
  ['at once if nothing can be read', UNREADABLE, 0, 1],
  ['not before two thirds of the settle time of an incomplete list', { ...listing(), incomplete: 'more' }, 599_999, 0],
  ['with an item after two thirds of the settle time', { ...listing(), incomplete: 'more' }, 600_000, 2],
])('before a POST an attempt alerts %s', (_when, list, age, count) => {
  const action = nextAction(debit(), permitting({ list, age }));
  expect(action).toMatchObject({ kind: 'retry_later', stop: 'service_unreadable' });
  expect(action).toHaveProperty('sideEffects.length', count);
});

it.each([
  ['notifies no operator within the hour', HOUR - 1, 1],
  ['notifies an operator after an hour', HOUR, 2],
])('before a POST a refund that cannot be sent %s', (_when, age, count) => {
  expect(nextAction(refund(), permitting({ list: UNREADABLE, age }))).toHaveProperty('sideEffects.length', count);
});

it('before a POST an attempt waits as long as Retry-After says, but not past the send limit', () => {
  const list = { ...UNREADABLE, retryAfter: HOUR };
  expect(nextAction(debit(), permitting({ list }))).toMatchObject({ wait: HOUR });
  const now = END - TRANSIT - MINUTE;
  expect(nextAction(debit(), permitting({ list, now }))).toMatchObject({ wait: MINUTE });
});

const asked = (send: Partial<Send>, waited: number, counted = true) =>
  unasked({
    ...{ now: NOW + waited, send: sent(send), list: listing(), own: ownRecords(), takenIds: [], ledger: LEDGER },
    ...{ captures: listing(), done: new Set(counted ? (['counted'] as const) : []) },
  });

it.each([
  ['does not count before the settle time', SETTLE - 1, false],
  ['counts at the settle time', SETTLE, true],
])('a check that does not find a send with an unknown outcome %s', (_when, waited, absent) => {
  expect(nextAction(debit(), asked({}, waited, false))).toEqual({ kind: 'count_absence', absent });
});

it.each([
  ['one check is checked again', 1, 'retry_later outcome_unknown'],
  ['two checks was never made', 2, 'settle not_sent'],
])('a send with an unknown outcome that is absent in %s', (_how, absentChecks, expected) => {
  expect(kindOf(debit(), asked({ absentChecks }, SETTLE))).toBe(expected);
});

it.each([
  ['is settled as never made after one earlier send', 1, 'settle not_sent'],
  ['is checked again after two earlier sends', 2, 'retry_later outcome_unknown'],
])('a send with an unknown outcome that is absent twice %s', (_when, sends, expected) => {
  expect(kindOf(debit(), { ...asked({ absentChecks: 2 }, SETTLE), ledger: { ...LEDGER, sends } })).toBe(expected);
});

it('a send with an unknown outcome is settled as never made, after any number of such sends, once nothing more may be sent', () => {
  const facts = { ...asked({ absentChecks: 2 }, SETTLE), ledger: { ...LEDGER, sends: 2 } };
  expect(nextAction(debit({ settleOnly: true }), facts)).toMatchObject({
    outcome: { state: 'not_sent' },
    then: { kind: 'answer', result: { kind: 'absent' } },
  });
});

it.each([
  ['of our amount settles the send as accepted', {}, 'settle accepted'],
  [
    'created exactly the skew before the send settles the send as accepted',
    { createdAt: NOW - 60_000 },
    'settle accepted',
  ],
  ['created a millisecond earlier does not fit the send', { createdAt: NOW - 60_001 }, 'count_absence'],
  ['of another amount does not fit the send', { amount: euros(2000) }, 'count_absence'],
])('a send with an unknown outcome: a new record %s', (_which, changes, expected) => {
  expect(kindOf(debit(), { ...asked({}, 0), list: listing(shown('aut_1', changes)) })).toBe(expected);
});

it('a listed record that fits no send restarts the count of absences, and the send is unresolved', () => {
  const facts = { ...asked({ absentChecks: 1 }, SETTLE), list: listing(shown('aut_1', { amount: euros(2000) })) };
  expect(nextAction(debit(), facts)).toMatchObject({
    ...{ kind: 'count_absence', absent: false },
    then: { kind: 'settle', outcome: { state: 'unresolved' }, then: { result: { kind: 'unresolved' } } },
  });
});

it('a send is not settled by captures if one fits no attempt, or if their list is incomplete', () => {
  const facts = asked({ absentChecks: 2 }, SETTLE);
  const stray = nextAction(debit(), { ...facts, captures: listing(captured({ authorizationId: 'aut_x' })) });
  expect(stray).toMatchObject({ kind: 'count_absence', absent: false, then: { outcome: { state: 'unresolved' } } });
  const cut = nextAction(debit(), { ...facts, captures: { ...listing(), incomplete: 'more' } });
  expect(cut).toMatchObject({
    kind: 'count_absence',
    absent: false,
    then: { kind: 'retry_later', stop: 'outcome_unknown' },
  });
});

it('a send with an unknown outcome that the service had accepted is never settled as never made', () => {
  const facts = asked({ absentChecks: 9, acceptedAnswer: '{}' }, SETTLE);
  expect(nextAction(debit(), facts)).toMatchObject({ then: { outcome: { state: 'unresolved' } } });
  expect(kindOf(debit(), { ...asked({ acceptedAnswer: '{}' }, SETTLE - 1) })).toBe('retry_later outcome_unknown');
});

it.each([
  ['a millisecond before the end of its window is checked again', END - 1, 'retry_later outcome_unknown'],
  ['at the end of its window is unknown', END, 'answer unknown'],
])('a send with an unknown outcome, if the service cannot be asked, %s', (_when, now, expected) => {
  expect(kindOf(debit(), unasked({ now, send: sent(), list: UNREADABLE }))).toBe(expected);
});

it.each([
  ['waits within the settle time', SETTLE - 1, false, 'retry_later outcome_unknown'],
  ['is unresolved after the settle time', SETTLE, false, 'answer unresolved'],
  ['continues to wait if an operator has been notified', SETTLE, true, 'retry_later outcome_unknown'],
])('a send with an unknown outcome past its window %s', (_how, age, knownUnresolved, expected) => {
  const attempt = debit({ settleOnly: true, knownUnresolved });
  expect(kindOf(attempt, unasked({ now: END, age, send: sent(), list: UNREADABLE }))).toBe(expected);
});

describe('nextAction', () => {
  const polled = (changes: object, send: Partial<Send> = {}) => unasked({ send: pending(send), ...changes });
  const lists = (status: string, ...captures: object[]) => ({
    list: listing(shown('aut_1', { status })),
    captures: listing(...(captures as ReturnType<typeof captured>[])),
  });

  it.each([
    ['a millisecond before the end of its window is still polled', END - 1, false, 'retry_later pending'],
    ['at the end of its window is handed to the workflow', END, false, 'answer pending'],
    ['after the end of its window is still polled, beside later cycles', END, true, 'retry_later pending'],
  ])('a pending debit: %s', (_when, now, parked, expected) => {
    expect(kindOf(debit({ parked }), { ...polled(lists('pending')), now, realNow: now })).toBe(expected);
  });

  it.each([
    ['is polled in the same run within half a minute of its send', 30 * SECOND - 1, 1],
    ['is polled by a later run from half a minute on', 30 * SECOND, null],
  ])('a pending debit %s', (_when, waited, inPlace) => {
    const facts = polled({ ...lists('pending'), now: NOW + waited, realNow: NOW + waited });
    expect(nextAction(debit(), facts)).toMatchObject({ stop: 'pending', inPlace });
  });

  it.each([
    ['a successful capture is settled as successful', captured(), 'settle successful'],
    ['a failed capture is settled as a failed capture', captured({ status: 'failed' }), 'settle capture_failed'],
    ['no capture yet is recorded as authorized', captured({ authorizationId: 'aut_2' }), 'observe'],
  ])('a pending debit that is authorized with %s', (_what, of, expected) => {
    expect(kindOf(debit(), polled(lists('successful', of)))).toBe(expected);
  });

  it('a pending debit is refused only if none of its captures is pending or successful, and their list is complete', () => {
    expect(kindOf(debit(), polled(lists('failed')))).toBe('settle refused');
    expect(kindOf(debit(), polled(lists('failed', captured({ status: 'pending' }))))).toBe('retry_later pending');
    const cut = { ...lists('failed'), captures: { ...listing(), incomplete: 'more' } };
    expect(kindOf(debit(), polled(cut))).toBe('retry_later pending');
    expect(kindOf(debit(), polled({ ...lists('failed'), captures: UNREADABLE }))).toBe('retry_later pending');
    expect(kindOf(debit(), polled(lists('failed'), { wasRefused: true }))).toBe('settle refused_again');
  });

  it.each([
    ['first seen is noted', null, 'observe'],
    ['seen for less than the settle time is checked again', NOW - SETTLE + 1, 'retry_later pending'],
    ['seen twice over the settle time is collected', NOW - SETTLE, 'settle successful'],
  ])('a pending debit that is listed as refused and captured, %s', (_when, contradictedSinceReal, expected) => {
    expect(kindOf(debit(), polled(lists('failed', captured()), { contradictedSinceReal }))).toBe(expected);
  });

  it('a pending debit that was successful never becomes failed: its captures decide', () => {
    const facts = polled(lists('failed'), { authorized: true });
    expect(nextAction(debit(), facts)).toMatchObject({ stop: 'pending', sideEffects: [{ kind: 'contradiction' }] });
    expect(kindOf(debit(), polled(lists('failed', captured()), { authorized: true }))).toBe('settle successful');
  });

  it.each([
    ['first missing is noted', null, 'observe'],
    ['missing for less than the settle time is still polled', NOW - SETTLE + 1, 'retry_later pending'],
    ['missing for the settle time is handed to an operator', NOW - SETTLE, 'answer unlisted'],
  ])('a pending debit that complete lists lack, %s', (_when, unlistedSinceReal, expected) => {
    const facts = polled({ list: listing(), captures: listing(), own: ownRecords() }, { unlistedSinceReal });
    expect(kindOf(debit(), facts)).toBe(expected);
  });
});

describe('nextAction', () => {
  const polled = (waited: number, changes: object) =>
    unasked({ send: pending({ id: 'ref_1' }), now: NOW + waited, realNow: NOW + waited, ...changes });

  it.each([
    ['is not overdue before five days', 5 * DAY - 1, { kind: 'overdue', reason: null }],
    ['is overdue at five days', 5 * DAY, { kind: 'overdue', reason: expect.stringContaining('pending past') }],
  ])('a pending refund %s', (_when, waited, effect) => {
    const action = nextAction(refund(), polled(waited, { list: listing(shown('ref_1')) }));
    expect(action).toHaveProperty(['sideEffects', 0], effect);
  });

  it.each([
    ['within the settle time may be listed late', SETTLE - 1, { kind: 'overdue', reason: null }],
    [
      'after the settle time is handed to an operator',
      SETTLE,
      { kind: 'overdue', reason: expect.stringContaining('any more') },
    ],
  ])('a pending order missing from lists %s', (_when, waited, effect) => {
    expect(nextAction(refund(), polled(waited, { list: listing() }))).toHaveProperty(['sideEffects', 0], effect);
  });
});

const successful = shown('aut_1', { status: 'successful' });

it.each([
  ['as successful reads its captures without listing its authorization', debit(), successful, 'check_captures'],
  ['as pending lists its authorization', debit(), shown('aut_1'), 'poll'],
  ['with another authorization lists its authorization', debit(), shown('aut_2', { status: 'successful' }), 'poll'],
  ['as successful lists the earlier attempts too if it is a retry', debit({ isRetry: true }), successful, 'poll'],
])('an attempt whose POST was answered %s', (_what, attempt, answered, expected) => {
  expect(kindOf(attempt, unasked({ send: pending({ authorized: true }), answered }))).toBe(expected);
});

it('an attempt lists its authorization in a later pass, which no longer has the answer to the POST', () => {
  expect(kindOf(debit(), unasked({ send: pending({ authorized: true }) }))).toBe('poll');
});
