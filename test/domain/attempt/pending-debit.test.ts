import type { Facts, Send, ServiceCapture, ServiceRecord } from '../../../src/domain/attempt/attempt';
import { nextAction } from '../../../src/domain/attempt/next-action';
import { outcomeOfBooking, outcomeOfRefusal } from '../../../src/domain/attempt/pending-debit';
import { HOUR, SECOND } from '../../../src/domain/time';
import {
  captured,
  debit,
  END,
  kindOf,
  listing,
  NOW,
  own,
  ownRecords,
  pending,
  SETTLE,
  shown,
  unasked,
  UNREADABLE,
} from './facts-under-test';

/** The facts about debit aut_1, which is pending in the ledger, before anything was read. */
const polled = (changes: Partial<Facts>, send: Partial<Send> = {}) => unasked({ send: pending(send), ...changes });

/** Lists with the debit in this form, and with these captures. */
const listed = (made: Partial<ServiceRecord>, ...captures: Partial<ReturnType<typeof captured>>[]) => ({
  list: listing(shown('aut_1', made)),
  captures: listing(...captures.map(captured)),
});

const FAILED = { status: 'failed' };
const SUCCESSFUL = { status: 'successful' };
/** Lists that are complete and lack the debit. */
const LACKING: Partial<Facts> = { list: listing(), captures: listing(), own: ownRecords() };
const OF_ANOTHER = { authorizationId: 'aut_2' };

const alertOf = (data: object) => ({ kind: 'alert', type: 'attempt.unknown_status', data });

const CAPTURES = { kind: 'check_captures', authorizationId: 'aut_1' };

it('a pending debit without an authorization is an error', () => {
  expect(() => nextAction(debit(), polled({}, { id: null }))).toThrow('authorization');
});

it.each([
  ['lists its authorization', {}, { kind: 'poll' }],
  ['reads its captures once it is authorized', { list: listing(shown('aut_1', SUCCESSFUL)) }, CAPTURES],
  ['reads its captures before a refusal counts', { list: listing(shown('aut_1', FAILED)) }, CAPTURES],
  ['reads its captures if the list lacks it', { list: listing() }, CAPTURES],
  [
    'reads its captures at once if its POST was answered as successful',
    { answered: shown('aut_1', SUCCESSFUL) },
    CAPTURES,
  ],
])('a pending debit %s', (_what, changes, expected) => {
  expect(nextAction(debit(), polled(changes))).toEqual(expected);
});

it.each([
  ['the list of authorizations', { list: { ...UNREADABLE, retryAfter: 2 * HOUR } }],
  ['its captures', { ...listed(SUCCESSFUL), captures: { ...UNREADABLE, retryAfter: 2 * HOUR } }],
])('a pending debit waits as long as the service asks for if %s cannot be read', (_what, changes) => {
  expect(nextAction(debit(), polled(changes))).toMatchObject({
    ...{ kind: 'retry_later', stop: 'pending', wait: 2 * HOUR, inPlace: null, sideEffects: [] },
    why: expect.stringMatching(`aut_1: ${UNREADABLE.why}`),
  });
});

describe('nextAction', () => {
  const refused = own('aut_0', { state: 'rejected' });
  const again = { list: listing(shown('aut_0'), shown('aut_1')), own: ownRecords(refused) };

  it('a pending retry reopens a refused attempt of its cycle that is listed again, and continues (rule 36)', () => {
    const retry = debit({ isRetry: true });
    expect(nextAction(retry, polled({ ...again, own: null }))).toEqual({ kind: 'check', fact: 'own' });
    expect(nextAction(retry, polled(again))).toEqual({
      kind: 'reopen',
      again: { known: refused, found: { status: 'pending' }, isCaptured: false },
      blocksAttempt: false,
    });
    expect(kindOf(retry, polled({ ...again, list: listing(shown('aut_1')) }))).toBe('retry_later pending');
  });

  it('a pending retry does not reopen attempts of other cycles', () => {
    const facts = polled({ ...again, own: { ...ownRecords(refused), ofCycle: [] } });
    expect(kindOf(debit({ isRetry: true }), facts)).toBe('retry_later pending');
  });

  it('a pending first attempt reopens no earlier attempt of its cycle', () => {
    expect(kindOf(debit(), polled(again))).toBe('retry_later pending');
  });
});

