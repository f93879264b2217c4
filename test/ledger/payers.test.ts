import { randomUUID } from 'node:crypto';
import type { CaptureId } from '../../src/domain/ids';
import type { Metadata } from '../../src/domain/metadata';
import { HOUR, MINUTE } from '../../src/domain/time';
import {
  applyChange,
  beginIdempotent,
  chainAuditLog,
  changeMetadata,
  changePayer,
  erasePayer,
  type EraseResult,
  fanOut,
  finishIdempotent,
  getCycle,
  getSubscription,
  insertDraft,
  insertEndpoint,
  insertEvent,
  insertLinkDraft,
  insertPaymentDraft,
  lastEntryId,
  listEvents,
  listSubscriptions,
  orderRefund,
  type Outcome,
  placeEvents,
  readDraft,
  readPayer,
  recordOrderOutcome,
  recordOutcome,
  verifyAuditLog,
} from '../../src/ledger';
import {
  askConsent,
  authorizationId,
  draft,
  NOW,
  orderPaymentFailedNotice,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
  resolveAttempt,
  waitForLock,
} from './ledger-fixture';
import { failCycle, linkDraft, createLink } from './link-fixture';
import { startSend, orderOf, refundOutcomes } from './refund-fixture';
import {
  askedPayment,
  authorizedPayment,
  recordBooking,
  orderedRefund,
  patchPayment,
  paymentDraft,
  SINGLE,
} from './payment-fixture';

const ledger = useLedger();

const ADDRESSES = {
  billingAddress: { name: 'Erika Muster', street: 'Heimweg 5', postalCode: '80331', city: 'München', country: 'DE' },
  shippingAddress: { name: 'Erik Muster', street: 'Lieferweg 6', postalCode: '80332', city: 'München', country: 'DE' },
};

let references = 0;
/** The reference of a payer that no other test has. */
function someone(): string {
  references += 1;
  return `erase-${references}`;
}

function personal(reference: string) {
  return { ...ADDRESSES, payer: { email: 'erase.me@example.org', reference, language: 'de' as const } };
}

function erase(reference: string, changes: { reason?: string; realAt?: number } = {}): Promise<EraseResult> {
  const act = { actor: 'ada', reason: 'asked for by letter', at: NOW, realAt: REAL_NOW + HOUR };
  return erasePayer(ledger.pool, { reference, ...act, ...changes });
}

let changes = 0;
async function end({ subscriptionId }: Pick<Subscribed, 'subscriptionId'>): Promise<void> {
  changes += 1;
  const subscription = { status: 'cancelled' as const, nextDueAt: null };
  const change = { key: `end/${changes}`, at: NOW, actor: 'dueday', events: [], subscription };
  await applyChange(ledger.pool, { subscriptionId, ...change });
}

async function createEnded(reference: string): Promise<Subscribed> {
  const subscribed = await subscribe(ledger.pool, personal(reference));
  await end(subscribed);
  return subscribed;
}

const living = async (reference: string) => {
  const result = await erase(reference);
  if (result.kind !== 'living') throw new Error(`erased, or not: ${result.kind}`);
  return result.living.map(({ kind, state }) => `${kind} ${state}`);
};

const counted = { drafts: 0, keptAnswers: 0, events: 1 };

test('erasing a payer removes every address, name and search word, and leaves every row about money (rule 29)', async () => {
  const reference = someone();
  const given = await subscribe(ledger.pool, personal(reference));
  const { subscriptionId, payerId } = given;
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'successful');
  await end(given);
  const [before, cycle] = [
    await getSubscription(ledger.pool, subscriptionId),
    await getCycle(ledger.pool, subscriptionId, 0),
  ];

  expect(await erase(reference)).toEqual({ kind: 'erased', subscriptions: 1, payments: 0, ...counted, events: 2 });

  expect(await getCycle(ledger.pool, subscriptionId, 0)).toEqual(cycle);
  expect(await getSubscription(ledger.pool, subscriptionId)).toEqual({
    ...before,
    consent: { ...before?.consent, redirectURL: null },
    payer: { payerId, name: null, email: null, reference: null, language: null },
  });
  expect((await listSubscriptions(ledger.pool, { q: reference }, { limit: 5, cursor: null })).items).toEqual([]);
  const { rows } = await ledger.pool.query('select return_url from subscriptions where subscription_id = $1', [
    subscriptionId,
  ]);
  expect(rows).toEqual([{ return_url: null }]);
});

