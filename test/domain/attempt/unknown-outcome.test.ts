import type { Attempt, Facts, Send } from '../../../src/domain/attempt/attempt';
import { nextAction } from '../../../src/domain/attempt/next-action';
import { euros } from '../../../src/domain/money';
import { HOUR, MINUTE, SECOND } from '../../../src/domain/time';
import {
  capture,
  captured,
  debit,
  END,
  kindOf,
  LEDGER,
  listing,
  NOW,
  own,
  ownRecords,
  refund,
  sent,
  SETTLE,
  shown,
  TRANSIT,
  unasked,
  UNREADABLE,
} from './facts-under-test';

/** The facts `waited` ms after the send, if everything was read and the service lists nothing of the send. */
const nothing = (waited: number, send: Partial<Send> = {}, changes: Partial<Facts> = {}) =>
  unasked({
    ...{ now: NOW + waited, send: sent(send), list: listing(), own: ownRecords(), takenIds: [], ledger: LEDGER },
    ...{ captures: listing(), ...changes },
  });

const COUNTED = new Set(['counted'] as const);

/** The facts after two checks in a row, past the settle time, have found nothing. */
const absentTwice = (changes: Partial<Facts> = {}, send: Partial<Send> = {}) =>
  nothing(SETTLE, { absentChecks: 2, ...send }, { done: COUNTED, ...changes });

/** The action that restarts the count of absences, and then does `then`. */
const restarted = (then: object) => ({ kind: 'count_absence', absent: false, then });

it('a row "sending" without an outcome becomes unknown before anything is read, as of the latest time at which its POST may be answered', () => {
  const send = sent({ state: 'sending', unknownSinceReal: null });
  expect(nextAction(debit(), unasked({ send }))).toEqual({
    kind: 'settle',
    outcome: { state: 'unknown', reason: expect.stringContaining('no outcome'), sinceReal: NOW + 40 * SECOND },
  });
});

it.each(['unknown', 'unresolved'] as const)(
  'a send that is %s is looked up, and a check reads what it needs in a fixed order',
  (state) => {
    const send = sent({ state });
    const [list, taken] = [listing(), { takenIds: [] }];
    expect(kindOf(debit(), unasked({ send }))).toBe('poll');
    expect(kindOf(debit(), unasked({ send, list }))).toBe('check takenIds');
    expect(kindOf(debit(), unasked({ send, list, ...taken }))).toBe('check own');
    expect(kindOf(debit(), unasked({ send, list, ...taken, own: ownRecords() }))).toBe('count_absence');
  },
);

it('a new record of our amount settles the send as accepted; a record that the ledger has is not new', () => {
  const made = shown('aut_1');
  expect(nextAction(debit(), nothing(0, {}, { list: listing(made) }))).toEqual({
    kind: 'settle',
    outcome: { state: 'accepted', made },
  });
  expect(kindOf(debit(), nothing(0, {}, { list: listing(made), takenIds: ['aut_1'] }))).toBe('count_absence');
});

it('records that do not fit leave the send unresolved, and the reason names them', () => {
  const list = listing(shown('aut_1'), shown('aut_2'));
  const reason = expect.stringContaining('aut_1, aut_2');
  const then = { kind: 'answer', result: { kind: 'unresolved', reason }, sideEffects: [] };
  expect(nextAction(debit(), nothing(0, {}, { list }))).toEqual(
    restarted({ kind: 'settle', outcome: { state: 'unresolved', reason }, then }),
  );
  // The state is written only once.
  expect(nextAction(debit(), nothing(0, { state: 'unresolved' }, { list }))).toEqual(restarted(then));
});

it.each([
  ['alerts no operator within the settle time of its send', SETTLE - 1, []],
  [
    'is handed to an operator after the settle time of its send',
    SETTLE,
    [{ kind: 'operator', reason: expect.stringContaining(UNREADABLE.why) }, expect.objectContaining({ kind: 'alert' })],
  ],
])('an order with an unknown outcome, if the service cannot be asked, %s', (_when, waited, sideEffects) => {
  const action = nextAction(refund(), nothing(waited, {}, { list: UNREADABLE }));
  expect(action).toMatchObject({ kind: 'retry_later', stop: 'outcome_unknown', sideEffects });
});

it.each([
  ['within the settle time', SETTLE - 1, 0],
  ['after it, with the item and the alert', SETTLE, 2],
])(
  'an incomplete list proves nothing about a missing send, and restarts the count: %s (rule 39)',
  (_when, waited, count) => {
    const list = { ...listing(), incomplete: 'one more page' };
    const action = nextAction(refund(), nothing(waited, { absentChecks: 1 }, { list }));
    const why = expect.stringContaining('one more page');
    expect(action).toMatchObject(restarted({ kind: 'retry_later', stop: 'outcome_unknown', why }));
    expect(action).toHaveProperty('then.sideEffects.length', count);
  },
);