it('a pending debit is judged by its own authorization, among others in the list', () => {
  const list = listing(shown('aut_0', SUCCESSFUL), shown('aut_1'), shown('aut_2', FAILED));
  expect(nextAction(debit(), polled({ list }))).toMatchObject({ stop: 'pending', why: expect.stringMatching('aut_1') });
});

it('a pending debit that is listed again is recorded as listed before its status is judged', () => {
  const facts = polled(listed(SUCCESSFUL, {}), { unlistedSinceReal: NOW - 1 });
  expect(nextAction(debit(), facts)).toEqual({ kind: 'observe', seen: { unlistedSinceReal: null } });
});

it.each([
  ['the service says pending', {}, 'pending', []],
  [
    'its status is unknown, which alerts (rule 41)',
    { unknownStatus: 'odd' },
    'odd',
    [alertOf({ authorizationId: 'aut_1', status: 'odd' })],
  ],
])('a debit remains pending while %s', (_what, made, said, sideEffects) => {
  const why = expect.stringMatching(`aut_1: .*${said}`);
  expect(nextAction(debit(), polled(listed(made)))).toMatchObject({ stop: 'pending', why, sideEffects });
});

describe('nextAction', () => {
  it('a pending debit that lists lack is settled by its captures, with the time of its send if the service gave no time', () => {
    const facts = { list: listing(), captures: listing(captured()) };
    const settled = (createdAt: number) => ({
      kind: 'settle',
      outcome: { state: 'successful', id: 'aut_1', createdAt, captureId: 'cap_1' },
    });
    expect(nextAction(debit(), polled(facts, { at: NOW - 7, createdAt: NOW - 5 }))).toEqual(settled(NOW - 5));
    expect(nextAction(debit(), polled(facts, { at: NOW - 7, createdAt: null }))).toEqual(settled(NOW - 7));
  });

  it('a pending debit that lists lack is missing since the first complete list, even if its captures cannot be read', () => {
    const observed = { kind: 'observe', seen: { unlistedSinceReal: NOW } };
    expect(nextAction(debit(), polled({ ...LACKING, own: null }))).toEqual({ kind: 'check', fact: 'own' });
    expect(nextAction(debit(), polled(LACKING))).toEqual(observed);
    expect(nextAction(debit(), polled({ ...LACKING, captures: UNREADABLE }))).toEqual(observed);
  });

  it.each([
    ['lists that say so', { list: { ...listing(), incomplete: 'one more page' } }],
    ['lists that lack another debit', { own: ownRecords(own('aut_0', { state: 'successful', reportedRealAt: 0 })) }],
  ])('a pending debit is not missing from incomplete lists: %s (rule 39)', (_which, changes) => {
    const action = nextAction(debit(), polled({ ...LACKING, ...changes }));
    expect(action).toMatchObject({ stop: 'pending', why: expect.stringContaining('incomplete') });
  });

  it('lists that lack only a pending debit are not incomplete because of that debit', () => {
    const records = ownRecords(own('aut_1', { state: 'pending', reportedRealAt: NOW }));
    expect(kindOf(debit(), polled({ ...LACKING, own: records }))).toBe('observe');
  });

  it('a pending debit that lists lack is handed to an operator after the settle time (rule 41)', () => {
    const missing = (since: number, attempt = debit()) =>
      nextAction(attempt, polled(LACKING, { unlistedSinceReal: since }));
    expect(missing(NOW - SETTLE + 1)).toMatchObject({ stop: 'pending', why: expect.stringContaining('does not list') });
    expect(missing(NOW - SETTLE)).toEqual({
      kind: 'answer',
      result: { kind: 'unlisted', authorizationId: 'aut_1' },
      sideEffects: [],
    });
    expect(missing(NOW - SETTLE, debit({ parked: true }))).toMatchObject({ stop: 'pending' });
  });
});

