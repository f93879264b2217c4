import { euros } from '../../src/domain/money';
import { DAY, HOUR } from '../../src/domain/time';
import {
  adoptAuthorization,
  applyChange,
  beginSend,
  getCycle,
  getSubscription,
  recordConsent,
  recordDelivery,
  recordOutcome,
  recordResult,
  steer,
  type SteeringRequests,
} from '../../src/ledger';
import { deciding, LIMIT, windowOf } from './deciding-fixture';
import {
  askConsent,
  authorizationId,
  DUE,
  NOW,
  outcomes,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
  waitForLock,
} from './ledger-fixture';
import { written } from './written';

const ledger = useLedger();
const { stepAt, refuse } = deciding(ledger);
const BY = { actor: 'ops', reason: 'asked' };
const FOUND = { actor: 'ada', cycle: 0, evidence: 'the bank statement', authorizationId: null, captureId: null };

function ask<V extends keyof SteeringRequests>(
  verb: V,
  { subscriptionId }: Pick<Subscribed, 'subscriptionId'>,
  request: SteeringRequests[V],
  at = NOW,
) {
  return steer(ledger.pool, verb, subscriptionId, request, { at, realAt: REAL_NOW });
}

/** Makes both wait for the row's lock one after the other, so that the first certainly gets the lock first. */
async function inOrder<First, Second>(
  { subscriptionId }: Subscribed,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const other = await ledger.pool.connect();
  try {
    await other.query('begin');
    await other.query('select from subscriptions where subscription_id = $1 for update', [subscriptionId]);
    const one = first();
    await waitForLock(ledger.pool, 1);
    const two = second();
    await waitForLock(ledger.pool, 2);
    await other.query('commit');
    return await Promise.all([one, two]);
  } finally {
    other.release();
  }
}

describe('a send and a request that wait for the same row (rule 25)', () => {
  const at = windowOf(1).dueAt;
  const dearer = { ...BY, amount: euros(2100), fromCycle: 1, announceAhead: HOUR };
  const collected = async () => {
    const given = await subscribe(ledger.pool);
    await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'successful');
    return given;
  };
  const first = (given: Subscribed) => () => beginSend(ledger.pool, sendOf(given));
  /** A send of the next cycle by a worker that knows the row as it was before the request. */
  const next = (given: Subscribed) => () =>
    beginSend(ledger.pool, sendOf(given, { cycle: 1, ...windowOf(1), at, revision: 0 }));

  test.each([
    ['pause', (given: Subscribed) => ask('pause', given, { ...BY, until: null }), 'stopped'],
    ['cancel', (given: Subscribed) => ask('cancel', given, BY), 'stopped'],
    ['skip', (given: Subscribed) => ask('skip', given, { ...BY, cycle: 0 }), 'closed'],
  ] as const)('if a request to %s gets the row before a send, nothing is sent', async (_verb, request, kind) => {
    const given = await subscribe(ledger.pool);
    const [steered, sent] = await inOrder(given, () => request(given), first(given));
    expect([steered.kind, sent.kind]).toEqual(['steered', kind]);
    const { rows } = await ledger.pool.query('select from attempts where subscription_id = $1', [given.subscriptionId]);
    expect(rows).toEqual([]);
  });

  test('if a send gets the row first, its cycle can no longer be skipped, and a pause leaves it unchanged', async () => {
    const [one, two] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
    const [sent, skipped] = await inOrder(one, first(one), () => ask('skip', one, { ...BY, cycle: 0 }));
    expect([sent.kind, skipped.kind]).toEqual(['started', 'refused']);
    expect(await getCycle(ledger.pool, one.subscriptionId, 0)).toMatchObject({ status: 'collecting' });
    const [sending, paused] = await inOrder(two, first(two), () => ask('pause', two, { ...BY, until: null }));
    expect([sending.kind, paused.kind]).toEqual(['started', 'steered']);
    expect(await getCycle(ledger.pool, two.subscriptionId, 0)).toMatchObject({ status: 'collecting' });
  });

  test('if a change of amount gets the row before a send, the old amount is not sent', async () => {
    const given = await collected();
    const [changed, sent] = await inOrder(given, () => ask('change_amount', given, dearer, at - DAY), next(given));
    expect([changed.kind, sent.kind]).toEqual(['steered', 'stopped']);
    expect(await getCycle(ledger.pool, given.subscriptionId, 1)).toBeNull();
  });

  test('if a send gets the row before a change of amount, its amount is frozen and the change is refused', async () => {
    const given = await collected();
    const [sent, changed] = await inOrder(given, next(given), () => ask('change_amount', given, dearer, at));
    expect([sent.kind, changed.kind]).toEqual(['started', 'refused']);
    expect(await getCycle(ledger.pool, given.subscriptionId, 1)).toMatchObject({ amount: euros(1999) });
    expect((await written(ledger.pool, given)).row).toMatchObject({ pending_change: null, amount: 1999 });
  });
});

