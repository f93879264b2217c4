import { randomUUID } from 'node:crypto';
import { DAY, HOUR } from '../../src/domain/time';
import { type ChainFault, WORD_FIELDS } from '../../src/domain/audit/chain';
import type { SubscriptionId } from '../../src/domain/ids';
import {
  chainAuditLog,
  inTransaction,
  insertEvent,
  isHeadDue,
  listEvents,
  type NewEvent,
  placeEvents,
  publishHead,
  readChainWork,
  readFeed,
  verifyAuditLog,
} from '../../src/ledger';
import { ENTRY_COLUMNS } from '../../src/ledger/audit/chain';
import { NOW, useLedger, waitForLock } from './ledger-fixture';

const ledger = useLedger();

/** Executes statements without the guards, as only the owner of the database could. */
async function forge(...statements: string[]): Promise<void> {
  await ledger.pool.query(`begin; set local session_replication_role = replica; ${statements.join('; ')}; commit`);
}

/** Each test starts with an empty audit log. */
beforeEach(() =>
  forge(
    'delete from events',
    'delete from audit_chain',
    `update audit_head set position = 0, hash = decode(repeat('00', 32), 'hex'), settled = 0, published_at = null`,
  ),
);

const NEW: NewEvent = {
  subscriptionId: null,
  at: NOW,
  actor: 'ada',
  type: 'halt.started',
  data: { reason: 'a drill' },
};

async function write(changes: Partial<NewEvent> = {}): Promise<number> {
  await insertEvent(ledger.pool, { ...NEW, ...changes });
  return (await listEvents(ledger.pool, {}, { limit: 1, cursor: null })).items[0]!.id;
}

async function written(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let nth = 0; nth < count; nth += 1) ids.push(await write({ data: { reason: `drill ${nth}` } }));
  await chainAuditLog(ledger.pool);
  return ids;
}

async function verify(published: string | null = null) {
  const found: ChainFault[] = [];
  const verdict = await verifyAuditLog(ledger.pool, published, (fault) => void found.push(fault));
  return { ...verdict, found };
}

async function chainedIds(): Promise<number[]> {
  const { rows } = await ledger.pool.query<{ id: number }>('select entry_id as id from audit_chain order by position');
  return rows.map(({ id }) => id);
}

async function settled(): Promise<number> {
  const { rows } = await ledger.pool.query<{ settled: number }>('select settled from audit_head');
  return rows[0]!.settled;
}

test('chaining gives each entry one link, in the order of ids', async () => {
  const ids = await written(3);
  await chainAuditLog(ledger.pool);
  expect(await chainedIds()).toEqual(ids);
  expect(await verify()).toMatchObject({ entries: 3, faults: 0, unchained: 0, withoutWords: 0 });
  expect((await readChainWork(ledger.pool)).isBehind).toBe(false);
});

test('chaining continues after the last link, and moves the head', async () => {
  await written(2);
  const before = (await verify()).head;
  await written(1);
  const { head, entries } = await verify();
  expect({ entries, isMoved: head !== before }).toEqual({ entries: 3, isMoved: true });
});

test('chaining takes five hundred entries at once, and returns whether there may be more', async () => {
  await ledger.pool.query(
    `insert into events (at, actor, type) select now(), 'ada', 'halt.started' from generate_series(1, 501)`,
  );
  const { rows } = await ledger.pool.query<{ id: number }>('select id from events order by id');
  expect(await chainAuditLog(ledger.pool)).toBe(true);
  expect(await verify()).toMatchObject({ entries: 500, unchained: 1, faults: 0 });
  // Earlier entries are not scanned again.
  expect(await settled()).toBe(rows[499]!.id);
  expect(await chainAuditLog(ledger.pool)).toBe(false);
  expect(await verify()).toMatchObject({ entries: 501, unchained: 0, faults: 0 });
});

test('chaining never skips an entry whose transaction ends late', async () => {
  const client = await ledger.pool.connect();
  await client.query('begin');
  await insertEvent(client, NEW);
  const later = await write();
  await chainAuditLog(ledger.pool);
  expect(await chainedIds()).toEqual([later]);
  expect(await settled()).toBe(0);
  await client.query('commit');
  client.release();
  await chainAuditLog(ledger.pool);
  expect(await chainedIds()).toEqual([later, later - 1]);
  expect(await settled()).toBe(later);
  expect(await verify()).toMatchObject({ entries: 2, faults: 0, unchained: 0 });
});

test('chaining does not wait for an entry that was rolled back', async () => {
  const client = await ledger.pool.connect();
  await client.query('begin');
  await insertEvent(client, NEW);
  const later = await write();
  await client.query('rollback');
  client.release();
  await chainAuditLog(ledger.pool);
  expect([await chainedIds(), await settled()]).toEqual([[later], later]);
});

