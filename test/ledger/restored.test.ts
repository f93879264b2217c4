import { randomUUID } from 'node:crypto';
import { DAY, MINUTE, SECOND } from '../../src/domain/time';
import {
  acceptMoved,
  acceptRestored,
  beginOrderSend,
  beginReconciliation,
  beginSend,
  createPool,
  endReconciliation,
  feedEnd,
  haltSending,
  liftHalt,
  listEvents,
  noticeRestore,
  placeEvents,
  readFeed,
  readHalt,
  recordCompared,
} from '../../src/ledger';
import { notCompared } from '../../src/domain/reconciliation/subscription';
import { asProgram } from '../support/program-role';
import { NOW, REAL_NOW, sendOf, subscribe, useLedger } from './ledger-fixture';
import { beginning, createCollected, placeRefund } from './refund-fixture';

const ledger = useLedger();
const MOMENT = { at: NOW, realAt: REAL_NOW };
const EVER = { from: 0, to: NOW + 1000 * DAY };

const run = (text: string, values: unknown[] = []) => ledger.pool.query(text, values);

/** Makes the ledger appear restored, as if it had been accepted in another database. */
const moveElsewhere = () => run(`update restore_guard set identity = 'elsewhere', noticed_identity = null`);

beforeEach(async () => {
  await run(
    `update restore_guard set identity = ledger_identity(), noticed_identity = null, noticed_at = null,
       noticed_real_at = null, reason = null`,
  );
  await run(`begin; set local session_replication_role = replica; delete from attention_items;
    delete from reconciliation_runs; delete from reconciliation_differences; commit`);
  await liftHalt(ledger.pool, { actor: 'bob', at: NOW, reason: null });
});

async function entries(type: string) {
  return (await listEvents(ledger.pool, { type }, { limit: 100, cursor: null })).items;
}

async function openItems(): Promise<unknown[]> {
  const { rows } = await ledger.pool.query<{ source: string; kind: string }>(
    'select source, kind from attention_items where closed_real_at is null',
  );
  return rows;
}

/** Records a comparison, by default a complete one without differences. */
async function recordComparison(
  changes: { period?: typeof EVER; realAt?: number; differences?: number; ends?: boolean } = {},
) {
  const { period = EVER, realAt = REAL_NOW, differences = 0, ends = true } = changes;
  const runId = randomUUID();
  await beginReconciliation(ledger.pool, { runId, period, actor: 'bob', at: NOW, realAt });
  const { subscriptionId, paymentId } = await subscribe(ledger.pool);
  const found = differences === 0 ? [] : [notCompared('HTTP 500')];
  await recordCompared(ledger.pool, runId, { subscriptionId, paymentId }, found, null);
  if (ends) await endReconciliation(ledger.pool, runId, null, REAL_NOW);
  return { subscriptionId, paymentId };
}

const accept = () => acceptRestored(ledger.pool, { actor: 'bob', at: NOW + MINUTE });

test('the identity of a ledger names its cluster, timeline, database and guard table, and the program can read it', async () => {
  const program = createPool({ databaseUrl: asProgram(ledger.url), max: 1 });
  const { rows } = await program.query<{ identity: string }>('select ledger_identity() as identity');
  await program.end();
  const { rows: parts } = await run(
    `select (pg_control_system()).system_identifier::text as cluster, (pg_control_checkpoint()).timeline_id as timeline,
       (select oid::text from pg_database where datname = current_database()) as database,
       (select oid::text from pg_class where relname = 'restore_guard' and relkind = 'r') as number`,
  );
  const [{ cluster, timeline, database, number }] = parts as [
    { cluster: string; timeline: number; database: string; number: string },
  ];
  expect(rows).toEqual([{ identity: `${cluster}/${String(timeline).padStart(8, '0')}/${database}/${number}` }]);
});

test('a new ledger does not count as restored', async () => {
  expect(await noticeRestore(ledger.pool, MOMENT)).toBeNull();
  expect(await readHalt(ledger.pool)).toBeNull();
  expect(await accept()).toEqual({ kind: 'none_pending' });
});

