import type { CaptureId, OrderId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { DAY, HOUR, MINUTE, toIso } from '../../src/domain/time';
import {
  blankPayers,
  decideNext,
  getCycle,
  getPayment,
  getSubscription,
  insertLinkDraft,
  type LinkDraft,
  listAttention,
  listEvents,
  orderPaymentRefund,
  paidByLink,
  recordOutcome,
  reopenAttempt,
  steer,
  sumRecoveries,
} from '../../src/ledger';
import { windowOf } from './deciding-fixture';
import { authorizeLink, failCycle, createFailed, linkDraft, createLink, openLink, payLink } from './link-fixture';
import {
  COLLECT_BY,
  DUE,
  NOW,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
  waitForLock,
} from './ledger-fixture';
import { recordBooking, patchPayment } from './payment-fixture';

const ledger = useLedger();
const OF_CYCLE = { attempt: 0, cycle: 0, send: 0 };

const draft = (wanted: LinkDraft) => insertLinkDraft(ledger.pool, wanted, 0);
const attempt = ({ subscriptionId }: Subscribed, changes: object = {}) => ({ subscriptionId, ...OF_CYCLE, ...changes });
const cycleOf = ({ subscriptionId }: Subscribed, cycle = 0) => getCycle(ledger.pool, subscriptionId, cycle);
const standingOf = async ({ subscriptionId }: Subscribed) =>
  (await getSubscription(ledger.pool, subscriptionId))!.standing;

async function entriesOf({ subscriptionId }: Subscribed, prefix: string) {
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { cursor: null, limit: 100 });
  return items
    .filter(({ type }) => type.startsWith(prefix))
    .map(({ type, actor, data, rule }) => ({ type, actor, data, rule }));
}

async function contradictionsOf({ subscriptionId }: Subscribed) {
  const { items } = await listAttention(ledger.pool, { kind: 'contradiction' }, { cursor: null, limit: 200 });
  return items.filter((each) => each.subscriptionId === subscriptionId);
}

/** Reopens the attempt, as the service lists its refused authorization as pending (rule 36). */
async function reopen(given: Subscribed) {
  const finding = { at: COLLECT_BY + HOUR, realAt: REAL_NOW, found: {}, isCaptured: false };
  expect(await reopenAttempt(ledger.pool, attempt(given), finding, true)).toBe(true);
}

/** Records that the refused authorization of the cycle has succeeded after all. */
async function succeedLate(given: Subscribed) {
  const row = (await cycleOf(given))!.attempts[0]!;
  const known = { authorizationId: row.authorizationId!, createdAt: NOW + 1 };
  const outcome = { state: 'successful', captureId: `late-${given.subscriptionId}` as CaptureId, ...known } as const;
  return recordOutcome(ledger.pool, attempt(given), outcome, COLLECT_BY + 2 * HOUR, {
    type: 'attempt.successful',
    data: {},
  });
}

test('the draft of a payment link is judged by the ledger: the window, the amount, another link (rule 15)', async () => {
  const given = await createFailed(ledger.pool);
  const refused = async (changes: Partial<LinkDraft>) => {
    const drafted = await draft(linkDraft(given, changes));
    return drafted.kind === 'not_allowed' ? drafted.refusal.message : drafted.kind;
  };
  expect(await refused({ createdAt: COLLECT_BY - 1 })).toContain('window of cycle 0 is open');
  expect(await refused({ amount: euros(1998) })).toContain('is of 19.99 EUR');
  expect(await refused({ cycle: 1 })).toBe('cycle 1 has not fallen due yet');
  expect(await refused({})).toBe('inserted');
  expect(await refused({})).toContain('has an open link, a payment');
});

test('a payment link has the amount of its cycle and the payer of the subscription, and the two refer to each other', async () => {
  const given = await createFailed(ledger.pool);
  const { paymentId } = await createLink(ledger.pool, given);
  const payment = (await getPayment(ledger.pool, paymentId))!;
  expect(payment).toMatchObject({ plan: 'SINGLE', amount: euros(1999), status: 'pending_consent' });
  expect(payment.payer).toMatchObject({ name: 'Ada Example', email: 'ada@example.org', reference: 'customer-7' });
  expect(payment.link).toEqual({ subscriptionId: given.subscriptionId, cycle: 0 });
  expect((await cycleOf(given))!.paymentLink).toMatchObject({ paymentId, state: 'open', paidAt: null });
});

