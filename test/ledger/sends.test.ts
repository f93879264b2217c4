import { DAY, HOUR, toIso } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  applyChange,
  knownAuthorizations,
  beginSend,
  getCycle,
  hasSendOnWire,
  takenAuthorizationIds,
  type StoppedBy,
  latestSend,
  listEvents,
  precheckAttempt,
  recordDelivery,
  recordAbsenceCheck,
  recordOutcome,
  recordManualNotification,
} from '../../src/ledger';
import {
  authorizationId,
  COLLECT_BY,
  count,
  DUE,
  notify,
  NOW,
  orderPaymentFailedNotice,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  type Subscribed,
  subscribe,
  useLedger,
  waitForLock,
} from './ledger-fixture';

const ledger = useLedger();

async function stop(given: Subscribed, by: StoppedBy | null, key = `stop-${by ?? 'none'}`): Promise<void> {
  const { subscriptionId } = given;
  await applyChange(ledger.pool, {
    subscriptionId,
    key,
    at: NOW,
    actor: 'ada',
    events: [],
    subscription: { stoppedBy: by },
  });
}

test('beginning a send commits the row "sending" with everything that fixes the attempt', async () => {
  const given = await subscribe(ledger.pool);
  const sent = await beginSend(ledger.pool, sendOf(given, { knownIds: ['a', 'b'] }));
  expect(sent).toEqual({
    kind: 'started',
    send: {
      subscriptionId: given.subscriptionId,
      cycle: 0,
      attempt: 0,
      send: 0,
      paymentId: given.paymentId,
      amount: euros(1999),
      dueAt: DUE,
      state: 'sending',
      at: NOW,
      sendingRealAt: REAL_NOW,
      unknownSinceReal: null,
      absentChecks: 0,
      knownIds: ['a', 'b'],
      authorizationId: null,
      captureId: null,
      authorizationCreatedAt: null,
      detail: null,
      description: null,
      reason: null,
      owner: 'worker-1',
      outcomeAt: null,
      resolvedBy: null,
      acceptedAnswer: null,
      adopted: false,
      refusedAs: null,
      authorized: false,
      unlistedSinceReal: null,
      contradictedSinceReal: null,
    },
  });
  expect(await latestSend(ledger.pool, given.subscriptionId, 0, 0)).toEqual(sent.kind === 'started' && sent.send);
});

test('beginning a send shows the cycle as collecting, and the send in the audit log', async () => {
  const given = await subscribe(ledger.pool);
  await startDebit(ledger.pool, sendOf(given, { grounds: { sendBefore: 'a limit' } }));
  expect(await getCycle(ledger.pool, given.subscriptionId, 0)).toMatchObject({
    status: 'collecting',
    dueAt: DUE,
    collectBy: COLLECT_BY,
    amount: euros(1999),
    attempts: [{ attempt: 0, send: 0, state: 'sending', payerNotifiedAt: null }],
  });
  const { items } = await listEvents(ledger.pool, given, { limit: 1, cursor: null });
  expect(items[0]).toMatchObject({
    type: 'attempt.sending',
    actor: 'dueday',
    at: NOW,
    data: {
      cycle: 0,
      attempt: 0,
      send: 0,
      amount: euros(1999),
      dueAt: toIso(DUE),
      collectBy: toIso(COLLECT_BY),
      sendBefore: 'a limit',
      listed: 1,
    },
  });
});

test('of two sends that begin at the same time one starts, in twenty rounds', async () => {
  for (let round = 0; round < 20; round += 1) {
    const given = await subscribe(ledger.pool);
    const both = await Promise.all(['one', 'two'].map((owner) => beginSend(ledger.pool, sendOf(given, { owner }))));
    expect(both.map(({ kind }) => kind).sort()).toEqual(['blocked', 'started']);
    expect(await count(ledger.pool, 'attempts', given.subscriptionId)).toBe(1);
  }
});

