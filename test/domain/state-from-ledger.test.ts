import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import type { AttemptState } from '../../src/domain/send';
import { COLLECTION_WINDOW } from '../../src/domain/subscription/schedule';
import { waitedAtTheEnd } from '../../src/domain/subscription/pending-change';
import { nextStep } from '../../src/domain/subscription/next-step';
import { type CycleFacts, stateFromLedger } from '../../src/domain/subscription/state-from-ledger';
import { type NoticeState, type PendingChange, SUBSCRIPTION_STATUSES } from '../../src/domain/subscription/state';
import { HOUR } from '../../src/domain/time';
import { attempt, CLOSED, facts, LIMIT, NOW, REFUSED, SECOND_DUE, startedCycle, THIRD_DUE } from './ledger-facts';
import { active, FIRST, MINUTE_MARGIN, openCycle, rejection } from './subscription-under-test';

const noticeOf = (notice: NoticeState, of = 0) => ({ attempt: of, notice });
const openOf = (cycle: Partial<CycleFacts>, now = NOW) =>
  stateFromLedger(facts({ startedCycles: [startedCycle(cycle)] }), now).open;

describe('the state of a subscription from the ledger (rules 4, 30)', () => {
  test('if no cycle has started, the state is at the first cycle and has all fields of the ledger', () => {
    const steered = {
      pauses: [{ since: FIRST, until: NOW }],
      skips: [3],
      revision: 7,
      current: euros(1700),
      collectedOnce: true,
      spread: 5,
      policy: MINUTE_MARGIN,
    };
    expect(stateFromLedger(facts(steered), NOW)).toEqual(active({}, steered));
  });

  test.each([
    ['1 if cycle 0 is over', { lastOver: 0 }, 1],
    ['0 if the import collects from the first due date on', { collectFrom: FIRST }, 0],
    ['1 if the import collects from the second due date on', { collectFrom: SECOND_DUE }, 1],
    ['2 if the import collects from the third due date on', { collectFrom: THIRD_DUE, lastOver: 0 }, 2],
    ['2 if cycle 1 is over and the import collects from it on', { collectFrom: SECOND_DUE, lastOver: 1 }, 2],
  ])('the current cycle is %s', (_, wanted, cycle) => {
    expect(stateFromLedger(facts(wanted), NOW)).toMatchObject({ cycle, open: null, pending: [] });
  });

  test('a cycle that has started and is not over is open', () => {
    const state = stateFromLedger(facts({ lastOver: 0, startedCycles: [startedCycle({ cycle: 1 })] }), SECOND_DUE);
    expect(state).toMatchObject({ cycle: 1, pending: [] });
    expect(state.open).toEqual(openCycle({ cycle: 1, amount: euros(1500) }));
  });

  test('a cycle that is over does not open again', () => {
    expect(stateFromLedger(facts({ lastOver: 0, startedCycles: [startedCycle()] }), NOW)).toMatchObject({
      cycle: 1,
      open: null,
    });
  });
});

const pending = startedCycle({ attempts: [REFUSED, attempt('pending', { attempt: 1 })] });

test('a millisecond before its window ends, the cycle of a pending authorization is open and polled (rule 10)', () => {
  const state = stateFromLedger(facts({ startedCycles: [pending] }), CLOSED - 1);
  expect(state).toMatchObject({ cycle: 0, pending: [], open: { cycle: 0, unsettled: 'unknown' } });
});

test('from the end of its window on, a pending authorization is followed beside the current cycle', () => {
  const state = stateFromLedger(facts({ startedCycles: [pending] }), CLOSED);
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
      countsAsIncrease: false,
    },
  ]);
});

test.each([
  ['more than the consent and any earlier cycle', null, true],
  ['the amount of an earlier authorized cycle', euros(2500), false],
])('whether a pending authorization of %s counts as an increase', (_, previousAmount, countsAsIncrease) => {
  const dearer = { ...pending, amount: euros(2500), previousAmount };
  expect(stateFromLedger(facts({ startedCycles: [dearer] }), CLOSED).pending).toMatchObject([{ countsAsIncrease }]);
});

