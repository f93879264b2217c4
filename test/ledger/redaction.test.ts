import { randomUUID } from 'node:crypto';
import type { CaptureId } from '../../src/domain/ids';
import {
  actOnAttention,
  applyChange,
  chainAuditLog,
  insertEvent,
  listEvents,
  type NewEvent,
  orderRefund,
  placeEvents,
  readFeed,
  redactEntry,
  recordOrderOutcome,
  verifyAuditLog,
} from '../../src/ledger';
import {
  authorizationId,
  NOW,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
  resolveAttempt,
} from './ledger-fixture';
import { startSend, orderOf, refundOutcomes } from './refund-fixture';

const ledger = useLedger();

const NEW: NewEvent = {
  subscriptionId: null,
  at: NOW,
  actor: 'till',
  type: 'halt.started',
  data: { reason: 'see account DE02 1203' },
};

async function newest(filter: Parameters<typeof listEvents>[1] = {}) {
  const { items } = await listEvents(ledger.pool, filter, { limit: 1, cursor: null });
  return items[0]!;
}

async function write(changes: Partial<NewEvent> = {}): Promise<number> {
  await insertEvent(ledger.pool, { ...NEW, ...changes });
  return (await newest()).id;
}

const redact = (entryId: number) =>
  redactEntry(ledger.pool, { entryId, reason: 'an account number', actor: 'ada', at: NOW + 1 });

async function faults(): Promise<number> {
  await chainAuditLog(ledger.pool);
  return (await verifyAuditLog(ledger.pool, null, () => undefined)).faults;
}

test('a redaction removes every text of an entry and nothing else, and the chain remains valid', async () => {
  const data = { cycle: 3, reason: 'see account DE02 1203', note: 'of Erika', at: '2027-01-31T10:00:00.000Z' };
  const id = await write({ data });
  const before = await newest();
  expect(await faults()).toBe(0);
  expect(await redact(id)).toEqual({
    kind: 'redacted',
    entry: { ...before, data: { ...data, reason: '[redacted]', note: '[redacted]' } },
  });
  expect(await faults()).toBe(0);
  const { rows } = await ledger.pool.query(
    `select w.field, w.seal ? 'salt' as salted from audit_chain, jsonb_each(words) as w (field, seal) where entry_id = $1`,
    [id],
  );
  expect(rows).toEqual([
    { field: 'note', salted: false },
    { field: 'reason', salted: false },
  ]);
});

test('a redaction writes an audit entry with the same subject, which names the fields and contains no text', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const id = await write({ subscriptionId, data: { reason: 'Erika', note: null, evidence: 'seen' } });
  await redact(id);
  expect(await newest({ subscriptionId })).toMatchObject({
    type: 'audit.redacted',
    actor: 'ada',
    at: NOW + 1,
    data: { entry: id, fields: ['evidence', 'reason'], reason: 'an account number' },
  });
});

test("a redaction's own entry can be redacted", async () => {
  await redact(await write());
  const { id } = await newest();
  await redact(id);
  expect(await faults()).toBe(0);
  expect((await listEvents(ledger.pool, {}, { limit: 2, cursor: null })).items[1]).toMatchObject({
    id,
    data: { reason: '[redacted]' },
  });
});

test('a redaction of an entry without texts, or whose texts were redacted before, reports that and writes nothing', async () => {
  const bare = await write({ data: { cycle: 3, reason: null } });
  expect(await redact(bare)).toEqual({ kind: 'no_words' });
  expect((await newest()).id).toBe(bare);
  const once = await write();
  await redact(once);
  const { id } = await newest();
  expect(await redact(once)).toEqual({ kind: 'no_words' });
  expect((await newest()).id).toBe(id);
  expect(await redact(id + 1_000)).toEqual({ kind: 'unknown' });
});

test('a redaction before the entry is in the chain also leaves the chain valid', async () => {
  const id = await write();
  await redact(id);
  expect(await faults()).toBe(0);
});

const WORDS = 'see account DE02 1203';

test('texts removed from an audit entry are removed from the merchant events of the entry, and from its notices', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const pause = {
    at: NOW,
    actor: 'till',
    type: 'subscription.paused' as const,
    data: { reason: WORDS, until: null },
  };
  await applyChange(ledger.pool, {
    subscriptionId,
    key: randomUUID(),
    at: NOW,
    actor: 'till',
    events: [pause],
    notices: [{ type: 'subscription.paused', cycle: null, attempt: null, data: pause.data }],
  });
  await placeEvents(ledger.pool);
  await redact((await newest({ subscriptionId, type: 'subscription.paused' })).id);
  const feed = await readFeed(ledger.pool, { subscriptionId }, { after: null, limit: 10 });
  if (feed.kind !== 'read') throw new Error(feed.kind);
  expect(feed.events.find(({ type }) => type === 'subscription.paused')?.data).toMatchObject({
    reason: '[redacted]',
    text: '[redacted]',
    until: null,
  });
  expect(feed.events.find(({ type }) => type === 'subscription.created')?.data['text']).not.toBe('[redacted]');
  const { rows } = await ledger.pool.query('select data from notices where subscription_id = $1', [subscriptionId]);
  expect(rows).toEqual([{ data: { reason: '[redacted]', until: null } }]);
});