test('of ten sends that begin at the same time one starts', async () => {
  const given = await subscribe(ledger.pool);
  const all = await Promise.all(Array.from({ length: 10 }, () => beginSend(ledger.pool, sendOf(given))));
  expect(all.filter(({ kind }) => kind === 'started')).toHaveLength(1);
  expect(all.filter(({ kind }) => kind === 'blocked')).toHaveLength(9);
});

test.each(['pause', 'cancel'] as const)('no send starts after a %s', async (by) => {
  const given = await subscribe(ledger.pool);
  await stop(given, by);
  expect(await precheckAttempt(ledger.pool, sendOf(given), NOW)).toMatchObject({ isStopped: true });
  expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'stopped' });
  expect(await count(ledger.pool, 'attempts', given.subscriptionId)).toBe(0);
  expect(await count(ledger.pool, 'cycles', given.subscriptionId)).toBe(0);
});

test.each([
  [0, 'stopped'],
  [1, 'started'],
  [undefined, 'started'],
])('for a workflow that knows revision %s of a row with revision 1, a send is %s', async (revision, outcome) => {
  const given = await subscribe(ledger.pool);
  await ledger.pool.query('update subscriptions set revision = 1 where subscription_id = $1', [given.subscriptionId]);

  const isStopped = outcome === 'stopped';
  expect(await precheckAttempt(ledger.pool, sendOf(given, { revision }), NOW)).toMatchObject({ isStopped });
  expect((await beginSend(ledger.pool, sendOf(given, { revision }))).kind).toBe(outcome);
});

test('a send committed before a pause counts as earlier, and stays', async () => {
  const given = await subscribe(ledger.pool);
  await startDebit(ledger.pool, sendOf(given));
  await stop(given, 'pause');
  expect((await latestSend(ledger.pool, given.subscriptionId, 0, 0))?.state).toBe('sending');
});

test('a send starts again once the pause has ended', async () => {
  const given = await subscribe(ledger.pool);
  await stop(given, 'pause');
  await stop(given, null);
  expect((await beginSend(ledger.pool, sendOf(given))).kind).toBe('started');
});

test('a pause that is written while a send begins is either seen by it, or later than it', async () => {
  for (let round = 0; round < 20; round += 1) {
    const given = await subscribe(ledger.pool);
    const [sent] = await Promise.all([beginSend(ledger.pool, sendOf(given)), stop(given, 'pause')]);
    expect(await count(ledger.pool, 'attempts', given.subscriptionId)).toBe(sent.kind === 'started' ? 1 : 0);
    expect(['started', 'stopped']).toContain(sent.kind);
  }
});

test('a send waits for a cancellation that is being written, and then does not start', async () => {
  const given = await subscribe(ledger.pool);
  const other = await ledger.pool.connect();
  await other.query('begin');
  await other.query(`update subscriptions set stopped_by = 'cancel' where subscription_id = $1`, [
    given.subscriptionId,
  ]);
  const beginning = beginSend(ledger.pool, sendOf(given));
  await waitForLock(ledger.pool);
  await other.query('commit');
  other.release();
  expect(await beginning).toEqual({ kind: 'stopped' });
});

test.each(['sending', 'unknown', 'unresolved'] as const)(
  'no later cycle is sent while a send of an earlier one is %s',
  async (state) => {
    const given = await subscribe(ledger.pool);
    const first = await startDebit(ledger.pool, sendOf(given));
    if (state !== 'sending') await settle(ledger.pool, first, state);
    const later = await beginSend(
      ledger.pool,
      sendOf(given, { cycle: 1, dueAt: DUE + 30 * DAY, collectBy: DUE + 35 * DAY }),
    );
    expect(later).toMatchObject({ kind: 'blocked', by: { cycle: 0, attempt: 0, send: 0, state } });
  },
);

test.each(['pending', 'successful', 'rejected_retryable', 'rejected', 'capture_failed', 'not_sent'] as const)(
  'a later cycle is sent after one that is %s',
  async (state) => {
    const given = await subscribe(ledger.pool);
    await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), state);
    const later = await beginSend(
      ledger.pool,
      sendOf(given, { cycle: 1, dueAt: DUE + 30 * DAY, collectBy: DUE + 35 * DAY }),
    );
    expect(later.kind).toBe('started');
  },
);

