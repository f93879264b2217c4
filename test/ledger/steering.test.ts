import { cancelRequestedDecision, pausedDecision } from '../../src/contract/messages';
import { conflict, pause, refuseCancel, refusePause, startCancelling } from '../../src/domain/subscription/requests';
import {
  applyChange,
  beginSend,
  getSubscription,
  insertDraft,
  listEvents,
  readFacts,
  readLive,
  readLedgerState,
  readProgress,
  readSuccessors,
  readUnheard,
  recordDelivery,
  recordHeard,
  recordOutcome,
  steer,
  type Steering,
} from '../../src/ledger';
import { euros } from '../../src/domain/money';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import type { SubscriptionPatch } from '../../src/contract/activities';
import { nextStep } from '../../src/domain/subscription/next-step';
import { restoreState } from '../../src/domain/subscription/state-from-ledger';
import {
  askConsent,
  COLLECT_BY,
  draft,
  DUE,
  NOW,
  REAL_NOW,
  outcomes,
  sendOf,
  settle,
  started,
  type Subscribed,
  subscribe,
  useLedger,
  waitForLock,
} from './ledger-fixture';

const ledger = useLedger();
const FROZEN = { policy: { offsets: [3_600_000], transit: 60_000, gap: 3_600_000 }, spread: 7 };

function pausing({ subscriptionId }: Subscribed, until: number | null = null): Steering {
  return {
    subscriptionId,
    actor: 'ops',
    at: NOW,
    otherwise: FROZEN,
    judge: (state) =>
      refusePause(state, until, NOW) ?? { state: pause(state, NOW, until), decision: pausedDecision(until, 'asked') },
  };
}

function cancelling({ subscriptionId }: Subscribed): Steering {
  return {
    subscriptionId,
    actor: 'ops',
    at: NOW,
    otherwise: FROZEN,
    judge: (state) =>
      refuseCancel(state) ?? {
        state: startCancelling(state, { at: NOW, actor: 'ops', reason: null }),
        decision: cancelRequestedDecision(null),
      },
  };
}

test('a pause holds, is shown and told, and raises the revision, before the workflow has heard of it', async () => {
  const given = await subscribe(ledger.pool);

  expect(await steer(ledger.pool, pausing(given, NOW + 5))).toEqual({ kind: 'steered', revision: 1 });

  const record = await getSubscription(ledger.pool, given.subscriptionId);
  expect(record).toMatchObject({ status: 'paused', hold: 'pause', pausedUntil: NOW + 5 });
  const { items } = await listEvents(ledger.pool, { subscriptionId: given.subscriptionId }, { limit: 1, cursor: null });
  expect(items[0]).toMatchObject({ type: 'subscription.paused', actor: 'ops' });
  expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'held' });
  expect(await readUnheard(ledger.pool, '', 1000)).toContainEqual({
    subscriptionId: given.subscriptionId,
    revision: 1,
  });
});

test('the workflow that reads it has heard of it, and of the notice that is to be begun', async () => {
  const given = await subscribe(ledger.pool);
  await steer(ledger.pool, pausing(given));

  const { state, noticeIds } = await readLedgerState(ledger.pool, given.subscriptionId, FROZEN, NOW);

  expect(state).toMatchObject({ status: 'paused', pauses: [{ since: NOW, until: null }], revision: 1, ...FROZEN });
  expect(noticeIds).toHaveLength(1);
  expect(await readUnheard(ledger.pool, '', 1000)).not.toContainEqual({
    subscriptionId: given.subscriptionId,
    revision: 1,
  });
});

test('a workflow that is begun from a revision has heard of it, and of none that came since', async () => {
  const given = await subscribe(ledger.pool);
  const { subscriptionId } = given;
  const unheard = async () =>
    (await readUnheard(ledger.pool, '', 1000)).filter((each) => each.subscriptionId === subscriptionId);
  await steer(ledger.pool, pausing(given));
  await recordHeard(ledger.pool, subscriptionId, 1);
  expect(await unheard()).toEqual([]);

  await steer(ledger.pool, cancelling(given));
  await recordHeard(ledger.pool, subscriptionId, 1);
  expect(await unheard()).toEqual([{ subscriptionId, revision: 2 }]);
  await recordHeard(ledger.pool, subscriptionId, 2);
  await recordHeard(ledger.pool, subscriptionId, 1);
  expect(await unheard()).toEqual([]);
});

test('a second pause is refused by the row, and writes nothing', async () => {
  const given = await subscribe(ledger.pool);
  await steer(ledger.pool, pausing(given));

  expect(await steer(ledger.pool, pausing(given))).toEqual({
    kind: 'refused',
    refusal: conflict('only an active subscription can be paused; it is paused'),
  });
  expect((await readFacts(ledger.pool, given.subscriptionId, FROZEN))?.revision).toBe(1);
});