test('erasing a payer records no request to cancel for a subscription that ended without one', async () => {
  const reference = someone();
  const { subscriptionId } = await createEnded(reference);
  await erase(reference);
  const { rows } = await ledger.pool.query('select cancellation from subscriptions where subscription_id = $1', [
    subscriptionId,
  ]);
  expect(rows).toEqual([{ cancellation: null }]);
});

test('erasing a payer covers all subscriptions and payments of the payer, and none of another payer', async () => {
  const reference = someone();
  await createEnded(reference);
  await createEnded(reference);
  await askedPayment(ledger.pool, personal(reference)).then((payment) =>
    patchPayment(ledger.pool, payment, { consent: { status: 'failed', reason: 'declined' } }),
  );
  const other = await createEnded(`${reference} too`);
  expect(await erase(reference)).toMatchObject({ kind: 'erased', subscriptions: 2, payments: 1 });
  expect(await readPayer(ledger.pool, reference, REAL_NOW)).toBeNull();
  expect((await getSubscription(ledger.pool, other.subscriptionId))?.payer.name).toBe('Erika Muster');
});

test('erasing a payer while a payment link copies the data of the payer finds the copy', async () => {
  const reference = someone();
  const given = await subscribe(ledger.pool, personal(reference));
  await failCycle(ledger.pool, given, 0);
  await end(given);
  await ledger.pool.query(
    `update notices set state = 'undeliverable', next_try_real_at = null where subscription_id = $1`,
    [given.subscriptionId],
  );
  const blocker = await ledger.pool.connect();
  await blocker.query('begin; lock table payment_links in share mode');
  const drafting = insertLinkDraft(ledger.pool, linkDraft(given), 0);
  await waitForLock(ledger.pool);
  const erasing = erase(reference, { realAt: REAL_NOW + MINUTE });
  await waitForLock(ledger.pool, 2);
  await blocker.query('commit');
  blocker.release();
  expect(await drafting).toEqual({ kind: 'inserted' });
  expect(await erasing).toMatchObject({ kind: 'living', living: [{ kind: 'draft' }] });
});

test('correcting the reference of a payer also changes it for the payments by link that were created before', async () => {
  const [wrong, reference] = [someone(), someone()];
  const given = await subscribe(ledger.pool, personal(wrong));
  const { subscriptionId } = given;
  await failCycle(ledger.pool, given, 0);
  await createLink(ledger.pool, given);
  await changePayer(ledger.pool, { subscriptionId, patch: { reference }, actor: 'ada', at: NOW });
  const { rows } = await ledger.pool.query('select distinct reference from payers where reference = any ($1)', [
    [wrong, reference],
  ]);
  expect(rows).toEqual([{ reference }]);
});

test('erasing a payer writes an audit entry for each subscription and payment, and one for all of them', async () => {
  const reference = someone();
  const { subscriptionId } = await createEnded(reference);
  await erase(reference);
  const erased = await listEvents(ledger.pool, { type: 'payer.erased' }, { limit: 2, cursor: null });
  const data = { reason: 'asked for by letter' };
  expect(erased.items).toMatchObject([
    { subscriptionId: null, actor: 'ada', data: { ...data, subscriptions: 1, payments: 0, ...counted } },
    { subscriptionId, actor: 'ada', data },
  ]);
});

test('erasing a payer who is unknown or already erased returns unknown', async () => {
  const reference = someone();
  expect(await erase(reference)).toEqual({ kind: 'unknown' });
  await createEnded(reference);
  await erase(reference);
  expect(await erase(reference)).toEqual({ kind: 'unknown' });
});