describe('nextAction', () => {
  const settled = { state: 'successful', id: 'aut_1', createdAt: NOW, captureId: 'cap_1' };

  it('an authorized debit is recorded as authorized once, and is then polled for its capture', () => {
    const facts = polled(listed(SUCCESSFUL, OF_ANOTHER));
    expect(nextAction(debit(), facts)).toEqual({ kind: 'observe', seen: { authorized: true } });
    expect(nextAction(debit(), { ...facts, send: pending({ authorized: true }) })).toMatchObject({
      ...{ stop: 'pending', sideEffects: [], why: expect.stringContaining('capture') },
    });
    expect(nextAction(debit(), polled(listed(SUCCESSFUL, {})))).toEqual({ kind: 'settle', outcome: settled });
  });

  it.each([
    ['alerts, with its id', {}, [alertOf({ authorizationId: 'aut_1', captureId: 'cap_1', status: 'odd' })]],
    ['of another authorization is ignored', OF_ANOTHER, []],
  ])('while an authorized debit is polled, an unknown status of a capture %s (rule 41)', (_which, of, sideEffects) => {
    const odd = { status: 'pending', unknownStatus: 'odd', ...of };
    const facts = polled(listed(SUCCESSFUL, { status: 'pending' }, odd), { authorized: true });
    expect(nextAction(debit(), facts)).toMatchObject({ stop: 'pending', sideEffects });
  });

  it.each([
    ['is final if it has no capture', {}, [], 'settle refused'],
    ['is final if its capture has failed', {}, [FAILED], 'settle refused'],
    ['is final if only other authorizations have captures', {}, [OF_ANOTHER], 'settle refused'],
    ['is its first refusal if it was refused before (rule 36)', { wasRefused: true }, [], 'settle refused_again'],
    ['waits for its pending capture (rule 37)', {}, [FAILED, { status: 'pending' }], 'retry_later pending'],
  ])('a refusal of a pending debit %s', (_when, send, captures, expected) => {
    expect(kindOf(debit(), polled(listed(FAILED, ...captures), send))).toBe(expected);
  });

  it.each([
    ['are incomplete', { ...listing<ServiceCapture>(), incomplete: 'more' }, 'not final'],
    ['cannot be read', UNREADABLE, UNREADABLE.why],
  ])('a refusal of a pending debit is not final while its captures %s (rule 37)', (_what, captures, why) => {
    const action = nextAction(debit(), polled({ ...listed(FAILED), captures }));
    expect(action).toMatchObject({ stop: 'pending', why: expect.stringContaining(why) });
  });

  it('a debit that is refused and captured is recorded as contradicted, and is collected if the contradiction lasts for the settle time', () => {
    const contradicted = (since: number | null, now = NOW) =>
      nextAction(debit(), {
        ...polled(listed(FAILED, FAILED, {}), { contradictedSinceReal: since }),
        now,
        realNow: now,
      });
    expect(contradicted(null)).toEqual({ kind: 'observe', seen: { contradictedSinceReal: NOW } });
    expect(contradicted(NOW)).toMatchObject({ stop: 'pending', wait: SETTLE, why: expect.stringContaining('captur') });
    expect(contradicted(NOW, NOW + SETTLE - 1000)).toMatchObject({ stop: 'pending', wait: SETTLE / 2 - 500 });
    expect(contradicted(NOW, NOW + SETTLE - 1)).toMatchObject({ stop: 'pending' });
    const contradiction = expect.stringMatching(/^aut_1 is failed.*successful capture/);
    expect(contradicted(NOW, NOW + SETTLE)).toEqual({ kind: 'settle', outcome: { ...settled, contradiction } });
  });

  it('a debit that was successful and is listed as failed is decided by its captures, which the message to operators says', () => {
    const facts = (...captures: object[]) => polled(listed(FAILED, ...captures), { authorized: true });
    const contradiction = expect.stringMatching(/^aut_1 was successful.*failed/);
    expect(nextAction(debit(), facts({}))).toEqual({ kind: 'settle', outcome: { ...settled, contradiction } });
    expect(nextAction(debit(), facts(FAILED))).toMatchObject({ outcome: { state: 'capture_failed', contradiction } });
    expect(nextAction(debit(), facts(OF_ANOTHER))).toMatchObject({
      ...{ stop: 'pending', why: expect.stringContaining('not final') },
      sideEffects: [{ kind: 'contradiction', record: shown('aut_1', FAILED), detail: contradiction }],
    });
  });
});