test('a pending authorization that lists lack is followed beside the current cycle even before its window ends', () => {
  const attention = ['unlisted:0'];
  const standing = { attention, dunning: false, pastDue: false };
  const state = stateFromLedger(facts({ standing, startedCycles: [pending] }), CLOSED - 1);
  expect(state).toMatchObject({ cycle: 1, open: null, pending: [{ cycle: 0, attempt: 1 }] });
});

test('the next due date after a pending cycle is the first one that no operator has skipped', () => {
  const state = stateFromLedger(facts({ skips: [1], startedCycles: [pending] }), CLOSED);
  expect(state.pending[0]!.nextDueAt).toBe(THIRD_DUE);
});

test('a later cycle is open while an earlier pending authorization is followed beside it', () => {
  const later = startedCycle({ cycle: 1, collectBy: SECOND_DUE + COLLECTION_WINDOW });
  const state = stateFromLedger(facts({ startedCycles: [pending, later] }), SECOND_DUE);
  expect(state).toMatchObject({ cycle: 1, open: { cycle: 1 }, pending: [{ cycle: 0 }] });
});

test.each<AttemptState>(['rejected', 'rejected_retryable', 'capture_failed'])(
  'an attempt that became %s, of which no workflow was notified, is followed to the end of its cycle',
  (state) => {
    const answered = startedCycle({ attempts: [attempt(state)] });
    const restored = stateFromLedger(facts({ lastOver: 1, startedCycles: [answered] }), THIRD_DUE);
    expect(restored).toMatchObject({ cycle: 2, open: null, pending: [{ cycle: 0, attempt: 0, parked: true }] });
  },
);

const again = startedCycle({
  attempts: [attempt('rejected_retryable', { reopened: true }), attempt('rejected', { attempt: 1 })],
});
test.each([
  ['its cycle is open until a millisecond before its window ends', {}, CLOSED - 1, { cycle: 0, pending: [] }],
  ['it is pending once its window ends', {}, CLOSED, { cycle: 1, open: null, pending: [{ cycle: 0, attempt: 0 }] }],
  ['it is pending if its cycle is over', { lastOver: 0 }, NOW, { cycle: 1, pending: [{ cycle: 0, attempt: 0 }] }],
])('an attempt that was refused and is listed again: %s (rule 36)', (_, wanted, now, expected) => {
  expect(stateFromLedger(facts({ ...wanted, startedCycles: [again] }), now)).toMatchObject(expected);
});

test.each<AttemptState>(['sending', 'unknown', 'unresolved', 'not_sent'])(
  'an attempt that is %s is not followed as a debit, even if its cycle has ended',
  (state) => {
    const started = startedCycle({ attempts: [attempt(state)] });
    expect(stateFromLedger(facts({ lastOver: 1, startedCycles: [started] }), THIRD_DUE)).toMatchObject({
      pending: [],
    });
  },
);

test.each<AttemptState>(['sending', 'unknown', 'rejected', 'unresolved'])(
  'the cycle of an attempt that is %s stays open past its window',
  (state) => {
    const restored = stateFromLedger(facts({ startedCycles: [startedCycle({ attempts: [attempt(state)] })] }), CLOSED);
    expect(restored).toMatchObject({ cycle: 0, open: { cycle: 0 }, pending: [] });
  },
);

test.each<[AttemptState, string]>([
  ['sending', 'unknown'],
  ['unknown', 'unknown'],
  ['pending', 'unknown'],
  // The cycle is not unresolved yet, because a worker died between writing the attempt and the cycle.
  ['unresolved', 'unknown'],
  ['not_sent', 'none'],
  ['rejected', 'none'],
  ['rejected_retryable', 'none'],
  ['capture_failed', 'none'],
])('an open cycle whose last attempt is %s has the unsettled outcome %s', (state, unsettled) => {
  expect(openOf({ attempts: [attempt('not_sent'), attempt(state)] })).toMatchObject({ unsettled });
});

