import type { AuthorizationId, CaptureId, SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import type { AttemptState } from '../../src/domain/send';
import { waitedAtTheEnd } from '../../src/domain/subscription/pending-change';
import { nextStep } from '../../src/domain/subscription/next-step';
import {
  type AttemptFacts,
  continuedFrom,
  type CycleFacts,
  hasGoneFurther,
  knowsMore,
  type LedgerFacts,
  restoreState,
  steeredBy,
} from '../../src/domain/subscription/state-from-ledger';
import { COLLECTION_WINDOW } from '../../src/domain/subscription/schedule';
import {
  type NoticeState,
  type PendingAttempt,
  type PendingChange,
  SUBSCRIPTION_STATUSES,
  type SubscriptionState,
} from '../../src/domain/subscription/state';
import { HOUR } from '../../src/domain/time';
import { active, at, FIRST, MINUTE_MARGIN, openCycle, rejection } from './subscription-under-test';

const SECOND_DUE = at('2027-02-28T10:00:00.000');
const THIRD_DUE = at('2027-03-31T10:00:00.000');
const CLOSED = FIRST + COLLECTION_WINDOW;
const LIMIT = FIRST + 72 * HOUR;
/** An hour into the first window. */
const NOW = FIRST + HOUR;

function facts(wanted: Partial<LedgerFacts> = {}): LedgerFacts {
  return { ...active(), endHeardAt: null, hold: null, collectFrom: null, lastOver: null, begun: [], ...wanted };
}

function begun(wanted: Partial<CycleFacts> = {}): CycleFacts {
  return {
    cycle: 0,
    collectBy: CLOSED,
    amount: euros(1500),
    status: 'collecting',
    retryNow: false,
    attempts: [],
    notices: [],
    ...wanted,
  };
}

function attempt(state: AttemptState, wanted: Partial<AttemptFacts> = {}): AttemptFacts {
  const nothing = { authorizationId: null, captureId: null, detail: null, description: null };
  return { attempt: 0, state, reopened: false, at: FIRST, ...nothing, ...wanted };
}

const REFUSED = attempt('rejected_retryable', { detail: 'NO_MONEY', description: 'ask again' });
const noticeOf = (notice: NoticeState, of = 0) => ({ attempt: of, notice });
const openOf = (cycle: Partial<CycleFacts>, now = NOW) => restoreState(facts({ begun: [begun(cycle)] }), now).open;

describe('where it stands (rules 4, 30)', () => {
  test('nothing has begun: the first cycle, and nothing of the ledger is lost', () => {
    const steered = {
      pauses: [{ since: FIRST, until: NOW }],
      skips: [3],
      revision: 7,
      current: euros(1700),
      collectedOnce: true,
      spread: 5,
      policy: MINUTE_MARGIN,
    };
    expect(restoreState(facts(steered), NOW)).toEqual(active({}, steered));
  });

  test.each([
    ['one is over', { lastOver: 0 }, 1],
    ['the import takes all', { collectFrom: FIRST }, 0],
    ['the import takes those from the second due date on', { collectFrom: SECOND_DUE }, 1],
    ['the import left out more than is over', { collectFrom: THIRD_DUE, lastOver: 0 }, 2],
    ['more is over than the import left out', { collectFrom: SECOND_DUE, lastOver: 1 }, 2],
  ])('%s', (_, wanted, cycle) => {
    expect(restoreState(facts(wanted), NOW)).toMatchObject({ cycle, open: null, pending: [] });
  });

  test('one is under way', () => {
    const state = restoreState(facts({ lastOver: 0, begun: [begun({ cycle: 1 })] }), SECOND_DUE);
    expect(state).toMatchObject({ cycle: 1, pending: [] });
    expect(state.open).toEqual(openCycle({ cycle: 1, amount: euros(1500) }));
  });

  test('a cycle behind one that is over does not open again', () => {
    expect(restoreState(facts({ lastOver: 0, begun: [begun()] }), NOW)).toMatchObject({ cycle: 1, open: null });
  });
});

describe('an authorization that is pending past its window is followed beside the later cycles (rule 10)', () => {
  const pending = begun({ attempts: [REFUSED, attempt('pending', { attempt: 1 })] });

  test('a millisecond before, its cycle is open, and asked about', () => {
    const state = restoreState(facts({ begun: [pending] }), CLOSED - 1);
    expect(state).toMatchObject({ cycle: 0, pending: [], open: { cycle: 0, doubt: 'unknown' } });
  });

  test('from then on it is beside', () => {
    const state = restoreState(facts({ begun: [pending] }), CLOSED);
    expect(state).toMatchObject({ cycle: 1, open: null });
    expect(state.pending).toEqual([
      {
        cycle: 0,
        amount: euros(1500),
        attempt: 1,
        dueAt: FIRST,
        collectBy: CLOSED,
        sendBefore: FIRST,
        nextDueAt: SECOND_DUE,
        settleOnly: true,
        parked: true,
        knownUnresolved: false,
      },
    ]);
  });

  test('the due date after it is the next that no person has skipped', () => {
    const state = restoreState(facts({ skips: [1], begun: [pending] }), CLOSED);
    expect(state.pending[0]!.nextDueAt).toBe(THIRD_DUE);
  });

  test('the later cycle is open beside it', () => {
    const later = begun({ cycle: 1, collectBy: SECOND_DUE + COLLECTION_WINDOW });
    const state = restoreState(facts({ begun: [pending, later] }), SECOND_DUE);
    expect(state).toMatchObject({ cycle: 1, open: { cycle: 1 }, pending: [{ cycle: 0 }] });
  });

  test.each<AttemptState>(['rejected', 'rejected_retryable', 'capture_failed'])(
    'one that came to be %s, which no workflow has heard, is followed to the end of its cycle',
    (state) => {
      const answered = begun({ attempts: [attempt(state)] });
      const restored = restoreState(facts({ lastOver: 1, begun: [answered] }), THIRD_DUE);
      expect(restored).toMatchObject({ cycle: 2, open: null, pending: [{ cycle: 0, attempt: 0, parked: true }] });
    },
  );

  test.each<AttemptState>(['sending', 'unknown', 'unresolved', 'not_sent'])(
    'one that is %s is no debit to be followed, whatever is over',
    (state) => {
      const inDoubt = begun({ attempts: [attempt(state)] });
      expect(restoreState(facts({ lastOver: 1, begun: [inDoubt] }), THIRD_DUE)).toMatchObject({ pending: [] });
    },
  );

  test.each<AttemptState>(['sending', 'unknown', 'rejected', 'unresolved'])('one that is %s stays open', (state) => {
    const restored = restoreState(facts({ begun: [begun({ attempts: [attempt(state)] })] }), CLOSED);
    expect(restored).toMatchObject({ cycle: 0, open: { cycle: 0 }, pending: [] });
  });
});

describe('the open cycle', () => {
  test.each<[AttemptState, string]>([
    ['sending', 'unknown'],
    ['unknown', 'unknown'],
    ['pending', 'unknown'],
    ['unresolved', 'unresolved'],
    ['not_sent', 'none'],
    ['rejected', 'none'],
    ['rejected_retryable', 'none'],
    ['capture_failed', 'none'],
  ])('whose last attempt is %s: doubt %s', (state, doubt) => {
    expect(openOf({ attempts: [attempt('not_sent'), attempt(state)] })).toMatchObject({ doubt });
  });

  test('that is shown as unresolved is so, whatever its attempt says', () => {
    expect(openOf({ status: 'unresolved', attempts: [attempt('sending')] })).toMatchObject({ doubt: 'unresolved' });
  });

  test.each<[AttemptState, boolean]>([
    ['capture_failed', true],
    ['sending', false],
  ])('whose attempt is %s: capture failed %p', (state, captureFailed) => {
    const rejected = attempt('rejected_retryable', { attempt: 1 });
    expect(openOf({ attempts: [attempt(state), rejected] })).toMatchObject({ captureFailed });
  });

  test('whose capture failed knows of which attempt, with the ids and the word of the service', () => {
    const named = { authorizationId: 'aut_1' as AuthorizationId, captureId: 'cap_1' as CaptureId };
    const said = { attempt: 1, detail: 'BANK_SAYS_NO', ...named };
    const open = openOf({ attempts: [REFUSED, attempt('capture_failed', said)] });
    expect(open).toMatchObject({ rejection: { attempt: 0 }, failedCapture: said });
  });

  test('whose capture failed without a word of the service has one', () => {
    const { failedCapture } = openOf({ attempts: [attempt('capture_failed')] })!;
    expect(failedCapture).toMatchObject({ attempt: 0, detail: 'CAPTURE_FAILED', captureId: null });
  });

  test('without a refusal goes on with the attempt that it was at', () => {
    expect(openOf({ attempts: [attempt('unknown', { attempt: 2 })] })).toEqual(
      openCycle({ amount: euros(1500), attempt: 2, doubt: 'unknown' }),
    );
  });

  test('goes on after its last refusal, and counts its hours from the first', () => {
    const last = attempt('rejected_retryable', { attempt: 1, at: NOW, detail: 'STILL_NONE', description: 'wait' });
    expect(openOf({ retryNow: true, attempts: [REFUSED, last] })).toEqual(
      openCycle({
        amount: euros(1500),
        retryNow: true,
        attempt: 2,
        firstFailureAt: FIRST,
        rejection: rejection({ attempt: 1, at: NOW, detail: 'STILL_NONE', description: 'wait' }),
      }),
    );
  });

  test('has a refusal that is final as such, and without words where the service gave none', () => {
    expect(openOf({ attempts: [attempt('rejected')] })?.rejection).toEqual(
      rejection({ detail: 'UNKNOWN', description: '', retryable: false }),
    );
  });
});

describe('the notice of its refusal (rule 13)', () => {
  const DELIVERED: NoticeState = { kind: 'delivered', at: NOW };
  const UNDELIVERABLE: NoticeState = { kind: 'undeliverable', reason: 'no channel' };
  const noticeAt = (now: number, ...notices: CycleFacts['notices']) =>
    openOf({ attempts: [REFUSED], notices }, now)?.notice;

  test('is due where none is told of', () => {
    expect(noticeAt(NOW)).toEqual({ kind: 'due' });
  });

  test('is due where another attempt was told of', () => {
    expect(noticeAt(NOW, noticeOf(DELIVERED, 1))).toEqual({ kind: 'due' });
  });

  test('stays delivered', () => {
    expect(noticeAt(NOW, noticeOf(UNDELIVERABLE, 1), noticeOf(DELIVERED))).toEqual(DELIVERED);
  });

  test.each([
    ['a millisecond before the last moment of a retry', LIMIT - 1, { kind: 'due' }],
    ['from then on', LIMIT, UNDELIVERABLE],
  ])('that no channel took: %s', (_, now, notice) => {
    expect(noticeAt(now, noticeOf(UNDELIVERABLE))).toEqual(notice);
  });
});

describe('a hold whose request the ledger lacks (rules 24, 26)', () => {
  const earlier = { since: FIRST - 2 * HOUR, until: FIRST - HOUR };

  test('pauses what is active, from now on', () => {
    const state = restoreState(facts({ hold: 'pause', pauses: [earlier] }), NOW);
    expect(state).toMatchObject({ status: 'paused', pauses: [earlier, { since: NOW, until: null }] });
    expect(state.cancellation).toBeNull();
  });

  test('pauses nothing twice', () => {
    const paused = { status: 'paused', pauses: [{ since: FIRST, until: null }] } as const;
    expect(restoreState(facts({ hold: 'pause', ...paused }), NOW)).toMatchObject(paused);
  });

  test.each(SUBSCRIPTION_STATUSES.map((status) => [status] as const))(
    'cancels what is %s, unless it is over',
    (status) => {
      const isOver = status === 'consent_failed' || status === 'cancelled' || status === 'completed';
      const state = restoreState(facts({ hold: 'cancel', status }), NOW);
      expect(state.cancellation).toEqual(isOver ? null : { at: NOW, actor: 'dueday', reason: null });
      expect([state.status, state.pauses]).toEqual([status, []]);
    },
  );

  test('leaves a cancellation as it was asked for', () => {
    const cancellation = { at: FIRST, actor: 'merchant', reason: 'moved' };
    expect(restoreState(facts({ hold: 'cancel', cancellation }), NOW).cancellation).toEqual(cancellation);
  });

  test('none changes nothing', () => {
    expect(restoreState(facts(), NOW)).toEqual(active());
  });
});

describe('what speaks against closing a cycle as never tried (rule 4)', () => {
  test.each<[string, Partial<SubscriptionState>, boolean]>([
    ['nothing', {}, false],
    ['an older revision', { revision: 3 }, false],
    ['the same revision', { revision: 4 }, false],
    ['a newer one', { revision: 5 }, true],
    ['an earlier cycle', { cycle: 1 }, false],
    ['a later one', { cycle: 3 }, true],
    ['its end', { status: 'cancelled' }, true],
    ['a cycle that was opened, and no more', { open: openCycle({ cycle: 2 }) }, false],
    ['a send in doubt', { open: openCycle({ cycle: 2, doubt: 'unknown' }) }, true],
    ['a refusal', { open: openCycle({ cycle: 2, rejection: rejection() }) }, true],
    ['a capture that failed', { open: openCycle({ cycle: 2, captureFailed: true }) }, true],
    ['a refusal of another cycle', { open: openCycle({ cycle: 1, rejection: rejection() }) }, false],
  ])('%s', (_, ledger, isMore) => {
    const known = { revision: 4, cycle: 2, isOver: false };
    expect(knowsMore(active({}, { cycle: 2, ...ledger }), known)).toBe(isMore);
  });

  test('its end is no news to a workflow that knows of it', () => {
    const ended = active({}, { cycle: 2, status: 'cancelled' });
    expect(knowsMore(ended, { revision: 4, cycle: 2, isOver: true })).toBe(false);
  });
});

const change = (requestedAt: number, announcement: PendingChange['announcement']): PendingChange => ({
  requestedAt,
  amount: euros(2100),
  previousAmount: euros(1999),
  fromCycle: 1,
  effectiveAt: SECOND_DUE,
  kind: 'increase',
  countsAsIncrease: true,
  announceAt: NOW,
  announcement,
});
const SENDING = change(NOW, { kind: 'sending' });
const AS_STORED = change(NOW, { kind: 'due' });
const ANOTHER = change(NOW + 1, { kind: 'due' });

test('an increase of which the payer was being told is announced anew by whoever goes on', () => {
  expect(restoreState(facts({ pendingChange: SENDING }), NOW).pendingChange).toEqual(AS_STORED);
});

describe('going on with the ledger’s state', () => {
  const followed = (cycle: number, of: number): PendingAttempt => ({
    cycle,
    amount: euros(of),
    attempt: 0,
    dueAt: FIRST,
    collectBy: CLOSED,
    sendBefore: FIRST,
    nextDueAt: null,
    settleOnly: true,
    parked: true,
    knownUnresolved: false,
  });

  test('takes what the ledger knows, and keeps what is followed beside', () => {
    const own = active(
      {},
      { cycle: 2, revision: 1, pending: [followed(0, 1), followed(1, 1)], pendingChange: SENDING },
    );
    const ledger = active(
      {},
      { cycle: 3, revision: 2, pending: [followed(1, 2), followed(2, 2)], pendingChange: AS_STORED },
    );
    expect(continuedFrom(own, ledger)).toEqual({
      ...ledger,
      pendingChange: SENDING,
      pending: [followed(0, 1), followed(1, 1), followed(2, 2)],
    });
  });

  test('keeps how far the ledger had come, where that is known', () => {
    const trailMark = { epoch: NOW, entry: 12 };
    expect(continuedFrom(active({}, { trailMark }), active()).trailMark).toBe(trailMark);
    expect(continuedFrom(active(), active({}, { trailMark })).trailMark).toBe(trailMark);
    expect(continuedFrom(active(), active())).not.toHaveProperty('trailMark');
  });

  test('goes on from when the end of the consent was heard, while a due date that waited then is not closed', () => {
    const ended = { status: 'cancelled', cancelledBy: 'payer', lastOver: null } as const;
    const restored = restoreState(facts({ ...ended, endHeardAt: NOW }), NOW + HOUR);
    expect(waitedAtTheEnd(restored)).toBe(NOW);
    expect(nextStep(restored, NOW + HOUR)).toMatchObject({ kind: 'close', cycle: 0, status: 'skipped' });
    expect(nextStep(restoreState(facts(ended), NOW + HOUR), NOW + HOUR)).toEqual({ kind: 'finish' });
  });

  test('keeps when the end of the consent was heard, of which the ledger knows nothing', () => {
    const endHeardAt = NOW;
    const ended = { status: 'cancelled', cancelledBy: 'payer' } as const;
    expect(continuedFrom(active({}, { ...ended, endHeardAt }), active({}, ended)).endHeardAt).toBe(endHeardAt);
    expect(continuedFrom(active(), active({}, ended))).not.toHaveProperty('endHeardAt');
  });

  test.each<[string, PendingChange | null, PendingChange | null, PendingChange | null]>([
    ['the same change, as it stands here', SENDING, AS_STORED, SENDING],
    ['another change, as the ledger has it', SENDING, ANOTHER, ANOTHER],
    ['a change that was withdrawn, not', SENDING, null, null],
    ['a change not heard of, as the ledger has it', null, ANOTHER, ANOTHER],
    ['none, none', null, null, null],
  ])('has %s', (_, own, ledger, expected) => {
    const states = [own, ledger].map((pendingChange) => active({}, { pendingChange })) as [
      SubscriptionState,
      SubscriptionState,
    ];
    expect(continuedFrom(...states).pendingChange).toEqual(expected);
    expect(steeredBy(...states).pendingChange).toEqual(expected);
  });
});

describe('an attempt that the state has not heard of', () => {
  const [WAITING, REFUSED] = [openCycle(), openCycle({ attempt: 1, rejection: rejection() })];

  test.each([
    ['is none where both have none', null, null, false],
    ['is none where both have the same refusal', REFUSED, REFUSED, false],
    ['is none where what was sent never came to be', null, WAITING, false],
    ['is one in doubt', null, openCycle({ doubt: 'unknown' }), true],
    ['is a retry in doubt', REFUSED, { ...REFUSED, doubt: 'unknown' as const }, true],
    ['is one that was refused', WAITING, REFUSED, true],
    ['is a retry that was refused', REFUSED, openCycle({ attempt: 2, rejection: rejection() }), true],
    ['is one whose capture failed', WAITING, openCycle({ captureFailed: true }), true],
    [
      'is none where both know that the capture failed',
      openCycle({ captureFailed: true }),
      openCycle({ captureFailed: true }),
      false,
    ],
  ])('%s', (_, own, ledger, expected) => {
    expect(hasGoneFurther(active({}, { open: ledger }), active({}, { open: own }), 0)).toBe(expected);
  });

  test('is none of another cycle; a cycle that is over in the ledger is one', () => {
    const open = openCycle({ cycle: 1, doubt: 'unknown' });
    expect(hasGoneFurther(active({}, { cycle: 1, open }), active({}, { cycle: 1 }), 1)).toBe(true);
    expect(hasGoneFurther(active({}, { cycle: 1 }), active({}, { cycle: 1 }), 1)).toBe(false);
    expect(hasGoneFurther(active({}, { cycle: 1 }), active(), 0)).toBe(true);
  });
});

describe('what people have steered (rules 25, 31)', () => {
  test('comes over all of it, and nothing of the cycle under way', () => {
    const own = active({}, { cycle: 2, open: openCycle({ cycle: 2, attempt: 1 }), current: euros(1) });
    const by = 'sub_2' as SubscriptionId;
    const steered = {
      pauses: [{ since: FIRST, until: null }],
      skips: [4],
      replacements: [{ by, from: THIRD_DUE }],
      replacedBy: by,
      cancellation: { at: NOW, actor: 'merchant', reason: null },
      lastIncreaseAt: NOW,
      revision: 9,
      status: 'paused',
      cancelledBy: 'merchant',
    } as const;
    expect(steeredBy(own, active({}, { ...steered, cycle: 5, current: euros(2) }))).toEqual({ ...own, ...steered });
  });

  test.each([
    ['of a later cycle than was collected here', null, 0, true],
    ['of the same cycle', 0, 0, false],
    ['of an earlier cycle', 1, 0, false],
    ['of none', null, null, false],
  ])('a late debit in the ledger %s is taken over: %p, %p, %p', (_, here, there, isTaken) => {
    const own = active({}, { cycle: 2, currentOf: here, collectedOnce: false });
    const late = { currentOf: there, collectedOnce: true, current: euros(7) };
    const { currentOf, collectedOnce, current } = steeredBy(own, active({}, { cycle: 2, ...late }));
    expect({ currentOf, collectedOnce, current }).toEqual(
      isTaken ? late : { currentOf: here, collectedOnce: false, current: own.current },
    );
  });

  test.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])('a retry now: asked for here %p, still in the ledger %p: %p', (here, there, retryNow) => {
    const [own, ledger] = [here, there].map((each) => active({}, { open: openCycle({ retryNow: each }) }));
    expect(steeredBy(own!, ledger!).open).toEqual(openCycle({ retryNow }));
  });

  test('a retry now is over where the ledger has no open cycle, and opens none here', () => {
    const open = openCycle({ retryNow: true });
    expect(steeredBy(active({}, { open }), active()).open).toEqual(openCycle({ retryNow: false }));
    expect(steeredBy(active(), active({}, { open })).open).toBeNull();
  });

  test.each([
    ['active', 'paused', 'paused'],
    ['paused', 'active', 'active'],
    ['active', 'pending_consent', 'active'],
    ['pending_consent', 'active', 'pending_consent'],
    ['cancelled', 'active', 'cancelled'],
    ['active', 'cancelled', 'cancelled'],
    ['pending_consent', 'cancelled', 'cancelled'],
    ['cancelled', 'completed', 'completed'],
  ] as const)('%s here, %s in the ledger: %s', (here, there, status) => {
    const own = active({}, { status: here, cancelledBy: 'payer' });
    const ledger = active({}, { status: there, cancelledBy: 'merchant' });
    const cancelledBy = status === there ? 'merchant' : 'payer';
    expect(steeredBy(own, ledger)).toMatchObject({ status, cancelledBy });
  });
});