test('nothing is sent from a ledger that was moved to another database, whether or not that was noticed (rule 45)', async () => {
  const given = await subscribe(ledger.pool);
  const { refundId } = await placeRefund(ledger.pool, await createCollected(ledger.pool), 500);
  await moveElsewhere();
  for (const notice of [async () => null, () => noticeRestore(ledger.pool, MOMENT)]) {
    await notice();
    expect(await readHalt(ledger.pool)).toMatchObject({ by: 'dueday' });
    expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'halted' });
    expect(await beginOrderSend(ledger.pool, beginning(refundId))).toEqual({ kind: 'halted' });
  }
});

test('a ledger in another database is noticed once, with an audit entry and an attention item that say what was seen', async () => {
  await moveElsewhere();
  const before = (await entries('halt.started')).length;
  const [reason, ...others] = await Promise.all([1, 2, 3].map(() => noticeRestore(ledger.pool, MOMENT)));
  const told = [reason, ...others].filter((each) => each !== null);
  expect(told).toEqual([
    expect.stringMatching(/^the ledger's database is \d+\/[\dA-F]{8}\/\d+\/\d+, but was elsewhere/),
  ]);
  expect(await readHalt(ledger.pool)).toEqual({ since: NOW, by: 'dueday', reason: told[0] });
  const after = await entries('halt.started');
  expect(after).toHaveLength(before + 1);
  expect(after[0]).toMatchObject({ actor: 'dueday', at: NOW, data: { reason: told[0] } });
  expect(await openItems()).toEqual([{ source: 'halt', kind: 'sending_halted' }]);
});

test('a ledger in another database is noticed again if it is restored once more', async () => {
  await moveElsewhere();
  await noticeRestore(ledger.pool, MOMENT);
  await run(`update restore_guard set noticed_identity = 'a second one'`);
  expect(await accept()).toMatchObject({ kind: 'still_halted', why: expect.stringContaining('once more') as string });
  expect(await noticeRestore(ledger.pool, { at: NOW + 1, realAt: REAL_NOW + 1 })).not.toBeNull();
  expect(await readHalt(ledger.pool)).toMatchObject({ since: NOW + 1 });
});

test('a cursor of the event feed from before a restore has expired, even after other events have been given its position', async () => {
  await placeEvents(ledger.pool);
  const before = await feedEnd(ledger.pool);
  await moveElsewhere();
  await noticeRestore(ledger.pool, MOMENT);
  await subscribe(ledger.pool);
  await placeEvents(ledger.pool);
  expect(await readFeed(ledger.pool, {}, { after: before, limit: 1 })).toEqual({ kind: 'expired' });
  const since = await feedEnd(ledger.pool);
  expect(await noticeRestore(ledger.pool, MOMENT)).toBeNull();
  const read = await readFeed(ledger.pool, {}, { after: since, limit: 1 });
  expect(read).toMatchObject({ kind: 'read', events: [], cursor: since });
});

test('a missing row of the restore guard halts sending', async () => {
  const client = await ledger.pool.connect();
  await client.query('begin');
  await client.query('delete from restore_guard');
  expect(await readHalt(client)).toMatchObject({ by: 'dueday', reason: 'the ledger was restored' });
  await client.query('rollback');
  client.release();
});

test('a sign of a restore other than another database also halts sending, and is noticed once (rule 45)', async () => {
  expect(await noticeRestore(ledger.pool, MOMENT, 'the audit log is too short')).toBe('the audit log is too short');
  expect(await noticeRestore(ledger.pool, MOMENT, 'too short again')).toBeNull();
  expect(await readHalt(ledger.pool)).toEqual({ since: NOW, by: 'dueday', reason: 'the audit log is too short' });
  expect(await beginSend(ledger.pool, sendOf(await subscribe(ledger.pool)))).toEqual({ kind: 'halted' });
});

describe('acceptRestored (rule 45)', () => {
  beforeEach(async () => {
    await moveElsewhere();
    await noticeRestore(ledger.pool, MOMENT);
  });

  const stillHalted = (why: string) => ({ kind: 'still_halted', why: expect.stringContaining(why) as string });

  test('sending continues after a restore once everything was compared since, and nothing differs', async () => {
    expect(await accept()).toEqual(stillHalted('not everything was compared'));
    await recordComparison();
    const given = await subscribe(ledger.pool);
    expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'halted' });
    expect(await accept()).toEqual({ kind: 'accepted' });
    expect(await accept()).toEqual({ kind: 'none_pending' });
    expect(await readHalt(ledger.pool)).toBeNull();
    expect((await beginSend(ledger.pool, sendOf(given))).kind).toBe('started');
    expect(await openItems()).toEqual([]);
    expect((await entries('halt.lifted'))[0]).toMatchObject({ actor: 'bob', at: NOW + MINUTE, data: { by: 'dueday' } });
    expect(await noticeRestore(ledger.pool, MOMENT)).toBeNull();
  });

  test('sending continues after a restore at once, if an operator confirms that a moved database is complete', async () => {
    const word = { actor: 'bob', at: NOW + MINUTE, reason: 'switched over' };
    expect(await acceptMoved(ledger.pool, word)).toEqual({ kind: 'accepted' });
    expect(await acceptMoved(ledger.pool, word)).toEqual({ kind: 'none_pending' });
    expect((await beginSend(ledger.pool, sendOf(await subscribe(ledger.pool)))).kind).toBe('started');
    expect((await entries('halt.lifted'))[0]).toMatchObject({
      actor: 'bob',
      data: { by: 'dueday', reason: 'accepted without comparing: switched over' },
    });
    // Sending does not continue although a reason is given, because some data of the ledger is known to be missing.
    await noticeRestore(ledger.pool, MOMENT, 'the audit log is too short');
    expect(await acceptMoved(ledger.pool, word)).toEqual(stillHalted('some of its data is missing'));
    expect(await accept()).toEqual(stillHalted('not everything was compared'));
    // Sending does not continue either if the database was replaced again after the restore was noticed.
    await run(`update restore_guard set identity = 'elsewhere', noticed_identity = 'yet another'`);
    expect(await acceptMoved(ledger.pool, word)).toEqual(stillHalted('changed once more'));
  });

  test.each([
    ['began a millisecond before the restore was noticed', { realAt: REAL_NOW - 1 }],
    ['covers a period that ends when the restore was noticed', { period: { from: 0, to: NOW } }],
    ['has not ended', { ends: false }],
  ])('sending does not continue after a restore if the comparison %s', async (_what, changes) => {
    await recordComparison(changes);
    expect(await accept()).toEqual(stillHalted('not everything was compared'));
  });

  test('sending continues after a restore only once a comparison from the first entry on has ended', async () => {
    const { rows } = await run('select at from events order by id limit 1');
    const [{ at: first }] = rows as [{ at: number }];
    await recordComparison({ period: { from: first + 1, to: NOW + SECOND } });
    expect(await accept()).toEqual(stillHalted('not everything was compared'));
    await recordComparison({ period: { from: first, to: NOW + 1 } });
    expect(await accept()).toEqual({ kind: 'accepted' });
  });

  test('sending does not continue after a restore while a difference waits for an operator', async () => {
    await recordComparison({ differences: 1 });
    expect(await accept()).toEqual(stillHalted('1 difference waits for an operator'));
    await run(`update attention_items set closed_real_at = now() where source = 'difference'`);
    expect(await accept()).toEqual({ kind: 'accepted' });
  });

  test("accepting a restored ledger does not lift an operator's halt, and lifting that halt does not accept the restored ledger", async () => {
    await haltSending(ledger.pool, { actor: 'ada', at: NOW, reason: 'wrong amounts' });
    expect(await readHalt(ledger.pool)).toMatchObject({ by: 'ada' });
    await liftHalt(ledger.pool, { actor: 'bob', at: NOW, reason: null });
    expect(await readHalt(ledger.pool)).toMatchObject({ by: 'dueday' });
    expect(await openItems()).toEqual([{ source: 'halt', kind: 'sending_halted' }]);
    await haltSending(ledger.pool, { actor: 'ada', at: NOW, reason: 'wrong amounts' });
    await recordComparison();
    expect(await accept()).toEqual({ kind: 'accepted' });
    expect(await readHalt(ledger.pool)).toMatchObject({ by: 'ada' });
    expect(await openItems()).toEqual([{ source: 'halt', kind: 'sending_halted' }]);
  });
});
