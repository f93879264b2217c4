import { randomUUID } from 'node:crypto';
import { euros } from '../../src/domain/money';
import { DAY, MINUTE, toIso } from '../../src/domain/time';
import {
  adoptAuthorization,
  getCycle,
  getSubscription,
  latestSend,
  listEvents,
  type NewSend,
  type Outcome,
  recordOutcome,
  type SendRef,
} from '../../src/ledger';
import type { Resolution } from '../../src/ledger/deciding/resolutions';
import {
  authorizationId,
  DUE,
  NOW,
  REAL_NOW,
  resolveAttempt,
  sendOf,
  settle,
  startDebit,
  subscribe,
  useLedger,
} from './ledger-fixture';

const ledger = useLedger();
const NEXT_DUE = DUE + 28 * DAY;

const KEY_ID = randomUUID();

function resolution(send: NewSend, changes: Partial<Resolution> = {}): Resolution {
  const { subscriptionId, paymentId, cycle, attempt, amount, dueAt } = send;
  return {
    subscriptionId,
    paymentId,
    cycle,
    attempt,
    amount,
    dueAt,
    at: NOW + MINUTE,
    realAt: REAL_NOW,
    outcome: 'collected',
    actor: 'ada',
    keyId: KEY_ID,
    evidence: 'statement of 3 March',
    nextDueAt: NEXT_DUE,
    authorizationId: null,
    captureId: null,
    ...changes,
  };
}

function say(ref: SendRef, outcome: Outcome) {
  return recordOutcome(ledger.pool, ref, outcome, NOW, { type: `attempt.${outcome.state}`, data: {} });
}

async function createUnresolved(given?: NewSend): Promise<NewSend> {
  const send = given ?? sendOf(await subscribe(ledger.pool));
  const ref = await startDebit(ledger.pool, send);
  await say(ref, { state: 'unresolved', reason: 'two fit' });
  return send;
}

const attemptOf = (send: NewSend) => latestSend(ledger.pool, send.subscriptionId, send.cycle, send.attempt);

test('resolving an attempt as collected marks attempt, cycle and subscription, and records who decided on what evidence', async () => {
  const send = await createUnresolved();
  const id = authorizationId(randomUUID());
  const result = await resolveAttempt(ledger.pool, resolution(send, { authorizationId: id }));

  expect(result.kind).toBe('resolved');
  expect(await attemptOf(send)).toMatchObject({
    state: 'successful',
    resolvedBy: 'ada',
    authorizationId: id,
    description: 'statement of 3 March',
  });
  expect(await getCycle(ledger.pool, send.subscriptionId, 0)).toMatchObject({ status: 'collected' });
  const after = await getSubscription(ledger.pool, send.subscriptionId);
  expect(after).toMatchObject({ cyclesCollected: 1, amount: send.amount });
  const { items } = await listEvents(ledger.pool, send, { limit: 50, cursor: null });
  expect(items.find(({ type }) => type === 'cycle.resolved')).toMatchObject({
    actor: 'ada',
    keyId: KEY_ID,
    data: { outcome: 'collected', evidence: 'statement of 3 March', authorizationId: id },
  });
});

test('resolving an attempt as collected needs no id (rule 33)', async () => {
  const send = await createUnresolved();
  await resolveAttempt(ledger.pool, resolution(send));
  expect(await attemptOf(send)).toMatchObject({ state: 'successful', authorizationId: null, resolvedBy: 'ada' });
});