test('erasing a payer is refused if the reason names the payer, because the reason is kept', async () => {
  const reference = someone();
  await createEnded(reference);
  for (const reason of ['MUSTER asked for it', `erase ${reference}`, 'of erase.me@example.org', 'heimweg 5'])
    expect(await erase(reference, { reason })).toEqual({ kind: 'reason_names_payer' });
  expect((await erase(reference, { reason: 'letter of a Musterfrau, § 17' })).kind).toBe('erased');
});

test('erasing a payer removes drafts that were given up, and is refused while there are younger drafts', async () => {
  const reference = someone();
  const [wanted, payment] = [draft(personal(reference)), paymentDraft(personal(reference))];
  await insertDraft(ledger.pool, wanted, REAL_NOW);
  await insertPaymentDraft(ledger.pool, payment, REAL_NOW);
  expect(await erase(reference, { realAt: REAL_NOW + 10 * MINUTE })).toMatchObject({
    kind: 'living',
    living: [{ kind: 'draft' }, { kind: 'draft' }],
  });
  expect(await readDraft(ledger.pool, wanted.subscriptionId)).not.toBeNull();
  const erased = { kind: 'erased', subscriptions: 0, payments: 0, drafts: 2 };
  expect(await erase(reference, { realAt: REAL_NOW + 10 * MINUTE + 1 })).toMatchObject(erased);
  expect(await readDraft(ledger.pool, wanted.subscriptionId)).toBeNull();
});

test('erasing a payer removes the answers kept for repeated requests, also those of requests in progress', async () => {
  const reference = someone();
  const { subscriptionId } = await createEnded(reference);
  const keep = async (methodPath: string, body: unknown) => {
    const run = { apiKeyId: 'key', key: randomUUID(), runId: randomUUID(), startedRealAt: REAL_NOW };
    await beginIdempotent(ledger.pool, { ...run, methodPath, fingerprint: Buffer.from('x') });
    if (body !== undefined) await finishIdempotent(ledger.pool, run, { status: 201, body, headers: {} });
    return run.key;
  };
  await keep('POST /v1/subscriptions', { subscriptionId, payer: { email: 'erase.me@example.org' } });
  await keep(`POST /v1/subscriptions/${subscriptionId}/pause`, undefined);
  const kept = [
    await keep('POST /v1/subscriptions', { subscriptionId: 'other' }),
    await keep('POST /v1/keys', 'a sealed answer'),
  ];
  expect(await erase(reference)).toMatchObject({ kind: 'erased', keptAnswers: 2 });
  const { rows } = await ledger.pool.query<{ key: string }>('select key from idempotency_keys');
  expect(rows.map(({ key }) => key).toSorted()).toEqual(kept.toSorted());
});

test('erasing a payer waits for a change of the payer at the same time, and finds what that wrote', async () => {
  const reference = someone();
  const { subscriptionId } = await createEnded(reference);
  const patch = { email: 'late@example.org' };
  await Promise.all([changePayer(ledger.pool, { subscriptionId, patch, actor: 'ada', at: NOW }), erase(reference)]);
  expect((await getSubscription(ledger.pool, subscriptionId))?.payer.email).toBeNull();
});

test('a payer is not erased while a subscription is in force', async () => {
  const reference = someone();
  const { subscriptionId } = await askConsent(ledger.pool, personal(reference));
  expect(await erase(reference)).toEqual({
    kind: 'living',
    living: [{ kind: 'subscription', subscriptionId, paymentId: null, state: 'pending_consent' }],
  });
  expect((await getSubscription(ledger.pool, subscriptionId))?.payer.reference).toBe(reference);
});

test('a payer is not erased while a one-time payment can still be captured', async () => {
  const reference = someone();
  const { paymentId } = await authorizedPayment(ledger.pool, personal(reference));
  expect(await erase(reference)).toEqual({
    kind: 'living',
    living: [{ kind: 'payment', subscriptionId: null, paymentId, state: 'authorized' }],
  });
});