test('the same request again, for want of an answer, is carried out once', async () => {
  const given = await subscribe(ledger.pool);
  const request = { ...pausing(given), requestId: 'pause/1' };

  expect(await steer(ledger.pool, request)).toEqual({ kind: 'steered', revision: 1 });
  expect(await steer(ledger.pool, request)).toEqual({ kind: 'steered', revision: 1 });
  expect(await steer(ledger.pool, { ...request, requestId: 'pause/2' })).toMatchObject({ kind: 'refused' });
});

test('a workflow is to know the revision, and the outcome of the last attempt', async () => {
  const given = await subscribe(ledger.pool);
  const { subscriptionId } = given;
  expect(await readProgress(ledger.pool, subscriptionId)).toEqual({ revision: 0 });
  const first = await started(ledger.pool, sendOf(given));
  expect(await readProgress(ledger.pool, subscriptionId)).toEqual({ revision: 0 });
  await settle(ledger.pool, first, 'rejected_retryable');
  expect(await readProgress(ledger.pool, subscriptionId)).toEqual({ revision: 0, settled: { cycle: 0, attempt: 0 } });
  const retry = await started(ledger.pool, sendOf(given, { attempt: 1 }));
  expect(await readProgress(ledger.pool, subscriptionId)).toEqual({ revision: 0 });
  await settle(ledger.pool, retry, 'not_sent');
  expect(await readProgress(ledger.pool, subscriptionId)).toEqual({ revision: 0 });
});

test('a cancellation is known with who asked and when', async () => {
  const given = await subscribe(ledger.pool);
  await steer(ledger.pool, cancelling(given));

  const { state } = await readLedgerState(ledger.pool, given.subscriptionId, FROZEN, NOW);

  expect(state).toMatchObject({ status: 'active', cancellation: { at: NOW, actor: 'ops', reason: null } });
});

test('what a workflow has judged by an older row is not written; what has come to pass is', async () => {
  const given = await subscribe(ledger.pool);
  await steer(ledger.pool, pausing(given));
  const { subscriptionId } = given;
  const change = { subscriptionId, at: NOW, actor: 'ops', events: [], knows: 0, subscription: { pastDue: true } };

  expect(await applyChange(ledger.pool, { ...change, key: 'judged', judged: true })).toEqual({
    noticeIds: [],
    revision: 1,
    stale: true,
  });
  expect((await getSubscription(ledger.pool, subscriptionId))?.pastDue).toBe(false);
  expect(await applyChange(ledger.pool, { ...change, key: 'fact' })).toMatchObject({ revision: 1, stale: false });
  expect((await getSubscription(ledger.pool, subscriptionId))?.pastDue).toBe(true);
});

test('what comes to pass behind a pause leaves it as it is: the pauses that the workflow knew are older', async () => {
  const given = await subscribe(ledger.pool);
  await steer(ledger.pool, pausing(given, NOW + 5));
  const { subscriptionId } = given;
  const fact = { subscriptionId, at: NOW, actor: 'dueday', events: [] };
  const { nextDueAt } = (await getSubscription(ledger.pool, subscriptionId))!;
  const subscription = { pauses: [], pausedUntil: null, nextDueAt: NOW + 1, pastDue: true };

  await applyChange(ledger.pool, { ...fact, key: 'behind', knows: 0, subscription });

  const { state } = await readLedgerState(ledger.pool, subscriptionId, FROZEN, NOW);
  expect(state).toMatchObject({ status: 'paused', pauses: [{ since: NOW, until: NOW + 5 }] });
  expect(await getSubscription(ledger.pool, subscriptionId)).toMatchObject({
    pastDue: true,
    pausedUntil: NOW + 5,
    nextDueAt,
  });

  await applyChange(ledger.pool, { ...fact, key: 'heard', knows: 1, subscription: { pauses: [], pausedUntil: null } });
  expect(await getSubscription(ledger.pool, subscriptionId)).toMatchObject({ pausedUntil: null });
});

test('a request waits for the send that is being begun, and is judged after it', async () => {
  const given = await subscribe(ledger.pool);
  const other = await ledger.pool.connect();
  await other.query('begin');
  await other.query('select from subscriptions where subscription_id = $1 for update', [given.subscriptionId]);
  const paused = steer(ledger.pool, pausing(given));
  await waitForLock(ledger.pool);
  await other.query('commit');
  other.release();

  expect(await paused).toMatchObject({ kind: 'steered' });
});