describe('nextAction', () => {
  const waiting = (waited: number, changes: Partial<Facts> = {}) =>
    polled({ now: NOW + waited, realNow: NOW + waited, ...listed({}), ...changes });

  it('a debit that is pending when its window ends is passed to the workflow, with what must be recorded', () => {
    const facts = waiting(END - NOW, listed({ unknownStatus: 'odd' }));
    expect(nextAction(debit(), facts)).toEqual({
      kind: 'answer',
      result: { kind: 'pending', authorizationId: 'aut_1' },
      sideEffects: [alertOf({ authorizationId: 'aut_1', status: 'odd' })],
    });
    expect(kindOf(debit({ parked: true }), facts)).toBe('retry_later pending');
    expect(kindOf(debit(), waiting(END - NOW - 1))).toBe('retry_later pending');
  });

  it.each([
    ['half a second at first', 0, 500, 500],
    ['half of its age, and in the same run a fifth of it', 20 * SECOND, 10 * SECOND, 4 * SECOND],
    ['cut to end at half a minute in the same run', 29 * SECOND, 14_500, 1000],
    ['only before a later run, from half a minute on', 30 * SECOND, 15 * SECOND, null],
    ['just below an hour', 2 * HOUR - 2, HOUR - 1, null],
    ['an hour at most', 3 * HOUR, HOUR, null],
    ['no later than the end of the window', END - NOW - 1, 1, null],
  ])('the wait between two polls of a pending debit: %s', (_how, waited, wait, inPlace) => {
    expect(nextAction(debit(), waiting(waited))).toMatchObject({ kind: 'retry_later', wait, inPlace });
  });

  it.each([
    ['in the same run if the wait ends within half a minute of its send', 30 * SECOND - 1, 30 * SECOND - 1],
    ['before a later run if the wait ends later', 30 * SECOND, null],
  ])('a pending debit waits as long as the service asks for: %s', (_where, retryAfter, inPlace) => {
    const facts = waiting(0, { list: { ...UNREADABLE, retryAfter } });
    expect(nextAction(debit(), facts)).toMatchObject({ wait: retryAfter, inPlace });
  });

  it('the wait between two polls of a pending debit is half a day of business time at most on a fast test clock', () => {
    const clock = { virtualStart: NOW, realStart: NOW, speed: 3600 };
    const facts = { ...waiting(40 * SECOND, { clock }), now: NOW + 40 * HOUR };
    expect(nextAction(debit(), facts)).toMatchObject({ kind: 'retry_later', wait: 12 * SECOND });
  });
});

it.each([
  ['is listed as failed', { list: listing(shown('aut_1', FAILED)) }, {}],
  ['is not listed', { list: listing(), own: ownRecords() }, { unlistedSinceReal: NOW }],
  ['is missing from an incomplete list', { list: { ...listing(), incomplete: 'more' }, own: ownRecords() }, {}],
])(
  'a pending debit that %s waits as long as the service asks before its captures are read again',
  (_how, facts, send) => {
    const captures = { ...UNREADABLE, retryAfter: HOUR };
    expect(nextAction(debit(), polled({ ...facts, captures }, send))).toMatchObject({ stop: 'pending', wait: HOUR });
  },
);

it.each([
  ['successful with one successful capture', [FAILED, {}], { state: 'successful' }],
  [
    'failed if all its captures have failed, with the code of the first',
    [{ ...FAILED, detail: 'NO_FUNDS' }, FAILED],
    { detail: 'NO_FUNDS' },
  ],
  [
    'failed, with a default code if the service gave none',
    [FAILED],
    { state: 'capture_failed', detail: 'CAPTURE_FAILED' },
  ],
  ['open while one of its captures is pending', [FAILED, { status: 'pending' }], null],
  ['open if only other authorizations have captures', [OF_ANOTHER], null],
])('the booking of an authorization is %s', (_what, captures, expected) => {
  const made = { id: 'aut_1', createdAt: NOW };
  const outcome = outcomeOfBooking(made, captures.map(captured));
  if (expected === null) expect(outcome).toBeNull();
  else expect(outcome).toMatchObject({ ...made, captureId: 'cap_1', ...expected });
});

it.each([
  ['the code and the description of the service', { detail: 'NO_FUNDS', description: 'empty' }, false, {}],
  ['a code by its status if the service gave none', {}, false, { detail: 'AUTHORIZATION_FAILED', description: '' }],
  ['the right to a retry only by its code', { detail: 'AUTHORIZATION_REJECTION_RETRYABLE', description: '' }, true, {}],
])('the refusal of an authorization has %s', (_what, words, retryable, expected) => {
  const made = shown('aut_1', { ...FAILED, ...words });
  expect(outcomeOfRefusal(made)).toEqual({ state: 'refused', retryable, made, ...words, ...expected });
});