test('a payer is not erased before a debit under way of a cancelled subscription is final', async () => {
  const reference = someone();
  const given = await subscribe(ledger.pool, personal(reference));
  const send = await startDebit(ledger.pool, sendOf(given));
  const pending = { state: 'pending', authorizationId: authorizationId(randomUUID()), createdAt: NOW + 1 } as const;
  const say = (outcome: Outcome) =>
    recordOutcome(ledger.pool, send, outcome, NOW + 1000, { type: `attempt.${outcome.state}`, data: {} });
  await say(pending);
  await end(given);
  expect(await living(reference)).toEqual(['attempt pending']);
  const refusal = { detail: 'AUTHORIZATION_REJECTION_FINAL', description: 'no' };
  await say({ ...pending, ...refusal, state: 'rejected' });
  expect((await erase(reference)).kind).toBe('erased');
});

test('a payer is not erased while a refund is ordered and not carried out', async () => {
  const reference = someone();
  const payment = await authorizedPayment(ledger.pool, { ...personal(reference), ...SINGLE });
  const captureId = await recordBooking(ledger.pool, payment, 'successful', NOW);
  await orderedRefund(ledger.pool, payment, captureId, 100);
  expect(await living(reference)).toEqual(['order refund']);
});

test('a payer is not erased while a notice is not delivered', async () => {
  const reference = someone();
  const { subscriptionId } = await createEnded(reference);
  const order = { subscriptionId, cycle: 0, attempt: 0, data: {}, createdAt: NOW };
  await orderPaymentFailedNotice(ledger.pool, order);
  expect(await living(reference)).toEqual(['notice payment.failed']);
  await ledger.pool.query(
    `update notices set state = 'undeliverable', next_try_real_at = null where subscription_id = $1`,
    [subscriptionId],
  );
  expect((await erase(reference)).kind).toBe('erased');
});

test('a payer is not erased while an attention item is open', async () => {
  const reference = someone();
  const given = await subscribe(ledger.pool, personal(reference));
  const { subscriptionId } = given;
  const subscription = { status: 'cancelled' as const, attention: ['debit_after_cancel:0'] };
  const change = { key: 'attention', at: NOW, actor: 'dueday', events: [], subscription };
  await applyChange(ledger.pool, { subscriptionId, ...change });
  expect(await living(reference)).toEqual(['attention debit_after_cancel']);
});

test('a payer is not erased while an event is on its way to an enabled endpoint; with a disabled endpoint, the event is removed', async () => {
  const reference = someone();
  const endpointId = `whe_${randomUUID().replaceAll('-', '')}`;
  const wanted = { endpointId, url: 'https://shop.example/', description: null, secret: 'whsec_x', enabled: true };
  await insertEndpoint(ledger.pool, { ...wanted, types: ['*'] }, { actor: 'ada', at: NOW });
  const { subscriptionId } = await createEnded(reference);
  expect(await living(reference)).toEqual(['event subscription.created']);
  while ((await placeEvents(ledger.pool)) > 0);
  expect(await living(reference)).toEqual(['event subscription.created']);
  while (await fanOut(ledger.pool));
  expect(await living(reference)).toEqual(['event subscription.created']);
  await ledger.pool.query(
    `update webhook_endpoints set enabled = false, disabled_reason = 'disabled_by_admin' where endpoint_id = $1`,
    [endpointId],
  );
  expect(await erase(reference)).toMatchObject({ kind: 'erased', events: 1 });
  const subject = `subscription/${subscriptionId}`;
  const left = `select subject from webhook_queues where subject = $1
                  union all select subject from webhook_deliveries where subject = $1`;
  expect((await ledger.pool.query(left, [subject])).rows).toEqual([]);
  await insertEvent(ledger.pool, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: {} });
  expect(await placeEvents(ledger.pool)).toBe(1);
});

const paused = (reason: string) => ({
  actor: 'ada',
  at: NOW,
  type: 'subscription.paused' as const,
  data: { reason },
});