describe('the state that follows from the ledger', () => {
  const restored = async ({ subscriptionId }: Subscribed, now = NOW + 1000) => {
    const facts = await readFacts(ledger.pool, subscriptionId, FROZEN);
    return restoreState(facts!, now);
  };

  test('of one that has ended closes the due date that waited then, and has a workflow until that is done', async () => {
    const given = await subscribe(ledger.pool);
    const { subscriptionId } = given;
    const change = (key: string, subscription: SubscriptionPatch) =>
      applyChange(ledger.pool, { subscriptionId, key, at: NOW, actor: 'dueday', events: [], subscription });
    const isLive = async () =>
      (await readLive(ledger.pool, `0${subscriptionId.slice(0, -1)}`, REAL_NOW + DAY, 1000)).some(
        ({ id }) => id === subscriptionId,
      );
    await change('ended', { status: 'cancelled', cancelledBy: 'payer', endHeardAt: DUE + HOUR });

    // A workflow that is started now has no other memory than the ledger.
    const state = await restored(given, DUE + 2 * HOUR);
    expect(nextStep(state, DUE + 2 * HOUR)).toMatchObject({ kind: 'close', cycle: 0, reason: 'consent_ended' });
    expect(await isLive()).toBe(true);

    await change('closed', { endHeardAt: null });
    expect(await isLive()).toBe(false);
  });

  test('of one that has ended with its cycle in dunning has a workflow until that is closed', async () => {
    const given = await subscribe(ledger.pool);
    const { subscriptionId } = given;
    const at = { at: NOW, actor: 'dueday', events: [] };
    const dunning = { cycle: 0, dueAt: DUE, collectBy: COLLECT_BY, amount: euros(1999) };
    const isLive = async () =>
      (await readLive(ledger.pool, `0${subscriptionId.slice(0, -1)}`, REAL_NOW + DAY, 1000)).some(
        ({ id }) => id === subscriptionId,
      );
    const ended = { status: 'cancelled', cancelledBy: 'payer' } as const;
    await applyChange(ledger.pool, {
      ...at,
      subscriptionId,
      key: '1',
      subscription: ended,
      cycle: { ...dunning, status: 'dunning' },
    });
    expect(await isLive()).toBe(true);
    await applyChange(ledger.pool, { ...at, subscriptionId, key: '2', cycle: { ...dunning, status: 'failed' } });
    expect(await isLive()).toBe(false);
  });

  test('of a subscription that has collected nothing is at its first cycle', async () => {
    const given = await subscribe(ledger.pool);
    const nothing = { open: null, collectedOnce: false, currentOf: null };
    expect(await restored(given)).toMatchObject({ status: 'active', cycle: 0, ...nothing });
  });

  test('is behind a collected cycle, at its amount', async () => {
    const given = await subscribe(ledger.pool);
    const ref = await started(ledger.pool, sendOf(given));
    const event = { type: 'attempt.successful', data: {} } as const;
    await recordOutcome(ledger.pool, ref, outcomes().successful, NOW, event);

    expect(await restored(given)).toMatchObject({
      cycle: 1,
      open: null,
      collectedOnce: true,
      current: sendOf(given).amount,
      currentOf: 0,
      pending: [],
    });
  });

  test.each([
    [-1, 'due'],
    [0, 'undeliverable'],
  ])('%i ms from the last moment for a retry has a notice that no channel took as %s', async (offset, kind) => {
    const given = await subscribe(ledger.pool);
    const ref = await started(ledger.pool, sendOf(given));
    const event = { type: 'attempt.rejected_retryable', data: {} } as const;
    await recordOutcome(ledger.pool, ref, outcomes().rejected_retryable, NOW, event);
    const { subscriptionId } = given;
    const { noticeIds } = await applyChange(ledger.pool, {
      subscriptionId,
      key: 'dunning',
      at: NOW,
      actor: 'dueday',
      events: [],
      cycle: { cycle: 0, dueAt: DUE, collectBy: COLLECT_BY, amount: sendOf(given).amount, status: 'dunning' },
      notices: [{ type: 'payment.failed', cycle: 0, attempt: 0, data: {} }],
    });
    await recordDelivery(ledger.pool, noticeIds[0]!, { kind: 'undeliverable', at: NOW, error: '410' });
    const last = NOW + 1 + 72 * HOUR - FROZEN.policy.transit;
    expect(await restored(given, last + offset)).toMatchObject({ open: { attempt: 1, notice: { kind } } });
  });

  test.each(['sending', 'unknown', 'pending'] as const)(
    'asks first what became of an attempt that is %s',
    async (was) => {
      const given = await subscribe(ledger.pool);
      const ref = await started(ledger.pool, sendOf(given));
      const event = { type: `attempt.${was}`, data: {} } as const;
      if (was !== 'sending') await recordOutcome(ledger.pool, ref, outcomes()[was], NOW, event);

      expect(await restored(given)).toMatchObject({ cycle: 0, open: { cycle: 0, attempt: 0, doubt: 'unknown' } });
    },
  );

  test.each([
    [COLLECT_BY - 1, { cycle: 0, pending: [] }],
    [COLLECT_BY, { cycle: 1, open: null, pending: [{ cycle: 0, attempt: 0, parked: true }] }],
  ])('follows what is pending past its window beside the later cycles: at %s', async (now, expected) => {
    const given = await subscribe(ledger.pool);
    const ref = await started(ledger.pool, sendOf(given));
    const event = { type: 'attempt.pending', data: {} } as const;
    await recordOutcome(ledger.pool, ref, outcomes().pending, NOW, event);

    expect(await restored(given, now)).toMatchObject(expected);
  });

  test('stands at a refusal, with the retry to come and its notice due', async () => {
    const given = await subscribe(ledger.pool);
    const ref = await started(ledger.pool, sendOf(given));
    const event = { type: 'attempt.rejected_retryable', data: {} } as const;
    await recordOutcome(ledger.pool, ref, outcomes().rejected_retryable, NOW + 7, event);

    const { open } = await restored(given);
    expect(open).toMatchObject({ attempt: 1, rejection: { attempt: 0, retryable: true }, notice: { kind: 'due' } });
    expect(open?.firstFailureAt).toBe(open?.rejection?.at);
    expect(DUE).toBe(NOW);
  });

  test('stands at the attempt whose capture failed, with its ids and the word of the service', async () => {
    const given = await subscribe(ledger.pool);
    const ref = await started(ledger.pool, sendOf(given));
    const event = { type: 'attempt.capture_failed', data: {} } as const;
    await recordOutcome(ledger.pool, ref, outcomes().capture_failed, NOW, event);

    const named = { authorizationId: expect.any(String), captureId: expect.any(String) };
    expect((await restored(given)).open).toMatchObject({
      captureFailed: true,
      failedCapture: { attempt: 0, detail: 'CAPTURE_FAILED', ...named },
    });
  });
});