test('an open cycle with the status unresolved is unresolved, whatever the state of its attempt', () => {
  expect(openOf({ status: 'unresolved', attempts: [attempt('sending')] })).toMatchObject({ unsettled: 'unresolved' });
});

test('an open cycle with a refused attempt that is listed again waits for that attempt first', () => {
  const again = attempt('rejected_retryable', { reopened: true });
  expect(openOf({ attempts: [again] })).toMatchObject({ attempt: 1, unsettled: 'reopened' });
});

test.each<[AttemptState, boolean]>([
  ['capture_failed', true],
  ['sending', false],
])('whether the capture of an open cycle counts as failed if its attempt is %s: %p', (state, captureFailed) => {
  const rejected = attempt('rejected_retryable', { attempt: 1 });
  expect(openOf({ attempts: [attempt(state), rejected] })).toMatchObject({ captureFailed });
});

test('an open cycle whose capture failed has the attempt, with the ids and the description of the service', () => {
  const named = { authorizationId: 'aut_1' as AuthorizationId, captureId: 'cap_1' as CaptureId };
  const said = { attempt: 1, detail: 'BANK_SAYS_NO', ...named };
  const open = openOf({ attempts: [REFUSED, attempt('capture_failed', said)] });
  expect(open).toMatchObject({ rejection: { attempt: 0 }, failedCapture: said });
});

test('an open cycle whose capture failed without a description gets one', () => {
  const { failedCapture } = openOf({ attempts: [attempt('capture_failed')] })!;
  expect(failedCapture).toMatchObject({ attempt: 0, detail: 'CAPTURE_FAILED', captureId: null });
});

test('an open cycle without a refusal continues with its current attempt', () => {
  expect(openOf({ attempts: [attempt('unknown', { attempt: 2 })] })).toEqual(
    openCycle({ amount: euros(1500), attempt: 2, unsettled: 'unknown' }),
  );
});

test('an open cycle continues after its last refusal, and counts its hours from the first one', () => {
  const last = attempt('rejected_retryable', { attempt: 1, at: NOW, detail: 'STILL_NONE', description: 'wait' });
  expect(openOf({ retryFrom: FIRST, attempts: [REFUSED, last] })).toEqual(
    openCycle({
      amount: euros(1500),
      retryFrom: FIRST,
      attempt: 2,
      firstFailureAt: FIRST,
      rejection: rejection({ attempt: 1, at: NOW, detail: 'STILL_NONE', description: 'wait' }),
    }),
  );
});

test('an open cycle has a final refusal with the detail UNKNOWN and no description if the service gave none', () => {
  expect(openOf({ attempts: [attempt('rejected')] })?.rejection).toEqual(
    rejection({ detail: 'UNKNOWN', description: '', retryable: false }),
  );
});

const DELIVERED: NoticeState = { kind: 'delivered', at: NOW };
const UNDELIVERABLE: NoticeState = { kind: 'undeliverable', reason: 'no channel' };
const noticeAt = (now: number, ...notices: CycleFacts['notices']) =>
  openOf({ attempts: [REFUSED], notices }, now)?.notice;

test('the notice of a refusal is due if none was ordered (rule 13)', () => {
  expect(noticeAt(NOW)).toEqual({ kind: 'due' });
});

test('the notice of a refusal is being sent once it was ordered', () => {
  expect(noticeAt(NOW, noticeOf({ kind: 'sending' }))).toEqual({ kind: 'sending' });
});

test('the notice of a refusal is due if the payer was notified only of another attempt', () => {
  expect(noticeAt(NOW, noticeOf(DELIVERED, 1))).toEqual({ kind: 'due' });
});

test('the notice of a refusal is delivered if its row says so', () => {
  expect(noticeAt(NOW, noticeOf(UNDELIVERABLE, 1), noticeOf(DELIVERED))).toEqual(DELIVERED);
});