test('texts about the payer are erased from the audit log whatever they say, and codes of dueday and texts about another payer stay', async () => {
  const [reference, other] = [someone(), someone()];
  const { subscriptionId } = await createEnded(reference);
  const another = await createEnded(other);
  await insertEvent(ledger.pool, { subscriptionId: another.subscriptionId, ...paused('the son of Muster') });
  await insertEvent(ledger.pool, { subscriptionId, ...paused('window_closed') });
  await insertEvent(ledger.pool, { subscriptionId, ...paused('the tall one from next door') });
  await erase(reference);
  const { items } = await listEvents(
    ledger.pool,
    { subscriptionId, type: 'subscription.paused' },
    { limit: 5, cursor: null },
  );
  expect(items.map(({ data }) => data['reason'])).toEqual(['[erased]', 'window_closed']);
  const kept = { subscriptionId: another.subscriptionId, type: 'subscription.paused' };
  const { items: others } = await listEvents(ledger.pool, kept, { limit: 5, cursor: null });
  expect(others.map(({ data }) => data['reason'])).toEqual(['the son of Muster']);
});

test('texts in audit entries without a subscription or payment are erased if they name the payer, even by a former e-mail', async () => {
  const reference = someone();
  const { subscriptionId } = await createEnded(reference);
  const patch = { email: 'second@example.org', reference };
  await changePayer(ledger.pool, { subscriptionId, patch, actor: 'ada', at: NOW });
  const said = ['call erase.me@example.org', 'Familie M u s t e r', 'nothing about anyone'];
  const before = await lastEntryId(ledger.pool);
  for (const reason of said)
    await insertEvent(ledger.pool, {
      ...{ subscriptionId: null, actor: 'ada', at: NOW, type: 'halt.started' as const },
      data: { reason },
    });
  await chainAuditLog(ledger.pool);
  await erase(reference);
  const { items } = await listEvents(ledger.pool, { type: 'halt.started' }, { limit: 5, cursor: null });
  expect(items.filter(({ id }) => id > before).map(({ data }) => data['reason'])).toEqual([
    'nothing about anyone',
    '[erased]',
    '[erased]',
  ]);
  expect((await verifyAuditLog(ledger.pool, null, () => undefined)).faults).toBe(0);
  const { rows } = await ledger.pool.query(
    'select former_terms from payers join subscriptions using (payer_id) where subscription_id = $1',
    [subscriptionId],
  );
  expect(rows).toEqual([{ former_terms: [] }]);
});

test('a text about the payer in a refusal is erased, and the state and the detail of the refusal stay', async () => {
  const reference = someone();
  const given = await subscribe(ledger.pool, personal(reference));
  const { subscriptionId } = given;
  const refused = {
    state: 'rejected' as const,
    detail: 'AUTHORIZATION_REJECTION_FINAL',
    description: 'E. M. has moved',
  };
  await recordOutcome(
    ledger.pool,
    await startDebit(ledger.pool, sendOf(given)),
    { ...refused, authorizationId: authorizationId(randomUUID()), createdAt: NOW + 1 },
    NOW + 1000,
    { type: 'attempt.rejected', data: {} },
  );
  await end(given);
  expect((await erase(reference)).kind).toBe('erased');
  const { rows } = await ledger.pool.query(
    'select state, detail, description from attempts where subscription_id = $1',
    [subscriptionId],
  );
  expect(rows).toEqual(
    [{ ...refused, description: '[erased]' }].map(({ state, detail, description }) => ({
      state,
      detail,
      description,
    })),
  );
});

test('texts about the payer in an answer that contradicts a final outcome are erased from the audit log', async () => {
  const reference = someone();
  const given = await subscribe(ledger.pool, personal(reference));
  const { subscriptionId } = given;
  const said = { detail: 'ACCOUNT_CLOSED', description: 'E. M. has moved' };
  const ref = await startDebit(ledger.pool, sendOf(given));
  await settle(ledger.pool, ref, 'not_sent');
  const refused = {
    state: 'rejected',
    ...said,
    authorizationId: authorizationId(randomUUID()),
    createdAt: NOW,
  } as const;
  await recordOutcome(ledger.pool, ref, refused, NOW + 1000, { type: 'attempt.rejected', data: {} });
  const retry = await startDebit(ledger.pool, sendOf(given, { at: NOW + 1, realAt: REAL_NOW + 1 }));
  await settle(ledger.pool, retry, 'successful');
  const order = await orderRefund(ledger.pool, orderOf(given, 100));
  if (order.kind !== 'ordered') throw new Error(order.kind);
  const refund = await startSend(ledger.pool, order.refund);
  await recordOrderOutcome(ledger.pool, refund, refundOutcomes().successful, NOW + 3000);
  await recordOrderOutcome(ledger.pool, refund, { state: 'failed', ...said }, NOW + 4000);
  await end(given);
  expect((await erase(reference)).kind).toBe('erased');
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 50, cursor: null });
  expect(items.filter(({ type }) => type.endsWith('.contradicted')).map(({ data }) => data)).toMatchObject([
    { found: { state: 'failed', detail: said.detail }, description: '[erased]' },
    { found: { state: 'rejected', detail: said.detail }, description: '[erased]' },
  ]);
  expect(JSON.stringify(items)).not.toContain(said.description);
});