describe('those that are to take its place', () => {
  async function replacing(
    old: Subscribed,
    ...events: readonly ('consent.granted' | 'subscription.cancel_requested')[]
  ) {
    const { subscriptionId } = await askConsent(ledger.pool);
    for (const type of events) {
      const data = type === 'consent.granted' ? { cycle: 0, dueAt: toIso(DUE), amount: euros(1999) } : { reason: null };
      const change = { subscriptionId, key: type, at: NOW, actor: 'dueday', events: [{ type, data }] };
      await applyChange(ledger.pool, { ...change, subscription: patchOf(type) });
    }
    // At most one of them may be pending or active: the ledger lets no other begin.
    const replaces = 'update subscriptions set replaces = $2 where subscription_id = $1';
    await ledger.pool.query(replaces, [subscriptionId, old.subscriptionId]);
    return subscriptionId;
  }
  const patchOf = (type: string) =>
    type === 'consent.granted'
      ? ({ status: 'active' } as const)
      : { cancellation: { at: NOW, actor: 'ops', reason: null } };

  test('are known with how far they have come', async () => {
    const old = await subscribe(ledger.pool);
    await askConsent(ledger.pool);
    const asked = await replacing(old);
    const granted = await replacing(old, 'consent.granted');
    const ended = await replacing(old, 'consent.granted', 'subscription.cancel_requested');
    const never = await replacing(old, 'subscription.cancel_requested');
    const tooLate = await replacing(old, 'subscription.cancel_requested', 'consent.granted');
    const unasked = draft();
    await insertDraft(ledger.pool, unasked, REAL_NOW);
    await ledger.pool.query('update subscriptions set replaces = $2 where subscription_id = $1', [
      unasked.subscriptionId,
      old.subscriptionId,
    ]);

    const found = await readSuccessors(ledger.pool, old.subscriptionId);

    expect(new Map(found.map(({ by, isAsked, grantedAt }) => [by, [isAsked, grantedAt]]))).toEqual(
      new Map([
        [asked, [true, null]],
        [granted, [false, NOW]],
        [ended, [false, NOW]],
        [never, [false, null]],
        [tooLate, [false, null]],
      ]),
    );
    expect(found[0]).toMatchObject({ repetition: 'MONTHLY', firstPaymentAt: DUE, endAt: null, collectFrom: null });
  });
});