test.each(['pending', 'successful', 'rejected', 'capture_failed', 'unknown', 'unresolved'] as const)(
  'no retry is sent in a cycle whose first attempt is %s',
  async (state) => {
    const given = await subscribe(ledger.pool);
    await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), state);
    expect(await beginSend(ledger.pool, sendOf(given, { attempt: 1 }))).toMatchObject({
      kind: 'blocked',
      by: { state },
    });
  },
);

test('a retry is sent after a retryable rejection, and the rejected attempt never again', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'rejected_retryable');
  const again = await beginSend(ledger.pool, sendOf(given));
  expect(again).toMatchObject({ kind: 'blocked', by: { attempt: 0, state: 'rejected_retryable' } });
  await notify(ledger.pool, given);
  expect((await beginSend(ledger.pool, sendOf(given, { attempt: 1 }))).kind).toBe('started');
});

async function createRefused(): Promise<Subscribed> {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'rejected_retryable');
  return given;
}

const retry = async (given: Subscribed, attempt = 1) => (await beginSend(ledger.pool, sendOf(given, { attempt }))).kind;

function order(given: Subscribed, attempt = 0) {
  return orderPaymentFailedNotice(ledger.pool, { ...given, cycle: 0, attempt, data: {}, createdAt: NOW });
}

test('a retry is not sent if no notice was ordered, and leaves no row', async () => {
  const given = await createRefused();
  expect(await retry(given)).toBe('no_notice');
  expect(await latestSend(ledger.pool, given.subscriptionId, 0, 1)).toBeNull();
});

test('a retry is not sent while its notice is undelivered, nor once the notice is undeliverable', async () => {
  const given = await createRefused();
  const { noticeId } = await order(given);
  expect(await retry(given)).toBe('no_notice');
  await recordDelivery(ledger.pool, noticeId, { kind: 'failed', error: '503', gone: [], nextTryRealAt: REAL_NOW });
  expect(await retry(given)).toBe('no_notice');
  await recordDelivery(ledger.pool, noticeId, { kind: 'undeliverable', at: NOW, error: '410' });
  expect(await retry(given)).toBe('no_notice');
});

test('a retry is sent once an operator has recorded that the payer was notified by other means', async () => {
  const given = await createRefused();
  const { noticeId } = await order(given);
  const said = { channel: 'phone', toldAt: NOW + HOUR, evidence: 'call 17', actor: 'ada', at: NOW + HOUR };
  expect((await recordManualNotification(ledger.pool, { noticeId, ...said, realAt: REAL_NOW })).kind).toBe('recorded');
  expect(await retry(given)).toBe('started');
});

test('a retry is not sent on the notice of an earlier failure, of another cycle, or of another subscription', async () => {
  const given = await createRefused();
  await notify(ledger.pool, given, 0, 1);
  await notify(ledger.pool, await createRefused());
  expect(await retry(given)).toBe('no_notice');
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given, { attempt: 1 })), 'rejected_retryable');
  expect(await retry(given, 2)).toBe('no_notice');
  await notify(ledger.pool, given, 1);
  expect(await retry(given, 2)).toBe('started');
});

test('a retry is sent again after a send that never arrived, on the same notice', async () => {
  const given = await createRefused();
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given, { attempt: 1 })), 'not_sent');
  expect(await beginSend(ledger.pool, sendOf(given, { attempt: 1 }))).toMatchObject({
    kind: 'started',
    send: { attempt: 1, send: 1 },
  });
});

test('a retry is not sent if the cycle has no first attempt', async () => {
  const given = await subscribe(ledger.pool);
  expect(await retry(given)).toBe('no_notice');
  expect(await count(ledger.pool, 'attempts', given.subscriptionId)).toBe(0);
});