test('a payer is not erased while a job with a call for the payer is running; afterwards the texts of the job, and metadata that names the payer, are erased', async () => {
  const reference = someone();
  const { subscriptionId } = await createEnded(reference);
  const metadata = { order: '4711', buyer: 'Muster, Erika' };
  await ledger.pool.query('update subscriptions set metadata = $2 where subscription_id = $1', [
    subscriptionId,
    metadata,
  ]);
  const [jobId, dryRunId] = [randomUUID(), randomUUID()];
  await ledger.pool.query(
    `insert into jobs (job_id, kind, work, actor, key_id, started_at, created_real_at, state)
       values ($1, 'bulk', $2, 'ada', 'k', now(), now(), 'running')`,
    [jobId, { action: 'pause', parameters: { reason: 'the tall one' }, filter: { q: 'x', metadata } }],
  );
  await ledger.pool.query(
    `insert into jobs (job_id, kind, work, actor, key_id, created_real_at)
       values ($1, 'bulk', $2, 'ada', 'k', now())`,
    [dryRunId, { action: 'pause', parameters: {}, filter: { metadata } }],
  );
  await ledger.pool.query(
    `insert into job_items (job_id, number, subscription_id, seen, state, problem, done_at)
       values ($1, 1, $2, '{}', 'refused', '{"code": "state_conflict", "detail": "the tall one"}', now())`,
    [jobId, subscriptionId],
  );
  expect(await living(reference)).toEqual(['job running']);
  await ledger.pool.query(`update jobs set state = 'finished', ended_real_at = now() where job_id = $1`, [jobId]);
  expect((await erase(reference)).kind).toBe('erased');
  const { rows } = await ledger.pool.query(
    `select work #>> '{parameters,reason}' as reason, work #> '{filter,metadata}' as searched, problem, metadata
       from jobs join job_items using (job_id) join subscriptions using (subscription_id) where job_id = $1`,
    [jobId],
  );
  const problem = { code: 'state_conflict', detail: '[erased]' };
  const erased = { order: '4711', buyer: '[erased]' };
  expect(rows).toEqual([{ reason: '[erased]', searched: erased, problem, metadata: erased }]);
  expect((await ledger.pool.query('select from jobs where job_id = $1', [dryRunId])).rowCount).toBe(0);
});

test('texts about the payer are erased with the salts of their digests, and the chain of the audit log remains valid', async () => {
  const reference = someone();
  const { subscriptionId } = await createEnded(reference);
  await insertEvent(ledger.pool, { subscriptionId, ...paused('as Mrs. Muster asked on the phone') });
  await chainAuditLog(ledger.pool);
  await erase(reference);
  await chainAuditLog(ledger.pool);
  const { faults, withoutWords } = await verifyAuditLog(ledger.pool, null, () => undefined);
  expect({ faults, isWithoutWords: withoutWords > 0 }).toEqual({ faults: 0, isWithoutWords: true });
});