it('the check of a sent order waits while another order of the payment has an unknown outcome', () => {
  const facts = nothing(SETTLE, {}, { own: { ...ownRecords(), isOtherUnknown: true } });
  expect(nextAction(refund(), facts)).toMatchObject({ kind: 'retry_later', stop: 'blocked' });
});

describe('nextAction', () => {
  const refused = own('rec_0', { state: 'rejected' });
  const again = { list: listing(shown('rec_0')), takenIds: ['rec_0'], own: ownRecords(refused) };

  it('a refused debit that is listed again is reopened, and does not delay the check of a later send (rule 36)', () => {
    expect(nextAction(debit(), nothing(0, {}, again))).toEqual({
      kind: 'reopen',
      again: { known: refused, found: { status: 'pending' }, isCaptured: false },
      blocksAttempt: false,
    });
  });

  it('a refused debit that has a capture is reopened when a later send is absent twice (rule 36)', () => {
    const captures = listing(captured({ authorizationId: 'rec_0' }));
    expect(nextAction(debit(), absentTwice({ ...again, list: listing(), captures }))).toEqual({
      kind: 'reopen',
      again: { known: refused, found: { status: 'successful', captureId: 'cap_1' }, isCaptured: true },
      blocksAttempt: false,
    });
  });

  it('a refused order that is listed again does not concern another order', () => {
    expect(kindOf(refund(), nothing(0, {}, again))).toBe('count_absence');
  });
});

it('a check does not count before the settle time, or if it is not known since when the outcome is unknown', () => {
  const absent = (waited: number, send = {}) => nextAction(debit(), nothing(waited, send));
  expect(absent(SETTLE - 1)).toEqual({ kind: 'count_absence', absent: false });
  expect(absent(SETTLE)).toEqual({ kind: 'count_absence', absent: true });
  expect(absent(SETTLE, { unknownSinceReal: null })).toEqual({ kind: 'count_absence', absent: false });
});

it.each([
  ['a second send without an answer is settled as never made', debit(), NOW, 1, 'settle not_sent'],
  ['a third send of a debit is checked until its window ends', debit(), NOW, 2, 'retry_later outcome_unknown'],
  [
    'a third send of a capture is checked until its limit',
    capture(),
    END - TRANSIT - 1,
    2,
    'retry_later outcome_unknown',
  ],
  ['a third send of a capture at its limit is settled as never made', capture(), END - TRANSIT, 2, 'settle not_sent'],
  ['a second send of a refund is settled as never made', refund(), NOW, 1, 'settle not_sent'],
  ['a third send of a refund, which has no limit, is handed to an operator', refund(), NOW, 2, 'count_absence'],
])('%s (rule 39)', (_which, attempt, now, sends, expected) => {
  expect(kindOf(attempt, { ...absentTwice({ ledger: { ...LEDGER, sends } }), now })).toBe(expected);
});

it('a third send of a refund without a readable answer is unresolved, and the reason says so', () => {
  const reason = expect.stringContaining('three times');
  expect(nextAction(refund(), absentTwice({ ledger: { ...LEDGER, sends: 2 } }))).toMatchObject(
    restarted({ kind: 'settle', outcome: { state: 'unresolved', reason }, then: { kind: 'retry_later' } }),
  );
});

it('a send that is absent twice reads the ledger only if it may be sent again', () => {
  expect(kindOf(debit(), absentTwice({ ledger: null }))).toBe('check ledger');
  expect(kindOf(capture(), absentTwice({ ledger: null }))).toBe('check ledger');
  expect(kindOf(debit({ settleOnly: true }), absentTwice({ ledger: null }))).toBe('settle not_sent');
});

it('a debit that is absent twice may be listed only as a capture, so captures are read before the debit is settled', () => {
  expect(nextAction(debit(), absentTwice({ captures: null }))).toEqual({
    kind: 'check_captures',
    authorizationId: null,
  });
  expect(kindOf(refund(), absentTwice({ captures: null }))).toBe('settle not_sent');
});

it('a capture that no attempt explains leaves the send unresolved, and the reason names it', () => {
  const captures = listing(captured({ authorizationId: 'aut_x' }));
  const reason = expect.stringContaining('aut_x');
  expect(nextAction(debit(), absentTwice({ captures }))).toMatchObject(
    restarted({ kind: 'settle', outcome: { state: 'unresolved', reason } }),
  );
});