test('the draft of a payment link is refused once the payer was erased', async () => {
  const given = await createFailed(ledger.pool);
  await blankPayers(ledger.pool, [given.payerId], COLLECT_BY);
  expect(await draft(linkDraft(given))).toMatchObject({
    refusal: { code: 'state_conflict', message: 'the personal data of the payer was erased' },
  });
});

test('the draft of a payment link is possible for a missed cycle once its window has closed, and not while it is open', async () => {
  const given = await subscribe(ledger.pool);
  const question = { followed: [], revision: 0 };
  // The cycle is missed once a request could no longer arrive in time.
  await decideNext(ledger.pool, given.subscriptionId, { at: COLLECT_BY - 1, ...question });
  expect(await cycleOf(given)).toMatchObject({ status: 'missed' });
  expect(await draft(linkDraft(given, { createdAt: COLLECT_BY - 1 }))).toMatchObject({ kind: 'not_allowed' });
  const { paymentId } = await createLink(ledger.pool, given);
  await payLink(ledger.pool, { subscriptionId: null, paymentId, requestId: paymentId.slice(3) });
  expect(await standingOf(given)).toBe('good');
});

test('the draft of a payment link is refused while a refused attempt is followed again, and once it has collected the cycle', async () => {
  const given = await createFailed(ledger.pool);
  await reopen(given);
  expect(await draft(linkDraft(given))).toMatchObject({
    refusal: { message: 'it is not known yet whether cycle 0 has been debited' },
  });
  await succeedLate(given);
  expect(await draft(linkDraft(given))).toMatchObject({
    refusal: { message: 'only a failed or missed cycle can be paid by a link; cycle 0 is collected' },
  });
});

test('the draft of a payment link keeps the amount of the cycle, whatever later cycles collect', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'successful');
  await failCycle(ledger.pool, given, 1);
  const closed = windowOf(1).collectBy;
  const change = { actor: 'ops', reason: null, amount: euros(1500), fromCycle: 2, announceAhead: 0 };
  expect(
    await steer(ledger.pool, 'change_amount', given.subscriptionId, change, { at: closed, realAt: REAL_NOW }),
  ).toMatchObject({ kind: 'steered' });
  const about = { cycle: 1, createdAt: closed };
  expect(await draft(linkDraft(given, { ...about, amount: euros(1500) }))).toMatchObject({ kind: 'not_allowed' });
  expect(await draft(linkDraft(given, about))).toEqual({ kind: 'inserted' });
});

test('of two simultaneous drafts of a payment link for a cycle one is stored, also if both are from one repeated request', async () => {
  const given = await createFailed(ledger.pool);
  const both = await Promise.all([draft(linkDraft(given)), draft(linkDraft(given))]);
  expect(both.map(({ kind }) => kind).sort()).toEqual(['inserted', 'not_allowed']);
  const other = await createFailed(ledger.pool);
  const wanted = linkDraft(other);
  const twice = await Promise.all([draft(wanted), draft(wanted)]);
  expect(twice.map(({ kind }) => kind).sort()).toEqual(['exists', 'inserted']);
});

test('the draft of a payment link of a process that died counts as open for ten minutes of real time, and no longer', async () => {
  const given = await createFailed(ledger.pool);
  await draft(linkDraft(given));
  const later = (ms: number) => draft(linkDraft(given, { draftedRealAt: REAL_NOW + 10 * MINUTE + ms }));
  expect(await later(0)).toMatchObject({ kind: 'not_allowed' });
  expect(await later(1)).toEqual({ kind: 'inserted' });
});

test('the draft of a payment link is not opened if the cycle is collected before the service answers', async () => {
  const given = await createFailed(ledger.pool);
  const wanted = linkDraft(given);
  expect(await draft(wanted)).toEqual({ kind: 'inserted' });
  await reopen(given);
  expect(await openLink(ledger.pool, wanted)).toBe(false);
  await succeedLate(given);
  expect(await openLink(ledger.pool, wanted)).toBe(false);
  expect(await entriesOf(given, 'payment_link')).toEqual([]);
});

