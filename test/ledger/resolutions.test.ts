import { randomUUID } from 'node:crypto';
import { DAY, MINUTE } from '../../src/domain/instant';
import {
  getCycle,
  getSubscription,
  latestSend,
  listEvents,
  type NewSend,
  type Outcome,
  recordOutcome,
  resolveAttempt,
  type Resolution,
  type SendRef,
} from '../../src/ledger';
import { authorizationId, DUE, NOW, REAL_NOW, sendOf, started, subscribe, useLedger } from './ledger-fixture';

const ledger = useLedger();
const NEXT_DUE = DUE + 28 * DAY;

function resolution(send: NewSend, changes: Partial<Resolution> = {}): Resolution {
  const { subscriptionId, paymentId, cycle, attempt, amount, dueAt } = send;
  return {
    ...{ subscriptionId, paymentId, cycle, attempt, amount, dueAt, at: NOW + MINUTE, realAt: REAL_NOW },
    ...{ outcome: 'collected', actor: 'ada', evidence: 'statement of 3 March', nextDueAt: NEXT_DUE },
    ...{ authorizationId: null, captureId: null },
    ...changes,
  };
}

function say(ref: SendRef, outcome: Outcome) {
  return recordOutcome(ledger.pool, ref, outcome, NOW, { type: `attempt.${outcome.state}`, data: {} });
}

async function unresolved(given?: NewSend): Promise<NewSend> {
  const send = given ?? sendOf(await subscribe(ledger.pool));
  const ref = await started(ledger.pool, send);
  await say(ref, { state: 'unresolved', reason: 'two fit' });
  return send;
}

const attemptOf = (send: NewSend) => latestSend(ledger.pool, send.subscriptionId, send.cycle, send.attempt);

test('collected: attempt, cycle and subscription say so, with who decided and on what evidence', async () => {
  const send = await unresolved();
  const id = authorizationId(randomUUID());
  const result = await resolveAttempt(ledger.pool, resolution(send, { authorizationId: id }));

  expect(result.kind).toBe('resolved');
  expect(await attemptOf(send)).toMatchObject({
    ...{ state: 'successful', resolvedBy: 'ada', authorizationId: id, description: 'statement of 3 March' },
  });
  expect(await getCycle(ledger.pool, send.subscriptionId, 0)).toMatchObject({ status: 'collected' });
  const after = await getSubscription(ledger.pool, send.subscriptionId);
  expect(after).toMatchObject({ cyclesCollected: 1, amount: send.amount });
  const { items } = await listEvents(ledger.pool, send, { limit: 50, cursor: null });
  expect(items.find(({ type }) => type === 'cycle.resolved')).toMatchObject({
    ...{ actor: 'ada', data: { outcome: 'collected', evidence: 'statement of 3 March', authorizationId: id } },
  });
});

test('collected needs no id', async () => {
  const send = await unresolved();
  await resolveAttempt(ledger.pool, resolution(send));
  expect(await attemptOf(send)).toMatchObject({ state: 'successful', authorizationId: null, resolvedBy: 'ada' });
});

test('failed: a final rejection, and no debit', async () => {
  const send = await unresolved();
  await resolveAttempt(ledger.pool, resolution(send, { outcome: 'failed' }));
  expect(await attemptOf(send)).toMatchObject({ state: 'rejected', detail: 'RESOLVED_AS_FAILED', resolvedBy: 'ada' });
  expect(await getSubscription(ledger.pool, send.subscriptionId)).toMatchObject({ cyclesCollected: 0 });
});

test('where no send of ours explains the debit, one is entered for it', async () => {
  const send = sendOf(await subscribe(ledger.pool));
  const ref = await started(ledger.pool, send);
  await say(ref, { state: 'not_sent', reason: 'refused' });
  const id = authorizationId(randomUUID());
  await resolveAttempt(ledger.pool, resolution(send, { authorizationId: id }));
  expect(await attemptOf(send)).toMatchObject({ send: 1, state: 'successful', authorizationId: id, resolvedBy: 'ada' });
});

test('the service’s own word counts for more: what stands is left', async () => {
  const send = await unresolved();
  const ref = { ...send, send: 0 };
  const found = authorizationId(randomUUID());
  const pending = { state: 'pending', authorizationId: found, createdAt: NOW } as const;
  await say(ref, pending);
  expect(await resolveAttempt(ledger.pool, resolution(send))).toMatchObject({ kind: 'stands' });

  const done = { ...pending, state: 'successful', captureId: 'cap' as never } as const;
  await say(ref, done);
  expect(await resolveAttempt(ledger.pool, resolution(send, { outcome: 'failed' }))).toMatchObject({ kind: 'stands' });
  expect(await attemptOf(send)).toMatchObject({ state: 'successful', authorizationId: found, resolvedBy: null });
});

test('an authorization that is another send’s of the payment is refused, and nothing is written', async () => {
  const taken = authorizationId(randomUUID());
  const first = await unresolved();
  await resolveAttempt(ledger.pool, resolution(first, { authorizationId: taken }));
  const second = await unresolved({ ...first, cycle: 1 });
  await expect(resolveAttempt(ledger.pool, resolution(second, { authorizationId: taken }))).rejects.toThrow();
  expect(await attemptOf(second)).toMatchObject({ state: 'unresolved' });
});