test('a process that resumes with an earlier attempt is blocked by the later attempt, even if the later one was not sent', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'not_sent');
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'rejected_retryable');
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given, { attempt: 1 })), 'not_sent');
  expect(await beginSend(ledger.pool, sendOf(given))).toMatchObject({ kind: 'blocked', by: { attempt: 1 } });
});

test('after a send that never arrived, the same attempt is sent with the next number', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'not_sent');
  const second = await startDebit(ledger.pool, sendOf(given));
  expect(second.send).toBe(1);
  expect((await latestSend(ledger.pool, given.subscriptionId, 0, 0))?.send).toBe(1);
});

test.each(['skipped', 'missed', 'failed'] as const)('nothing is sent in a cycle that is %s', async (status) => {
  const given = await subscribe(ledger.pool);
  await applyChange(ledger.pool, {
    subscriptionId: given.subscriptionId,
    key: 'over',
    at: NOW,
    actor: 'dueday',
    events: [],
    cycle: { cycle: 0, dueAt: DUE, collectBy: COLLECT_BY, amount: euros(1999), status },
  });
  expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'closed', status });
  expect(await count(ledger.pool, 'attempts', given.subscriptionId)).toBe(0);
  expect((await getCycle(ledger.pool, given.subscriptionId, 0))?.status).toBe(status);
});

test.each(['cancelled', 'completed', 'consent_failed'] as const)(
  'nothing is sent once the subscription is %s',
  async (status) => {
    const given = await subscribe(ledger.pool);
    const { subscriptionId } = given;
    await applyChange(ledger.pool, {
      subscriptionId,
      key: 'end',
      at: NOW,
      actor: 'dueday',
      events: [],
      subscription: { status },
    });
    expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'closed', status });
  },
);

test('an attempt of a cycle shown as unresolved is sent if none of the outcomes of the cycle is unknown', async () => {
  const given = await subscribe(ledger.pool);
  await applyChange(ledger.pool, {
    subscriptionId: given.subscriptionId,
    key: 'stopped',
    at: NOW,
    actor: 'dueday',
    events: [],
    cycle: { cycle: 0, dueAt: DUE, collectBy: COLLECT_BY, amount: euros(1999), status: 'unresolved' },
  });
  await startDebit(ledger.pool, sendOf(given));
  expect((await getCycle(ledger.pool, given.subscriptionId, 0))?.status).toBe('collecting');
});

test('a send of another amount than the first attempt has frozen is refused', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'rejected_retryable');
  await notify(ledger.pool, given);
  const other = beginSend(ledger.pool, sendOf(given, { attempt: 1, amount: euros(2000) }));
  await expect(other).rejects.toThrow('is frozen at 1999 cents, not 2000');
  expect(await latestSend(ledger.pool, given.subscriptionId, 0, 1)).toBeNull();
});

test("a send for another payment than the subscription's is refused", async () => {
  const [given, other] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  const mixed = beginSend(ledger.pool, sendOf(given, { paymentId: other.paymentId }));
  await expect(mixed).rejects.toThrow(`has payment ${given.paymentId}, not ${other.paymentId}`);
});