test.each<[string, Outcome, number]>([
  [
    'the time of the debit',
    { state: 'pending', authorizationId: authorizationId('aut_own'), createdAt: NOW - 5_000 },
    NOW - 5_000,
  ],
  ['the time of the send if the ledger knows no debit', { state: 'unresolved', reason: 'two fit' }, NOW],
])(
  'a cycle that an operator resolves as collected has %s, and not that of the resolution',
  async (_if, outcome, debitedAt) => {
    const send = sendOf(await subscribe(ledger.pool));
    await say(await startDebit(ledger.pool, send), outcome);
    const at = send.collectBy;
    expect(await resolveAttempt(ledger.pool, resolution(send, { at }))).toMatchObject({ kind: 'resolved' });
    expect(await getCycle(ledger.pool, send.subscriptionId, 0)).toMatchObject({ collectedAt: debitedAt });
    const { items } = await listEvents(ledger.pool, send, { limit: 50, cursor: null });
    expect(items.find(({ type }) => type === 'cycle.collected')).toMatchObject({
      at,
      data: { collectedAt: toIso(debitedAt), late: true },
    });
  },
);

test('resolving an attempt as collected at a higher amount, without an authorization, is an increase from the time of the resolution', async () => {
  const send = await createUnresolved(sendOf(await subscribe(ledger.pool), { amount: euros(2500) }));
  await resolveAttempt(ledger.pool, resolution(send));
  expect(await getSubscription(ledger.pool, send.subscriptionId)).toMatchObject({ lastIncreaseAt: NOW + MINUTE });
});

test('resolving an attempt as failed records a final rejection and no debit', async () => {
  const send = await createUnresolved();
  await resolveAttempt(ledger.pool, resolution(send, { outcome: 'failed' }));
  expect(await attemptOf(send)).toMatchObject({ state: 'rejected', detail: 'RESOLVED_AS_FAILED', resolvedBy: 'ada' });
  expect(await getSubscription(ledger.pool, send.subscriptionId)).toMatchObject({ cyclesCollected: 0 });
});

test('ids in a resolution as failed are recorded only in the audit log, and repeating the resolution changes nothing', async () => {
  const send = await createUnresolved();
  const ids = { authorizationId: randomUUID(), captureId: randomUUID() };
  const word = resolution(send, { outcome: 'failed', ...ids });
  const first = await resolveAttempt(ledger.pool, word);
  expect(first).toMatchObject({ kind: 'resolved', attempt: { authorizationId: null, captureId: null } });
  expect(first.kind).toBe('resolved');
  expect(await resolveAttempt(ledger.pool, { ...word, at: word.at + MINUTE })).toEqual({ kind: 'unchanged' });
  const { items } = await listEvents(ledger.pool, send, { limit: 50, cursor: null });
  const told = items.filter(({ type }) => type === 'cycle.resolved');
  expect(told).toMatchObject([{ data: { outcome: 'failed', evidence: 'statement of 3 March', ...ids } }]);
});

test('resolving as collected an attempt whose only send never arrived records a new successful send', async () => {
  const send = sendOf(await subscribe(ledger.pool));
  const ref = await startDebit(ledger.pool, send);
  await say(ref, { state: 'not_sent', reason: 'refused' });
  const id = authorizationId(randomUUID());
  await resolveAttempt(ledger.pool, resolution(send, { authorizationId: id }));
  expect(await attemptOf(send)).toMatchObject({ send: 1, state: 'successful', authorizationId: id, resolvedBy: 'ada' });
});

test('resolving as collected an attempt whose adopted authorization was refused records a new successful send (rule 40)', async () => {
  const send = sendOf(await subscribe(ledger.pool));
  const made = { authorizationId: authorizationId('aut_elsewhere'), createdAt: NOW };
  const found = { ...send, ...made, enteredAt: NOW };
  const adopted = await adoptAuthorization(ledger.pool, found);
  if (adopted.kind !== 'adopted') throw new Error('it was not adopted');
  await settle(ledger.pool, adopted.send, 'rejected');
  const id = authorizationId(randomUUID());
  const result = await resolveAttempt(ledger.pool, resolution(send, { authorizationId: id }));
  expect(result).toMatchObject({ kind: 'resolved' });
  expect(await attemptOf(send)).toMatchObject({ send: 1, state: 'successful', authorizationId: id, resolvedBy: 'ada' });
});