test('of two processes only one chains at a time', async () => {
  const id = await write();
  const client = await ledger.pool.connect();
  await client.query('begin; select from audit_head for update');
  expect(await chainAuditLog(ledger.pool)).toBe(false);
  expect(await chainedIds()).toEqual([]);
  await client.query('commit');
  client.release();
  await chainAuditLog(ledger.pool);
  expect(await chainedIds()).toEqual([id]);
});

test('the hash covers every column of an entry', async () => {
  const { rows } = await ledger.pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'events' order by ordinal_position`,
  );
  expect([...ENTRY_COLUMNS].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test('only fields whose text an erasure may remove enter the hash as separate digests', async () => {
  const { rows } = await ledger.pool.query<{ source: string }>(
    `select pg_get_functiondef('holds_words'::regproc) as source`,
  );
  const named = [...rows[0]!.source.matchAll(/'([a-z]+)'::text/g)].map(([, name]) => name);
  expect(named.filter((name) => name !== 'string').toSorted()).toEqual([...WORD_FIELDS].toSorted());
});

test.each([
  [
    `update events set actor = 'eve' where id = $id`,
    'its content or its position in the chain was changed (position 2)',
  ],
  [
    `update events set recorded_at = recorded_at + interval '1 ms' where id = $id`,
    'its content or its position in the chain was changed (position 2)',
  ],
  [
    `update events set data = data || '{"more": 1}' where id = $id`,
    'its content or its position in the chain was changed (position 2)',
  ],
  [`update events set data = '{"reason": "war"}' where id = $id`, 'its reason was changed (position 2)'],
  [`update events set data = '{"reason": "[erased]"}' where id = $id`, 'its reason was changed (position 2)'],
  ['delete from events where id = $id', 'it is missing from the audit log (position 2)'],
])('verifying the audit log finds the change "%s"', async (statement, text) => {
  const [, id] = await written(3);
  await forge(statement.replaceAll('$id', String(id)));
  expect(await verify()).toMatchObject({ entries: 3, faults: 1, found: [{ entryId: id, text }] });
});

test('verifying finds two entries that were swapped', async () => {
  const [first, second] = await written(2);
  await forge(
    `update events set id = -1 where id = ${first}`,
    `update events set id = ${first} where id = ${second}`,
    `update events set id = ${second} where id = -1`,
  );
  // If both were written in one millisecond, they differ only in their texts, so that each has one fault or two.
  expect([...new Set((await verify()).found.map(({ entryId }) => entryId))]).toEqual([first, second]);
});

test('verifying finds a removed link and its entry, and counts only the links that it checked', async () => {
  const [, id] = await written(3);
  await forge(`delete from audit_chain where position = 2`);
  expect(await verify()).toMatchObject({
    entries: 2,
    found: [
      { entryId: null, text: 'position 2 is missing from the chain' },
      { entryId: id, text: 'it is not in the chain' },
    ],
  });
});

test('verifying finds by the stored head that the end of the audit log was cut off', async () => {
  const [, , last] = await written(3);
  const { head } = await verify();
  await forge(`delete from events where id = ${last}`, 'delete from audit_chain where position = 3');
  expect((await verify()).found).toEqual([{ entryId: null, text: `the head ${head} is not in the chain` }]);
});

test('verifying finds by the published head that the audit log was chained again', async () => {
  const [first] = await written(3);
  const { head } = await verify();
  await forge(
    `update events set actor = 'eve' where id = ${first}`,
    'delete from audit_chain',
    `update audit_head set position = 0, hash = decode(repeat('00', 32), 'hex'), settled = 0`,
  );
  await chainAuditLog(ledger.pool);
  expect((await verify()).found).toEqual([]);
  expect((await verify(head)).found).toEqual([{ entryId: null, text: `the head ${head} is not in the chain` }]);
});

test('verifying finds nothing if links follow the published head', async () => {
  await written(2);
  const { head } = await verify();
  await written(2);
  expect(await verify(head)).toMatchObject({ entries: 4, faults: 0 });
});

test('verifying finds nothing in an empty audit log', async () => {
  expect(await verify()).toMatchObject({ entries: 0, faults: 0, head: '0'.repeat(64) });
});

const ERASE = `update events set data = data || '{"reason": "[erased]"}' where id = $1`;

test('removed texts lose their salts, and the chain remains valid', async () => {
  const [id] = await written(2);
  await ledger.pool.query(ERASE, [id]);
  expect(await verify()).toMatchObject({ entries: 2, faults: 0, withoutWords: 1 });
  const { rows } = await ledger.pool.query('select words from audit_chain where entry_id = $1', [id]);
  expect(rows).toEqual([{ words: { reason: { digest: expect.stringMatching(/^[0-9a-f]{64}$/) } } }]);
});

test('texts removed before their entry has a link are chained as removed', async () => {
  const id = await write();
  await ledger.pool.query(ERASE, [id]);
  await chainAuditLog(ledger.pool);
  expect(await verify()).toMatchObject({ entries: 1, faults: 0 });
});

test('the other texts of an entry with removed ones are still compared', async () => {
  const id = await write({ data: { reason: 'as Erika asked', note: 'call back' } });
  await chainAuditLog(ledger.pool);
  await ledger.pool.query(ERASE, [id]);
  expect((await verify()).faults).toBe(0);
  await forge(`update events set data = data || '{"note": "never mind"}' where id = ${id}`);
  expect((await verify()).found).toEqual([{ entryId: id, text: 'its note was changed (position 1)' }]);
});

test('removal of texts waits while their entry is being chained', async () => {
  const id = await write();
  const chaining = await ledger.pool.connect();
  await chaining.query('begin; select from audit_head for update');
  const erasing = ledger.pool.query(ERASE, [id]);
  await waitForLock(ledger.pool);
  await chaining.query(
    `insert into audit_chain (position, entry_id, words, hash)
       values (1, $1, '{"reason": {"salt": "s", "digest": "d"}}', sha256('x'))`,
    [id],
  );
  await chaining.query('commit');
  chaining.release();
  await erasing;
  const { rows } = await ledger.pool.query('select words from audit_chain');
  expect(rows).toEqual([{ words: { reason: { digest: 'd' } } }]);
});

test.each([
  ['delete from audit_chain', 'delete on audit_chain is refused'],
  ['truncate audit_chain', 'truncate on audit_chain is refused'],
  [`update audit_chain set hash = sha256('x')`, 'update on audit_chain is refused'],
  [`update audit_chain set words = '{"reason": {"digest": "other"}}'`, 'update on audit_chain is refused'],
  [`update audit_chain set words = '{}'`, 'update on audit_chain is refused'],
])('of a link only the salts of removed texts can be removed: %s is refused', async (statement, message) => {
  await written(1);
  await expect(ledger.pool.query(statement)).rejects.toThrow(message);
});

const THREE = Date.UTC(2027, 1, 1, 3);

test('the head of the audit log is published once a day of business time, when the daily work is due, as an entry and an event', async () => {
  await written(2);
  expect(await publishHead(ledger.pool, NOW)).toBeNull();
  expect(await publishHead(ledger.pool, THREE - 1)).toBeNull();
  const { head } = await verify();
  expect(await publishHead(ledger.pool, THREE)).toEqual({ position: 2, hash: head });
  expect(await publishHead(ledger.pool, THREE + DAY - 1)).toBeNull();

  const { items } = await listEvents(ledger.pool, { type: 'audit.head' }, { limit: 5, cursor: null });
  expect(items).toMatchObject([{ subscriptionId: null, actor: 'dueday', at: THREE, data: { entries: 2, head } }]);
  await placeEvents(ledger.pool);
  const feed = await readFeed(ledger.pool, { types: ['audit.head'] }, { after: null, limit: 5 });
  expect(feed).toMatchObject({ kind: 'read', events: [{ sequence: null, data: { entries: 2, head } }] });

  await chainAuditLog(ledger.pool);
  expect(await verify(head)).toMatchObject({ entries: 3, faults: 0 });
  expect(await publishHead(ledger.pool, THREE + DAY)).toMatchObject({ position: 3 });
});

test('the head of an empty audit log is not published', async () => {
  await publishHead(ledger.pool, NOW);
  expect(await publishHead(ledger.pool, THREE)).toBeNull();
});

test('publishing the head of the audit log is due from three in the morning on', () => {
  expect(isHeadDue({ publishedAt: null }, NOW)).toBe(true);
  expect(isHeadDue({ publishedAt: THREE - HOUR }, THREE - 1)).toBe(false);
  expect(isHeadDue({ publishedAt: THREE - HOUR }, THREE)).toBe(true);
  expect(isHeadDue({ publishedAt: THREE }, THREE + DAY - 1)).toBe(false);
});

test('a change that is rolled back leaves no link', async () => {
  const subscriptionId = `sub_${randomUUID()}` as SubscriptionId;
  const failing = inTransaction(ledger.pool, async (db) => {
    await insertEvent(db, { ...NEW, subscriptionId });
    throw new Error('not now');
  });
  await expect(failing).rejects.toThrow('not now');
  const id = await write();
  await chainAuditLog(ledger.pool);
  expect(await chainedIds()).toEqual([id]);
});