describe('an outcome and an operator that wait for the same row', () => {
  const unresolved = async () => {
    const given = await subscribe(ledger.pool);
    const ref = await startDebit(ledger.pool, sendOf(given));
    await settle(ledger.pool, ref, 'unresolved');
    const cycle = { cycle: 0, ...windowOf(0), amount: euros(1999), status: 'unresolved' as const };
    const change = { ...given, key: 'unresolved', at: NOW, actor: 'dueday', events: [], cycle };
    await applyChange(ledger.pool, { ...change, subscription: { attention: ['unresolved:0'] } });
    const answer = () =>
      recordOutcome(ledger.pool, ref, outcomes().successful, NOW, { type: 'attempt.successful', data: {} });
    return { given, answer };
  };
  const resolve = (given: Subscribed, outcome: 'collected' | 'failed', actor = 'ada') =>
    ask('resolve', given, { ...FOUND, actor, outcome });

  test("if an answer of the service gets the row before an operator's resolution, it counts and the resolution is refused", async () => {
    const { given, answer } = await unresolved();
    const [recorded, resolved] = await inOrder(given, answer, () => resolve(given, 'failed'));
    expect([recorded.kind, resolved.kind]).toEqual(['recorded', 'refused']);
    expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'collected' });
    expect((await written(ledger.pool, given)).row).toMatchObject({ cycles_collected: 1, attention: [] });
  });

  test("if an operator's resolution gets the row before an answer of the service, the answer is only recorded as a contradiction", async () => {
    const { given, answer } = await unresolved();
    const [resolved, recorded] = await inOrder(given, () => resolve(given, 'failed'), answer);
    expect([resolved.kind, recorded.kind]).toEqual(['steered', 'unchanged']);
    expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'failed' });
    const { row, entries } = await written(ledger.pool, given);
    expect(row).toMatchObject({ cycles_collected: 0, current_amount: null });
    expect(entries.map(({ type }) => type)).toContain('attempt.contradicted');
  });

  test("the evidence of an operator's resolution is not part of the notice to the payer", async () => {
    const { given } = await unresolved();
    expect(await resolve(given, 'failed')).toMatchObject({ kind: 'steered' });
    const { notices } = await written(ledger.pool, given);
    const data = { detail: 'RESOLVED_AS_FAILED', description: '' };
    expect(notices.find(({ type }) => type === 'payment.failed')).toMatchObject({ data });
  });

  test('of two operators who resolve an attempt differently, the second one is refused', async () => {
    const { given } = await unresolved();
    const [one, two] = await inOrder(
      given,
      () => resolve(given, 'collected', 'ada'),
      () => resolve(given, 'failed', 'bob'),
    );
    expect([one.kind, two.kind]).toEqual(['steered', 'refused']);
    expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'collected' });
    expect((await written(ledger.pool, given)).row).toMatchObject({ cycles_collected: 1, current_amount: 1999 });
  });
});

test('a result that a worker records for a cycle that an operator has skipped meanwhile does not open the cycle again', async () => {
  const given = await subscribe(ledger.pool);
  const step = await stepAt(given, NOW);
  if (step.kind !== 'collect') throw new Error(`the cycle is due, but the step is ${step.kind}`);
  expect(await ask('skip', given, { ...BY, cycle: 0 })).toMatchObject({ kind: 'steered' });
  const found = { kind: 'unresolved', reason: 'the service lists a debit of another amount' } as const;
  await recordResult(ledger.pool, given.subscriptionId, step.plan, found, NOW);
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'skipped' });
  const { notices, row } = await written(ledger.pool, given);
  expect([notices, row['attention']]).toEqual([[], []]);
  expect(await stepAt(given, NOW)).toEqual({ kind: 'wait', until: windowOf(1).dueAt, why: 'due' });
});