test('a resolution is refused once the service has answered, and the recorded outcome is kept', async () => {
  const send = await createUnresolved();
  const ref = { ...send, send: 0 };
  const found = authorizationId(randomUUID());
  const pending = { state: 'pending', authorizationId: found, createdAt: NOW } as const;
  await say(ref, pending);
  expect(await resolveAttempt(ledger.pool, resolution(send))).toMatchObject({ kind: 'settled' });

  const done = { ...pending, state: 'successful', captureId: 'cap' as never } as const;
  await say(ref, done);
  expect(await resolveAttempt(ledger.pool, resolution(send, { outcome: 'failed' }))).toMatchObject({ kind: 'settled' });
  expect(await attemptOf(send)).toMatchObject({ state: 'successful', authorizationId: found, resolvedBy: null });
});

/** Cycle 0 resolved as collected with these ids, and cycle 1 of the same payment unresolved. */
async function unresolvedAfter(ids: Pick<Resolution, 'authorizationId' | 'captureId'>): Promise<NewSend> {
  const first = await createUnresolved();
  await resolveAttempt(ledger.pool, resolution(first, ids));
  const second = { ...first, cycle: 1, dueAt: NEXT_DUE, collectBy: NEXT_DUE + DAY };
  await say(await startDebit(ledger.pool, second), { state: 'unresolved', reason: 'two fit' });
  return second;
}

test.each(['authorizationId', 'captureId'] as const)(
  'the %s of another attempt of the payment is refused with its owner, and nothing is written (rule 32)',
  async (field) => {
    const given = { authorizationId: randomUUID(), captureId: randomUUID() };
    const second = await unresolvedAfter(given);
    const word = resolution(second, { [field]: given[field] });
    const taken = { field, given: given[field], cycle: 0, attempt: 0 };
    expect(await resolveAttempt(ledger.pool, word)).toEqual({ kind: 'taken', taken });
    expect(await attemptOf(second)).toMatchObject({ state: 'unresolved', resolvedBy: null });
  },
);

test('a capture may have the id of an authorization, because ids are unique only within their kind', async () => {
  const authorization = randomUUID();
  const second = await unresolvedAfter({ authorizationId: authorization, captureId: null });
  const result = await resolveAttempt(ledger.pool, resolution(second, { captureId: authorization }));
  expect(result).toMatchObject({ kind: 'resolved', attempt: { captureId: authorization } });
});

test('repeating a resolution changes nothing, and a different one is refused', async () => {
  const send = await createUnresolved();
  const word = resolution(send, { captureId: randomUUID() });
  const first = await resolveAttempt(ledger.pool, word);
  expect(first.kind).toBe('resolved');
  expect(await resolveAttempt(ledger.pool, { ...word, at: word.at + MINUTE })).toEqual({ kind: 'unchanged' });
  const { items } = await listEvents(ledger.pool, send, { limit: 50, cursor: null });
  expect(items.filter(({ type }) => type === 'cycle.resolved')).toHaveLength(1);
  expect(await resolveAttempt(ledger.pool, { ...word, captureId: 'another' })).toMatchObject({ kind: 'settled' });
});

test.each([
  ['collected', 'successful', null],
  ['failed', 'rejected', 'AUTHORIZATION_REJECTION_FINAL'],
] as const)(
  'an answer of the service after an operator’s resolution as %s does not change the attempt',
  async (outcome, state, detail) => {
    const send = await createUnresolved();
    await resolveAttempt(ledger.pool, resolution(send, { outcome }));
    const before = await attemptOf(send);
    const found = { authorizationId: authorizationId(randomUUID()), createdAt: NOW };
    const pending = { state: 'pending', ...found } as const;
    expect(await say({ ...send, send: 0 }, pending)).toEqual({ kind: 'unchanged', send: before, mark: null });
    expect(before).toMatchObject({ state, detail: detail === null ? null : 'RESOLVED_AS_FAILED' });
    const { items } = await listEvents(ledger.pool, send, { limit: 50, cursor: null });
    const contradictions = items.filter(({ type }) => type === 'attempt.contradicted');
    expect(contradictions).toHaveLength(outcome === 'failed' ? 1 : 0);
  },
);