test('texts about the payer are erased from evidence, reasons and notes', async () => {
  const reference = someone();
  const given = await subscribe(ledger.pool, personal(reference));
  const { subscriptionId, paymentId } = given;
  const send = sendOf(given);
  const ref = await startDebit(ledger.pool, send);
  await settle(ledger.pool, ref, 'unresolved');
  const resolution = { outcome: 'collected', evidence: 'statement of E. Muster', actor: 'ada' } as const;
  const ids = { authorizationId: authorizationId(randomUUID()), captureId: randomUUID() as CaptureId };
  const times = { at: NOW, realAt: REAL_NOW, nextDueAt: null };
  await resolveAttempt(ledger.pool, { ...send, ...resolution, ...ids, ...times });
  const refund = await orderRefund(ledger.pool, orderOf(given, 100, { reason: 'Erika sent it back' }));
  if (refund.kind !== 'ordered') throw new Error(refund.kind);
  await recordOrderOutcome(
    ledger.pool,
    await startSend(ledger.pool, refund.refund),
    refundOutcomes().failed,
    NOW + 3000,
  );
  await end(given);
  await ledger.pool.query(
    `insert into attention_items (item_id, source, kind, subscription_id, payment_id, since, note, closed_real_at, closed_by, close_reason)
       values ($1, 'difference', 'debit_unknown', $2, $3, now(), 'call Erika', now(), 'ada', 'Muster was told')`,
    [`att_${reference}`, subscriptionId, paymentId],
  );
  await ledger.pool.query(
    `update subscriptions set cancellation = '{"at": 1, "actor": "ada", "reason": "Erika wishes it"}'
       where subscription_id = $1`,
    [subscriptionId],
  );
  await ledger.pool.query('update attention_items set closed_real_at = now() where subscription_id = $1', [
    subscriptionId,
  ]);
  expect((await erase(reference)).kind).toBe('erased');
  const { rows } = await ledger.pool.query(
    `select i.note, i.close_reason, s.cancellation, a.evidence, a.description, o.reason
       from attention_items i join subscriptions s using (subscription_id) join attempts a using (subscription_id)
       join orders o using (subscription_id)
       where i.item_id = $1`,
    [`att_${reference}`],
  );
  const cancellation = { at: 1, actor: 'ada', reason: '[erased]' };
  expect(rows).toEqual([
    {
      note: '[erased]',
      close_reason: '[erased]',
      cancellation,
      evidence: '[erased]',
      description: '[erased]',
      reason: '[erased]',
    },
  ]);
});

test.each([
  ['another field of the audit log', `update events set data = data || '{"cycle": 7}'`],
  ['the number of fields', `update events set data = data || '{"reason": "[erased]", "more": 1}'`],
  ['an assignee', `update events set data = data || '{"assignee": "eve"}'`],
  ['the actor and a text at once', `update events set actor = 'eve', data = data || '{"reason": "[erased]"}'`],
  ['a text to anything but a mark', `update events set data = data || '{"reason": "nothing"}'`],
  ['what was ordered', `update orders set amount = 1, reason = '[erased]'`],
  ['what was sent', `update attempts set amount = 1, evidence = '[erased]'`],
  ['the outcome of what was sent', `update attempts set state = 'not_sent', evidence = '[erased]'`],
])('erasing texts about a payer cannot be used to change %s', async (_what, statement) => {
  await insertEvent(ledger.pool, { subscriptionId: null, ...paused('as asked') });
  await expect(ledger.pool.query(statement)).rejects.toThrow(/refused|does not change/);
});

test('replaced metadata that names the payer is also erased from the audit log, and the chain remains valid', async () => {
  const reference = someone();
  const { subscriptionId } = await subscribe(ledger.pool, personal(reference));
  const change = (metadata: Metadata) =>
    changeMetadata(ledger.pool, { subscriptionId, paymentId: null }, metadata, { actor: 'ada', at: NOW });
  await change({ order: '4711', buyer: 'Muster, Erika' });
  await change({ order: '4711' });
  await change({ order: '4712' });
  await end({ subscriptionId });
  await chainAuditLog(ledger.pool);
  expect((await erase(reference)).kind).toBe('erased');
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 50, cursor: null });
  expect(items.filter(({ type }) => type === 'metadata.changed').map(({ data }) => data)).toEqual([
    { keys: ['order'], was: { order: '4711' }, is: { order: '4712' } },
    { keys: ['buyer'], was: '[erased]', is: { order: '4711' } },
    { keys: ['buyer', 'order'], was: {}, is: '[erased]' },
  ]);
  expect((await verifyAuditLog(ledger.pool, null, () => undefined)).faults).toBe(0);
});