test('a payment link is in the audit log and the events of its subscription when it is created and when it is paid', async () => {
  const given = await createFailed(ledger.pool);
  const link = await createLink(ledger.pool, given);
  const captureId = await payLink(ledger.pool, link);
  const about = { cycle: 0, amount: euros(1999), linkPaymentId: link.paymentId };
  const expiresAt = toIso(REAL_NOW + 10 * MINUTE);
  expect(await entriesOf(given, 'payment_link')).toMatchObject([
    { type: 'payment_link.paid', actor: 'dueday', data: { ...about, captureId, isSecondDebit: false } },
    {
      type: 'payment_link.created',
      actor: 'till',
      data: { ...about, expiresAt, reason: 'Ada asked to pay now' },
      rule: { decision: 15 },
    },
  ]);
  const { rows } = await ledger.pool.query('select reason from payment_links where request_id = $1', [link.requestId]);
  expect(rows).toEqual([{ reason: null }]);
  const { rows: events } = await ledger.pool.query(
    `select type, data ->> 'text' as text from merchant_events where subscription_id = $1 and type like 'payment\\_link.%' order by number`,
    [given.subscriptionId],
  );
  expect(events).toEqual([
    {
      type: 'payment_link.created',
      text: expect.stringMatching(/^till created a link .* 19\.99 EUR of cycle 0, until/),
    },
    { type: 'payment_link.paid', text: expect.stringMatching(/^The payer has paid cycle 0 by link: 19\.99 EUR\./) },
  ]);
});

test('a payment link that is paid leaves the cycle failed, and the subscription no longer past due', async () => {
  const given = await createFailed(ledger.pool);
  expect(await standingOf(given)).toBe('past_due');
  const link = await createLink(ledger.pool, given);
  await authorizeLink(ledger.pool, link, COLLECT_BY + MINUTE);
  expect(await standingOf(given)).toBe('past_due');
  await recordBooking(ledger.pool, link, 'successful', COLLECT_BY + MINUTE);
  expect(await standingOf(given)).toBe('good');
  expect(await cycleOf(given)).toMatchObject({
    status: 'failed',
    collectedAt: null,
    paymentLink: { state: 'paid', paidAt: COLLECT_BY + MINUTE },
  });
  expect(await draft(linkDraft(given))).toMatchObject({ kind: 'not_allowed' });
  expect(await contradictionsOf(given)).toEqual([]);
});

test('a paid link of an earlier cycle leaves the subscription past due for a later cycle that is not paid', async () => {
  const given = await createFailed(ledger.pool);
  await failCycle(ledger.pool, given, 1);
  const later = windowOf(1).collectBy;
  await payLink(ledger.pool, await createLink(ledger.pool, given), later);
  expect(await standingOf(given)).toBe('past_due');
  await payLink(ledger.pool, await createLink(ledger.pool, given, { cycle: 1, createdAt: later }), later);
  expect(await standingOf(given)).toBe('good');
});

test.each([
  ['is declined', { consent: { status: 'failed', reason: 'declined' } }],
  ['expires', { consent: { status: 'failed', reason: 'timeout' } }],
] as const)('a payment link that %s is ended, and another one is possible', async (_how, patch) => {
  const given = await createFailed(ledger.pool);
  const link = await createLink(ledger.pool, given);
  await patchPayment(ledger.pool, link, patch);
  expect((await cycleOf(given))!.paymentLink).toMatchObject({ state: 'ended' });
  expect(await standingOf(given)).toBe('past_due');
  const { paymentId } = await createLink(ledger.pool, given, { createdAt: COLLECT_BY + HOUR });
  expect((await cycleOf(given))!.paymentLink).toMatchObject({ paymentId, state: 'open' });
});

test('a payment link that the bank does not book is ended', async () => {
  const given = await createFailed(ledger.pool);
  const link = await createLink(ledger.pool, given);
  await authorizeLink(ledger.pool, link, COLLECT_BY);
  await recordBooking(ledger.pool, link, 'failed', COLLECT_BY);
  expect((await cycleOf(given))!.paymentLink).toMatchObject({ state: 'ended' });
  expect(await standingOf(given)).toBe('past_due');
});