test('the same result that two workers record for a cycle at once is reported once', async () => {
  const given = await subscribe(ledger.pool);
  const step = await stepAt(given, NOW);
  if (step.kind !== 'collect') throw new Error(`the cycle is due, but the step is ${step.kind}`);
  const found = { kind: 'unresolved', reason: 'the service lists a debit of another amount' } as const;
  const record = () => recordResult(ledger.pool, given.subscriptionId, step.plan, found, NOW);
  await Promise.all([record(), record()]);
  const { notices, entries, row } = await written(ledger.pool, given);
  expect(notices.map(({ type }) => type)).toEqual(['cycle.unresolved']);
  expect(entries.filter(({ type }) => type === 'cycle.unresolved')).toHaveLength(1);
  expect(row).toMatchObject({ attention: ['unresolved:0'] });
});

test('a debit that another system made for a cycle that an operator has skipped meanwhile is not adopted', async () => {
  const given = await subscribe(ledger.pool);
  expect(await ask('skip', given, { ...BY, cycle: 0 })).toMatchObject({ kind: 'steered' });
  const made = { authorizationId: authorizationId('aut_elsewhere'), createdAt: NOW };
  const found = { ...sendOf(given), ...made, enteredAt: NOW };
  expect(await adoptAuthorization(ledger.pool, found)).toEqual({ kind: 'refused' });
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'skipped', attempts: [] });
});

test.each([
  ['delivery', 'out_of_time'],
  ['decision', 'notice_undeliverable'],
] as const)(
  'a notice that is delivered at the same moment as it is given up permits no retry, even if the %s comes first',
  async (which, reason) => {
    const given = await subscribe(ledger.pool);
    await refuse(given);
    await stepAt(given, NOW + HOUR);
    const { notice_id: id } = (await written(ledger.pool, given)).notices[0]!;
    const delivered = { kind: 'delivered', at: LIMIT, realAt: REAL_NOW, channel: 'webhook', evidence: {} } as const;
    const deliver = () => recordDelivery(ledger.pool, id, delivered);
    const decide = () => stepAt(given, LIMIT);
    await (which === 'delivery' ? inOrder(given, deliver, decide) : inOrder(given, decide, deliver));
    expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({ status: 'failed', reason });
    expect(await beginSend(ledger.pool, sendOf(given, { attempt: 1 }))).toEqual({ kind: 'closed', status: 'failed' });
    const { notices } = await written(ledger.pool, given);
    expect(notices.find(({ type }) => type === 'payment.failed')).toMatchObject({ state: 'delivered' });
  },
);

test('a replacement and the subscription that it replaces can be changed concurrently without a deadlock, and never both collect', async () => {
  for (let round = 0; round < 10; round += 1) {
    const old = await subscribe(ledger.pool);
    const young = await askConsent(ledger.pool, { replaces: old.subscriptionId, firstPaymentAt: DUE + DAY });
    await Promise.all([
      recordConsent(ledger.pool, young.subscriptionId, { kind: 'granted' }, NOW),
      ask('pause', old, { ...BY, until: null }),
      ask('cancel', young, BY),
      stepAt(old, NOW),
      stepAt(young, NOW),
      ask('resume', old, BY),
      recordConsent(ledger.pool, young.subscriptionId, { kind: 'granted' }, NOW),
    ]);
    const before = await getSubscription(ledger.pool, old.subscriptionId);
    const { row } = await written(ledger.pool, young);
    // If the consent was granted before the cancellation, the old subscription is replaced; otherwise it is unchanged.
    const hasPosition = before?.replacedBy === young.subscriptionId;
    expect(row).toMatchObject({ status: 'active', stopped_by: 'cancel' });
    expect([before?.replacedBy, before?.stoppedBy === 'cancel']).toEqual(
      hasPosition ? [young.subscriptionId, true] : [null, false],
    );
  }
});