test('the database allows one attempt with an unknown outcome per payment, whatever the program believes', async () => {
  const given = await subscribe(ledger.pool);
  await startDebit(ledger.pool, sendOf(given));
  await ledger.pool.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status) values ($1, 1, now(), now() + '1 day', 1, 'collecting')`,
    [given.subscriptionId],
  );
  await expect(insertRaw(given, 1, 0)).rejects.toThrow('attempts_one_unknown_per_payment');
});

test.each(['pending', 'successful', 'capture_failed'] as const)(
  'the database allows no second attempt in a cycle beside one that is %s',
  async (state) => {
    const given = await subscribe(ledger.pool);
    await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), state);
    await expect(insertRaw(given, 0, 1)).rejects.toThrow('attempts_one_own_per_cycle');
  },
);

test('the database gives one authorization of a payment to one send; another payment may have one of the same id', async () => {
  const [one, two] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  const claim = async (given: Subscribed, cycle: number) => {
    const { subscriptionId, send } = await startDebit(ledger.pool, sendOf(given, { cycle }));
    const shared = `update attempts set state = 'pending', authorization_id = 'shared'`;
    const where = '(subscription_id, cycle, attempt, send) = ($1, $2, 0, $3)';
    await ledger.pool.query(`${shared} where ${where}`, [subscriptionId, cycle, send]);
  };
  await claim(one, 0);
  await claim(two, 0);
  await expect(claim(one, 1)).rejects.toThrow('attempts_authorization_in_use');
  expect(authorizationId('shared')).toBe((await latestSend(ledger.pool, one.subscriptionId, 0, 0))?.authorizationId);
});

test('a send stores the listed ids, without those that another send of the payment has stored or created', async () => {
  const [given, other] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  const createdAt = NOW + 1;
  const send = async (of: Subscribed, cycle: number, knownIds: string[], made: string | null) => {
    const ref = await startDebit(ledger.pool, sendOf(of, { cycle, knownIds }));
    const refused = { detail: 'AUTHORIZATION_REJECTION_FINAL', description: 'no' };
    const named = made === null ? {} : { authorizationId: authorizationId(made), createdAt };
    const outcome = { state: 'rejected', ...refused, ...named } as const;
    await recordOutcome(ledger.pool, ref, outcome, NOW, { type: 'attempt.rejected', data: {} });
    return (await latestSend(ledger.pool, ref.subscriptionId, cycle, 0))?.knownIds;
  };
  expect(await send(given, 0, ['b', 'a', 'b'], 'c')).toEqual(['b', 'a']);
  expect(await send(given, 1, ['a', 'b', 'c', 'd'], null)).toEqual(['d']);
  expect(await send(given, 2, ['a', 'b', 'c', 'd'], 'e')).toEqual([]);
  expect(await send(other, 0, ['a', 'e'], null)).toEqual(['a', 'e']);
  expect([...(await takenAuthorizationIds(ledger.pool, given.paymentId))].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect((await knownAuthorizations(ledger.pool, given.paymentId)).map(({ id }) => id)).toEqual(['c', 'e']);
});

function insertRaw(given: Subscribed, cycle: number, attempt: number): Promise<unknown> {
  return ledger.pool.query(
    `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at, owner)
     values ($1, $2, $3, 0, $4, 1999, now(), 'sending', now(), now(), 'rogue')`,
    [given.subscriptionId, cycle, attempt, given.paymentId],
  );
}

test('a send counts as on the wire if it started after the given instant, to the millisecond', async () => {
  const given = await subscribe(ledger.pool);
  expect(await hasSendOnWire(ledger.pool, given.subscriptionId, REAL_NOW - 1)).toBe(false);
  const ref = await startDebit(ledger.pool, sendOf(given));
  expect(await hasSendOnWire(ledger.pool, given.subscriptionId, REAL_NOW - 1)).toBe(true);
  expect(await hasSendOnWire(ledger.pool, given.subscriptionId, REAL_NOW)).toBe(false);
  await settle(ledger.pool, ref, 'unknown');
  expect(await hasSendOnWire(ledger.pool, given.subscriptionId, REAL_NOW - 1)).toBe(false);
});

test('consecutive checks of a send that found nothing are counted, from zero again after a check that found something', async () => {
  const given = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(given));
  await settle(ledger.pool, ref, 'unknown');
  const looks = [];
  for (const absent of [true, true, false, true])
    looks.push((await recordAbsenceCheck(ledger.pool, ref, { absent }))?.absentChecks);
  expect(looks).toEqual([1, 2, 0, 1]);
});

test('a check of a send whose outcome is settled changes nothing', async () => {
  const given = await subscribe(ledger.pool);
  const ref = await startDebit(ledger.pool, sendOf(given));
  await settle(ledger.pool, ref, 'not_sent');
  expect(await recordAbsenceCheck(ledger.pool, ref, { absent: true })).toMatchObject({
    state: 'not_sent',
    absentChecks: 0,
  });
});
