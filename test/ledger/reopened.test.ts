import type { CaptureId } from '../../src/domain/ids';
import { HOUR } from '../../src/domain/time';
import {
  getCycle,
  listAttention,
  orderRefund,
  type Outcome,
  readSend,
  readState,
  recordOutcome,
  refuseAgain,
  reopenAttempt,
  type SendRef,
  steer,
} from '../../src/ledger';
import { deciding, windowOf } from './deciding-fixture';
import {
  COLLECT_BY,
  NOW,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
} from './ledger-fixture';
import { orderOf } from './refund-fixture';
import { since, written } from './written';

/** A refused attempt that the service lists as live again (rule 36). */

const ledger = useLedger();
const { stepAt, refuse } = deciding(ledger);
const LATE = COLLECT_BY + HOUR;

/** The first attempt of cycle 0 was refused, and its retry has collected the cycle. */
async function collectedByRetry(): Promise<Subscribed> {
  const given = await subscribe(ledger.pool);
  await refuse(given);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given, { attempt: 1 })), 'successful');
  return given;
}

/** Reopens the first attempt of cycle 0, as the service lists it as pending. */
async function reopen(given: Subscribed, at = LATE): Promise<SendRef> {
  const ref = { subscriptionId: given.subscriptionId, cycle: 0, attempt: 0, send: 0 };
  const finding = { at, realAt: REAL_NOW, found: {}, isCaptured: false };
  expect(await reopenAttempt(ledger.pool, ref, finding, true)).toBe(true);
  return ref;
}

const lateCapture = ({ subscriptionId }: Pick<Subscribed, 'subscriptionId'>) => `late-${subscriptionId}` as CaptureId;

async function answer(ref: SendRef, state: 'successful' | 'capture_failed') {
  const { authorizationId } = (await readSend(ledger.pool, ref))!;
  const captureId = lateCapture(ref);
  const known = { authorizationId: authorizationId!, createdAt: NOW + 1, captureId };
  const outcome: Outcome = state === 'successful' ? { state, ...known } : { state, ...known, detail: 'CAPTURE_FAILED' };
  return recordOutcome(ledger.pool, ref, outcome, LATE + HOUR, { type: `attempt.${state}`, data: {} });
}

async function contradictionsOf({ subscriptionId }: Subscribed) {
  const { items } = await listAttention(ledger.pool, { kind: 'contradiction' }, { cursor: null, limit: 200 });
  return items.filter((each) => each.subscriptionId === subscriptionId).map(({ service }) => service?.detail);
}

test('a reopened attempt that is refused again after another attempt has collected the cycle leaves the subscription in good standing', async () => {
  const given = await collectedByRetry();
  const ref = await reopen(given);
  const before = await written(ledger.pool, given);
  await refuseAgain(ledger.pool, ref, LATE + HOUR);
  const after = await written(ledger.pool, given);
  expect(after.row).toMatchObject({ standing: 'good', past_due: false, attention: [] });
  expect(since(before, after).types).toEqual(['attempt.refused_again']);
});

test('a reopened attempt whose capture fails after another attempt has collected the cycle does not report the cycle as failed', async () => {
  const given = await collectedByRetry();
  const ref = await reopen(given);
  const before = await written(ledger.pool, given);
  await answer(ref, 'capture_failed');
  const after = await written(ledger.pool, given);
  expect(after.row).toMatchObject({ standing: 'good', past_due: false, attention: [] });
  const { types, notices } = since(before, after);
  expect([types, notices]).toEqual([['attempt.capture_failed'], []]);
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'collected' });
  expect(await contradictionsOf(given)).toEqual([expect.stringContaining('its capture failed')]);
});