it('captures that cannot be read prove nothing about a missing send, and restart the count', () => {
  expect(nextAction(debit(), absentTwice({ captures: UNREADABLE }))).toMatchObject(
    restarted({ kind: 'retry_later', stop: 'outcome_unknown', why: expect.stringContaining(UNREADABLE.why) }),
  );
});

it.each([
  ['may be sent again', debit(), {}],
  ['is absent, once nothing more may be sent', debit({ settleOnly: true }), { then: { result: { kind: 'absent' } } }],
])('a debit that was never made %s', (_which, attempt: Attempt, then) => {
  const action = nextAction(attempt, absentTwice());
  expect(action).toMatchObject({ outcome: { state: 'not_sent', reason: expect.stringContaining('twice') }, ...then });
  expect('then' in action).toBe('then' in then);
});

describe('nextAction', () => {
  const accepted = (waited: number, send: Partial<Send> = {}, attempt = debit()) =>
    nextAction(attempt, nothing(waited, { acceptedAnswer: 'aut_9', absentChecks: 9, ...send }, { done: COUNTED }));
  const asAccepted = expect.stringContaining('aut_9');

  it('a send that the service accepted is checked until the settle time, and is then unresolved, never settled as never made (rule 38)', () => {
    expect(accepted(SETTLE - 1, { reason: 'lost' })).toMatchObject({ kind: 'retry_later', stop: 'outcome_unknown' });
    expect(accepted(SETTLE, { reason: 'lost' })).toMatchObject(
      restarted({ kind: 'settle', outcome: { state: 'unresolved', reason: asAccepted } }),
    );
  });

  it.each([
    ['with its first reason', 'two records', 'two records'],
    ['as accepted if it has none', null, asAccepted],
  ])(
    'a send that the service accepted and that is unresolved remains so at once, %s (rule 38)',
    (_how, reason, shownReason) => {
      expect(accepted(0, { state: 'unresolved', reason })).toMatchObject(
        restarted({ kind: 'answer', result: { kind: 'unresolved', reason: shownReason } }),
      );
    },
  );
});

describe('nextAction', () => {
  const checkedOnce = (waited: number, changes: Partial<Facts> = {}, send: Partial<Send> = {}) =>
    nothing(waited, { absentChecks: 1, ...send }, { done: COUNTED, ...changes });

  it.each([
    ['a debit is checked again a millisecond before its window ends', debit(), END - 1, 'retry_later outcome_unknown'],
    ['a debit is unknown when its window ends', debit(), END, 'answer unknown'],
    [
      'a debit is still checked after its window, beside later cycles',
      debit({ settleOnly: true }),
      END,
      'retry_later outcome_unknown',
    ],
    ['a capture is still checked when its time to capture ends', capture(), END, 'retry_later outcome_unknown'],
  ])('%s, if the send is not listed', (_which, attempt, now, expected) => {
    expect(kindOf(attempt, { ...checkedOnce(0), now })).toBe(expected);
  });

  it.each([
    ['a fifth of the time since the send', debit(), checkedOnce(100 * SECOND), 20 * SECOND],
    ['no later than the settle time', debit(), checkedOnce(SETTLE - 1), 1],
    ['a minute once the settle time has passed', debit(), checkedOnce(SETTLE), MINUTE],
    ['a minute if the start of the wait is lost', debit(), checkedOnce(HOUR, {}, { unknownSinceReal: null }), MINUTE],
    ['no later than the end of the window of a debit', debit(), checkedOnce(END - 1 - NOW), 1],
    ['a minute for a capture, whatever its limit', capture(), checkedOnce(END - 1 - NOW), MINUTE],
  ])('the next check of a send that is not listed comes after %s', (_how, attempt, facts, wait) => {
    expect(nextAction(attempt, facts)).toMatchObject({
      ...{ kind: 'retry_later', stop: 'outcome_unknown', wait, why: expect.stringContaining('does not list') },
    });
  });
});

it.each([
  [
    'created exactly the skew before the send settles the send as accepted',
    { createdAt: NOW - MINUTE },
    'settle accepted',
  ],
  ['created a millisecond earlier does not fit the send', { createdAt: NOW - MINUTE - 1 }, 'count_absence'],
  ['of another amount does not fit the send', { amount: euros(2000) }, 'count_absence'],
])('a send with an unknown outcome: a new record %s', (_which, changes, expected) => {
  expect(kindOf(debit(), nothing(0, {}, { list: listing(shown('aut_1', changes)) }))).toBe(expected);
});
