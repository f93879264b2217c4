import { DAY, HOUR } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { nextStep } from '../../src/domain/subscription/next-step';
import { applyChange, readLive, readState, recordDelivery, recordOutcome } from '../../src/ledger';
import type { SubscriptionPatch } from '../../src/ledger/rows/change';
import {
  COLLECT_BY,
  DUE,
  NOW,
  noticesOf,
  outcomes,
  REAL_NOW,
  sendOf,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
} from './ledger-fixture';

const ledger = useLedger();

/** The state that is read from the rows. */
function restored({ subscriptionId }: Subscribed, now = NOW + 1000) {
  return readState(ledger.pool, subscriptionId, now);
}

test('a subscription that ends while a cycle waits for its first attempt has a workflow until that cycle is closed', async () => {
  const given = await subscribe(ledger.pool);
  const { subscriptionId } = given;
  const change = (key: string, subscription: SubscriptionPatch) =>
    applyChange(ledger.pool, { subscriptionId, key, at: NOW, actor: 'dueday', events: [], subscription });
  const isLive = async () =>
    (await readLive(ledger.pool, `0${subscriptionId.slice(0, -1)}`, REAL_NOW + DAY, 1000)).some(
      ({ id }) => id === subscriptionId,
    );
  await change('ended', { status: 'cancelled', cancelledBy: 'payer', endSeenAt: DUE + HOUR });

  // A workflow that is started now knows only what the ledger has.
  const state = await restored(given, DUE + 2 * HOUR);
  expect(nextStep(state, DUE + 2 * HOUR)).toMatchObject({ kind: 'close', cycle: 0, reason: 'consent_ended' });
  expect(await isLive()).toBe(true);

  await change('closed', { endSeenAt: null });
  expect(await isLive()).toBe(false);
});

test('a subscription that ends while a cycle is in dunning has a workflow until that cycle is closed', async () => {
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

test('a subscription that has collected nothing is at its first cycle', async () => {
  const given = await subscribe(ledger.pool);
  const nothing = { open: null, collectedOnce: false, currentOf: null };
  expect(await restored(given)).toMatchObject({ status: 'active', cycle: 0, ...nothing });
});

test('after a collected cycle a subscription is at the next one, and its current amount is the collected one', async () => {
  const given = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(given));
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
  [-1, 'sending'],
  [0, 'undeliverable'],
])('a notice that every channel refused is, %i ms from the last moment for a retry, %s', async (offset, kind) => {
  const given = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(given));
  const event = { type: 'attempt.rejected_retryable', data: {} } as const;
  await recordOutcome(ledger.pool, ref, outcomes().rejected_retryable, NOW, event);
  const { subscriptionId } = given;
  await applyChange(ledger.pool, {
    subscriptionId,
    key: 'dunning',
    at: NOW,
    actor: 'dueday',
    events: [],
    cycle: { cycle: 0, dueAt: DUE, collectBy: COLLECT_BY, amount: sendOf(given).amount, status: 'dunning' },
    notices: [{ type: 'payment.failed', cycle: 0, attempt: 0, data: {} }],
  });
  const [noticeId] = await noticesOf(ledger.pool, subscriptionId);
  await recordDelivery(ledger.pool, noticeId!, { kind: 'undeliverable', at: NOW, error: '410' });
  const { policy } = await restored(given);
  const last = NOW + 1 + 72 * HOUR - policy.transit;
  expect(await restored(given, last + offset)).toMatchObject({ open: { attempt: 1, notice: { kind } } });
});

test.each(['sending', 'unknown', 'pending'] as const)(
  'the outcome of an attempt that is %s is settled before anything else',
  async (was) => {
    const given = await subscribe(ledger.pool);
    const ref = await startDebit(ledger.pool, sendOf(given));
    const event = { type: `attempt.${was}`, data: {} } as const;
    if (was !== 'sending') await recordOutcome(ledger.pool, ref, outcomes()[was], NOW, event);

    expect(await restored(given)).toMatchObject({ cycle: 0, open: { cycle: 0, attempt: 0, unsettled: 'unknown' } });
  },
);

test.each([
  [COLLECT_BY - 1, { cycle: 0, pending: [] }],
  [COLLECT_BY, { cycle: 1, open: null, pending: [{ cycle: 0, attempt: 0, parked: true }] }],
])(
  'an authorization that is pending past its window is followed beside the later cycles: at %s',
  async (now, expected) => {
    const given = await subscribe(ledger.pool);
    const ref = await startDebit(ledger.pool, sendOf(given));
    const event = { type: 'attempt.pending', data: {} } as const;
    await recordOutcome(ledger.pool, ref, outcomes().pending, NOW, event);

    expect(await restored(given, now)).toMatchObject(expected);
  },
);

test('a refused attempt leads to a retry, whose notice is due', async () => {
  const given = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(given));
  const event = { type: 'attempt.rejected_retryable', data: {} } as const;
  await recordOutcome(ledger.pool, ref, outcomes().rejected_retryable, NOW + 7, event);

  const { open } = await restored(given);
  expect(open).toMatchObject({ attempt: 1, rejection: { attempt: 0, retryable: true }, notice: { kind: 'due' } });
  expect(open?.firstFailureAt).toBe(open?.rejection?.at);
  expect(DUE).toBe(NOW);
});

test("a failed capture is kept in the state with its ids and the service's description", async () => {
  const given = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(given));
  const event = { type: 'attempt.capture_failed', data: {} } as const;
  await recordOutcome(ledger.pool, ref, outcomes().capture_failed, NOW, event);

  const named = { authorizationId: expect.any(String), captureId: expect.any(String) };
  expect((await restored(given)).open).toMatchObject({
    captureFailed: true,
    failedCapture: { attempt: 0, detail: 'CAPTURE_FAILED', ...named },
  });
});