test('a refund of a payment link is shown at its cycle, and the link stays paid', async () => {
  const given = await createFailed(ledger.pool);
  const link = await createLink(ledger.pool, given);
  expect(await paidByLink(ledger.pool, given.subscriptionId, 0)).toBeNull();
  const captureId = await payLink(ledger.pool, link);
  expect(await paidByLink(ledger.pool, given.subscriptionId, 0)).toBe(link.paymentId);
  const order = {
    paymentId: link.paymentId,
    captureId,
    reason: 'a mistake',
    actor: 'till',
    eventDependentRefunds: false,
  };
  const refund = (cents: number, id: string) =>
    orderPaymentRefund(ledger.pool, {
      ...order,
      refundId: `ref_${id}${link.requestId}` as OrderId,
      amount: euros(cents),
      at: COLLECT_BY + DAY,
      realAt: REAL_NOW,
    });
  expect(await refund(2000, 'a')).toMatchObject({ kind: 'refused' });
  expect(await refund(1999, 'b')).toMatchObject({ kind: 'ordered' });
  expect((await cycleOf(given))!.refunds).toMatchObject([{ cycle: 0, paymentId: link.paymentId, amount: euros(1999) }]);
});

test('a payment link counts its cycle as recovered by link once, also one that was never tried', async () => {
  const given = await createFailed(ledger.pool);
  await payLink(ledger.pool, await createLink(ledger.pool, given));
  const period = { from: DUE, to: DUE + 1 };
  const { sums } = await sumRecoveries(ledger.pool, period, 'repetition');
  const byLink = sums.filter(({ fate }) => fate === 'recoveredByLink');
  const { rows } = await ledger.pool.query(
    `select count(*)::int as count from payment_links join cycles c using (subscription_id, cycle)
       where state = 'paid' and c.due_at = $1 and c.status <> 'collected'`,
    [new Date(DUE).toISOString()],
  );
  expect(byLink).toMatchObject([{ key: 'MONTHLY', count: rows[0]!.count }]);
  expect(rows[0]!.count).toBeGreaterThan(1);
});

/** Expects the result of two debits in either order: an item, and no automatic refund (rule 15). */
const expectBothDebits = async (given: Subscribed, paymentId: string) => {
  expect(await cycleOf(given)).toMatchObject({ status: 'collected', paymentLink: { state: 'paid' } });
  const items = await contradictionsOf(given);
  expect(items).toMatchObject([
    { cycle: 0, amount: euros(1999), linkDebit: { paymentId, amount: euros(1999), captureId: expect.any(String) } },
  ]);
  expect(items[0]!.service!.detail).toContain('debited twice. Recommended: refund capture');
  const { rows } = await ledger.pool.query('select from orders where payment_id = $1', [paymentId]);
  expect(rows).toEqual([]);
  expect(await paidByLink(ledger.pool, given.subscriptionId, 0)).toBeNull();
};

test('a cycle that is collected late and paid by link has a contradiction if the link is paid after the late success', async () => {
  const given = await createFailed(ledger.pool);
  const link = await createLink(ledger.pool, given);
  await reopen(given);
  await succeedLate(given);
  await payLink(ledger.pool, link, COLLECT_BY + 3 * HOUR);
  await expectBothDebits(given, link.paymentId);
  expect(await entriesOf(given, 'payment_link.paid')).toMatchObject([{ data: { isSecondDebit: true } }]);
});

test('a cycle that is collected late and paid by link has a contradiction if the late success follows the payment', async () => {
  const given = await createFailed(ledger.pool);
  const link = await createLink(ledger.pool, given);
  await payLink(ledger.pool, link);
  await reopen(given);
  expect(await contradictionsOf(given)).toEqual([]);
  await succeedLate(given);
  await expectBothDebits(given, link.paymentId);
});

test.each([1, 2, 3, 4, 5])('a cycle collected late and paid by link at once has a contradiction (%d)', async () => {
  const given = await createFailed(ledger.pool);
  const link = await createLink(ledger.pool, given);
  await authorizeLink(ledger.pool, link, COLLECT_BY);
  await reopen(given);
  await Promise.all([succeedLate(given), recordBooking(ledger.pool, link, 'successful', COLLECT_BY + HOUR)]);
  await expectBothDebits(given, link.paymentId);
});