async function createResolved(): Promise<Subscribed> {
  const given = await subscribe(ledger.pool);
  const send = sendOf(given);
  await settle(ledger.pool, await startDebit(ledger.pool, send), 'unresolved');
  const ids = { authorizationId: authorizationId(randomUUID()), captureId: randomUUID() as CaptureId };
  const times = { at: NOW, realAt: REAL_NOW, nextDueAt: null };
  const word = { outcome: 'collected', evidence: WORDS, actor: 'ada' } as const;
  await resolveAttempt(ledger.pool, { ...send, ...word, ...ids, ...times });
  return given;
}

test('texts removed from an audit entry are removed from the evidence of a resolved attempt', async () => {
  const { subscriptionId } = await createResolved();
  await redact((await newest({ subscriptionId, type: 'cycle.resolved' })).id);
  const { rows } = await ledger.pool.query(
    'select state, evidence, description from attempts where subscription_id = $1',
    [subscriptionId],
  );
  expect(rows).toEqual([{ state: 'successful', evidence: '[redacted]', description: '[redacted]' }]);
});

test('texts removed from an audit entry are removed from the order of a refund', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'successful');
  const refund = await orderRefund(ledger.pool, orderOf(given, 100, { reason: WORDS }));
  if (refund.kind !== 'ordered') throw new Error(refund.kind);
  await recordOrderOutcome(
    ledger.pool,
    await startSend(ledger.pool, refund.refund),
    refundOutcomes().failed,
    NOW + 3000,
  );
  await redact((await newest({ subscriptionId: given.subscriptionId, type: 'refund.requested' })).id);
  const { rows } = await ledger.pool.query('select amount, reason from orders where subscription_id = $1', [
    given.subscriptionId,
  ]);
  expect(rows).toEqual([{ amount: 100, reason: '[redacted]' }]);
});

test('texts removed from an audit entry are removed from the note of an attention item, and other notes stay', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const open = (itemId: string, note: string | null) =>
    ledger.pool.query(
      `insert into attention_items (item_id, source, kind, subscription_id, since, note)
         values ($1, 'difference', 'debit_unknown', $2, now(), $3)`,
      [itemId, subscriptionId, note],
    );
  const [noted, other] = [`att_${randomUUID()}`, `att_${randomUUID()}`];
  await open(noted, null);
  await open(other, 'call back');
  await actOnAttention(ledger.pool, noted, { kind: 'note', note: WORDS }, { actor: 'ada', at: NOW });
  await redact((await newest({ type: 'attention.noted' })).id);
  const { rows } = await ledger.pool.query(
    'select item_id as item, note from attention_items where subscription_id = $1',
    [subscriptionId],
  );
  expect(Object.fromEntries(rows.map(({ item, note }: { item: string; note: string }) => [item, note]))).toEqual({
    [noted]: '[redacted]',
    [other]: 'call back',
  });
});

test('texts removed from an audit entry are kept in records of another subscription', async () => {
  const [one, other] = [await createResolved(), await createResolved()];
  await redact((await newest({ subscriptionId: one.subscriptionId, type: 'cycle.resolved' })).id);
  const { rows } = await ledger.pool.query('select evidence from attempts where subscription_id = $1', [
    other.subscriptionId,
  ]);
  expect(rows).toEqual([{ evidence: WORDS }]);
});

test.each([
  ['add another field to the audit log', `update events set data = data || '{"cycle": 7}'`],
  ['change the actor and a text at once', `update events set actor = 'eve', data = data || '{"reason": "[redacted]"}'`],
  ['replace a text with a number', `update events set data = data || '{"reason": 7}'`],
  ['remove the field of a text', `update events set data = data - 'reason'`],
])('a redaction cannot be used to %s', async (_what, statement) => {
  await write();
  await expect(ledger.pool.query(statement)).rejects.toThrow('update on events is refused');
});

test('a redaction of a change of metadata removes its old and new pairs', async () => {
  const data = { keys: ['buyer'], was: {}, is: { buyer: 'Erika' } };
  const entryId = await write({ type: 'metadata.changed', data });
  expect(await faults()).toBe(0);
  expect(await redact(entryId)).toMatchObject({
    kind: 'redacted',
    entry: { data: { keys: ['buyer'], was: '[redacted]', is: '[redacted]' } },
  });
  expect(await faults()).toBe(0);
});