test('a reopened attempt that is refused again after a later cycle was collected ends its own cycle, and is no longer followed', async () => {
  const given = await subscribe(ledger.pool);
  await refuse(given);
  const ref = await reopen(given, NOW + HOUR);
  const next = windowOf(1);
  const followed = [{ cycle: 0, attempt: 0 }];
  expect(await stepAt(given, next.dueAt, followed)).toMatchObject({ kind: 'collect', plan: { cycle: 1 } });
  const send = sendOf(given, { cycle: 1, ...next, at: next.dueAt });
  await settle(ledger.pool, await startDebit(ledger.pool, send), 'successful', next.dueAt);
  await refuseAgain(ledger.pool, ref, next.dueAt + HOUR);
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'failed', reason: 'rejected' });
  const at = next.dueAt + 2 * HOUR;
  expect(await stepAt(given, at)).toEqual({ kind: 'wait', until: windowOf(2).dueAt, why: 'due' });
  expect(await readState(ledger.pool, given.subscriptionId, at)).toMatchObject({ pending: [] });
  expect((await written(ledger.pool, given)).row).toMatchObject({ standing: 'good' });
});

test('a reopened attempt of the latest cycle that is refused again leaves the end of the cycle to the next decision', async () => {
  const given = await subscribe(ledger.pool);
  await refuse(given);
  const ref = await reopen(given, NOW + HOUR);
  expect(await stepAt(given, COLLECT_BY)).toMatchObject({ kind: 'follow', plan: { cycle: 0 } });
  await refuseAgain(ledger.pool, ref, LATE);
  expect(await stepAt(given, LATE)).toEqual({ kind: 'wait', until: windowOf(1).dueAt, why: 'due' });
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'failed' });
  expect((await written(ledger.pool, given)).row).toMatchObject({ standing: 'past_due' });
});

test('a reopened attempt that an operator resolves as collected after another attempt has collected the cycle is a second debit', async () => {
  const given = await collectedByRetry();
  await reopen(given);
  const captureId = lateCapture(given);
  const found = { actor: 'ada', cycle: 0, outcome: 'collected', evidence: 'statement', authorizationId: null } as const;
  const moment = { at: LATE + HOUR, realAt: REAL_NOW };
  const request = { ...found, captureId };
  expect(await steer(ledger.pool, 'resolve', given.subscriptionId, request, moment)).toMatchObject({ kind: 'steered' });
  const { entries, row } = await written(ledger.pool, given);
  expect(entries.filter(({ type }) => type === 'cycle.collected')).toHaveLength(1);
  expect(row).toMatchObject({ standing: 'good', cycles_collected: 1 });
  const expected = `is a second debit of cycle 0. Recommended: refund capture ${captureId}.`;
  expect(await contradictionsOf(given)).toEqual([expect.stringContaining(expected)]);
});

test("repeating an operator's resolution of a reopened attempt as collected changes nothing, and another one is refused", async () => {
  const given = await collectedByRetry();
  await reopen(given);
  const found = { actor: 'ada', cycle: 0, outcome: 'collected', evidence: 'statement', authorizationId: null } as const;
  const moment = { at: LATE + HOUR, realAt: REAL_NOW };
  const resolve = (evidence: string) =>
    steer(ledger.pool, 'resolve', given.subscriptionId, { ...found, evidence, captureId: null }, moment);
  expect(await resolve('statement')).toMatchObject({ kind: 'steered' });
  const before = await written(ledger.pool, given);
  expect(await resolve('statement')).toEqual({ kind: 'unchanged' });
  expect(await resolve('another statement')).toMatchObject({ kind: 'refused' });
  expect(await written(ledger.pool, given)).toEqual(before);
});

test('each of two debits of a cycle can be refunded by its capture; a refund that names no capture is of the debit that was recorded first', async () => {
  const given = await collectedByRetry();
  const first = (await readSend(ledger.pool, { ...given, cycle: 0, attempt: 1, send: 0 }))!.captureId!;
  await answer(await reopen(given), 'successful');
  for (const captureId of [first, lateCapture(given)]) {
    const result = await orderRefund(ledger.pool, orderOf(given, 500, { captureId }));
    expect(result).toMatchObject({ kind: 'ordered', refund: { captureId } });
  }
  const rest = await orderRefund(ledger.pool, orderOf(given, 1499));
  expect(rest).toMatchObject({ kind: 'ordered', refund: { captureId: first } });
});