test.each([
  ['is still being sent a millisecond before the last moment of a retry', LIMIT - 1, { kind: 'sending' }],
  ['is undeliverable from that moment on', LIMIT, UNDELIVERABLE],
])('the notice of a refusal that no channel accepted %s', (_, now, notice) => {
  expect(noticeAt(now, noticeOf(UNDELIVERABLE))).toEqual(notice);
});

const earlier = { since: FIRST - 2 * HOUR, until: FIRST - HOUR };

test('a stop whose request the ledger lacks pauses an active subscription from now on (rule 23)', () => {
  const state = stateFromLedger(facts({ stoppedBy: 'pause', pauses: [earlier] }), NOW);
  expect(state).toMatchObject({ status: 'paused', pauses: [earlier, { since: NOW, until: null }] });
  expect(state.cancellation).toBeNull();
});

test('a stop whose request the ledger lacks does not pause a paused subscription again', () => {
  const paused = { status: 'paused', pauses: [{ since: FIRST, until: null }] } as const;
  expect(stateFromLedger(facts({ stoppedBy: 'pause', ...paused }), NOW)).toMatchObject(paused);
});

test.each(SUBSCRIPTION_STATUSES.map((status) => [status] as const))(
  'a stop whose request the ledger lacks cancels a subscription that is %s, unless it has ended',
  (status) => {
    const isOver = status === 'consent_failed' || status === 'cancelled' || status === 'completed';
    const state = stateFromLedger(facts({ stoppedBy: 'cancel', status }), NOW);
    expect(state.cancellation).toEqual(isOver ? null : { at: NOW, actor: 'dueday', reason: null });
    expect([state.status, state.pauses]).toEqual([status, []]);
  },
);

test('a stop does not change a cancellation whose request the ledger has', () => {
  const cancellation = { at: FIRST, actor: 'merchant', reason: 'moved' };
  expect(stateFromLedger(facts({ stoppedBy: 'cancel', cancellation }), NOW).cancellation).toEqual(cancellation);
});

test('without a stop the state is that of the ledger', () => {
  expect(stateFromLedger(facts(), NOW)).toEqual(active());
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

test.each<[string, PendingChange['announcement'], NoticeState | null, PendingChange['announcement']]>([
  ['is due until it is ordered', { kind: 'due' }, null, { kind: 'due' }],
  ['is due again if the ledger lost it', { kind: 'sending' }, null, { kind: 'due' }],
  ['is being sent once it is ordered', { kind: 'sending' }, { kind: 'sending' }, { kind: 'sending' }],
  [
    'is delivered once its row says so',
    { kind: 'sending' },
    { kind: 'delivered', at: NOW },
    { kind: 'delivered', at: NOW },
  ],
  [
    'is still being sent if no channel accepted it, as an operator can resend it',
    { kind: 'sending' },
    { kind: 'undeliverable', reason: 'gone' },
    { kind: 'sending' },
  ],
  ['is not needed for a reduction', { kind: 'not_needed' }, null, { kind: 'not_needed' }],
])('the notice of an increase: %s (rule 21)', (_, stored, announced, announcement) => {
  const state = stateFromLedger(facts({ pendingChange: change(NOW, stored), announced }), NOW);
  expect(state.pendingChange).toEqual(change(NOW, announcement));
});

test('an end of the consent that was noticed after a due date whose first attempt was waiting closes that cycle as skipped', () => {
  const ended = { status: 'cancelled', cancelledBy: 'payer', lastOver: null } as const;
  const state = stateFromLedger(facts({ ...ended, endSeenAt: NOW }), NOW + HOUR);
  expect(waitedAtTheEnd(state)).toBe(NOW);
  expect(nextStep(state, NOW + HOUR)).toMatchObject({ kind: 'close', cycle: 0, status: 'skipped' });
  expect(nextStep(stateFromLedger(facts(ended), NOW + HOUR), NOW + HOUR)).toEqual({ kind: 'finish' });
});