test.each([true, false])(
  'a cycle collected late and paid by link has a contradiction if both results wait for the lock of the subscription (late success first: %s)',
  async (isLateFirst) => {
    const given = await createFailed(ledger.pool);
    const link = await createLink(ledger.pool, given);
    await authorizeLink(ledger.pool, link, COLLECT_BY);
    await reopen(given);
    const work = [() => succeedLate(given), () => recordBooking(ledger.pool, link, 'successful', COLLECT_BY + HOUR)];
    const other = await ledger.pool.connect();
    try {
      await other.query('begin');
      await other.query('select from subscriptions where subscription_id = $1 for update', [given.subscriptionId]);
      const [first, second] = isLateFirst ? work : work.toReversed();
      const one = first!();
      await waitForLock(ledger.pool, 1);
      const two = second!();
      await waitForLock(ledger.pool, 2);
      await other.query('commit');
      await Promise.all([one, two]);
    } finally {
      other.release();
    }
    await expectBothDebits(given, link.paymentId);
  },
);

test('a cycle that is collected late and paid by link has a contradiction if an operator resolves the late debit as collected', async () => {
  const given = await createFailed(ledger.pool);
  const link = await createLink(ledger.pool, given);
  await payLink(ledger.pool, link);
  await reopen(given);
  const resolution = {
    actor: 'ada',
    cycle: 0,
    evidence: 'the bank statement',
    authorizationId: null,
    captureId: null,
  };
  const moment = { at: COLLECT_BY + DAY, realAt: REAL_NOW };
  const resolve = { ...resolution, outcome: 'collected' } as const;
  expect(await steer(ledger.pool, 'resolve', given.subscriptionId, resolve, moment)).toMatchObject({
    kind: 'steered',
  });
  await expectBothDebits(given, link.paymentId);
});

const insert = (requestId: string, { subscriptionId }: Subscribed) =>
  ledger.pool.query('insert into payment_links (request_id, subscription_id, cycle) values ($1, $2, 0)', [
    requestId,
    subscriptionId,
  ]);
const dropped = (wanted: LinkDraft) =>
  ledger.pool.query('delete from payment_links where request_id = $1', [wanted.requestId]);

test('the ledger itself refuses a second link of a cycle while the first one is open', async () => {
  const [given, other] = [await createFailed(ledger.pool), await createFailed(ledger.pool)];
  await createLink(ledger.pool, given);
  const wanted = linkDraft(other);
  await draft(wanted);
  await dropped(wanted);
  await expect(insert(wanted.requestId, given)).rejects.toThrow('payment_links_one_per_cycle');
});

test('the ledger itself refuses a link of an open cycle, of another amount, and during an unknown outcome', async () => {
  const given = await createFailed(ledger.pool);
  const wanted = linkDraft(given);
  await draft(wanted);
  await dropped(wanted);
  const open = await subscribe(ledger.pool);
  await startDebit(ledger.pool, sendOf(open));
  await expect(insert(wanted.requestId, open)).rejects.toThrow('may still be collected, or was');
  await ledger.pool.query('update payments set amount = amount + 1 where request_id = $1', [wanted.requestId]);
  await expect(insert(wanted.requestId, given)).rejects.toThrow('of the amount of the cycle');
  await ledger.pool.query('update payments set amount = amount - 1 where request_id = $1', [wanted.requestId]);
  await reopen(given);
  await expect(insert(wanted.requestId, given)).rejects.toThrow('may still be collected, or was');
});

test.each(['paid', 'ended'])('the ledger itself refuses to reopen a link that is %s', async (state) => {
  const given = await createFailed(ledger.pool);
  const link = await createLink(ledger.pool, given);
  await (state === 'paid'
    ? payLink(ledger.pool, link)
    : patchPayment(ledger.pool, link, { consent: { status: 'failed', reason: 'declined' } }));
  await expect(
    ledger.pool.query(`update payment_links set state = 'open', paid_at = null where request_id = $1`, [
      link.requestId,
    ]),
  ).rejects.toThrow(`${state} to open is refused`);
});

test('the item about the late success of a cycle without a payment link recommends no refund of a link', async () => {
  const given = await createFailed(ledger.pool);
  await reopen(given);
  expect(await succeedLate(given)).toMatchObject({ kind: 'recorded' });
  expect((await contradictionsOf(given))[0]).toMatchObject({ linkDebit: { paymentId: null } });
});
