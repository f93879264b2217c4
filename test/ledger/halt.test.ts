import { MINUTE, toIso } from '../../src/domain/time';
import {
  applyChange,
  beginOrderSend,
  beginSend,
  failUnsent,
  getRefund,
  haltSending,
  liftHalt,
  listEvents,
  type NewOrderSend,
  readHalt,
} from '../../src/ledger';
import { BEGIN_SENDING } from '../../src/ledger/halt/halt';
import { count, NOW, sendOf, startDebit, subscribe, useLedger, waitForLock } from './ledger-fixture';
import { beginning, createCollected, placeRefund } from './refund-fixture';

const ledger = useLedger();

afterEach(() => lift());

const halt = (changes: Partial<Parameters<typeof haltSending>[1]> = {}, timeoutMs?: number) =>
  haltSending(ledger.pool, { actor: 'ada', at: NOW, reason: 'wrong amounts', ...changes }, timeoutMs);
const lift = () => liftHalt(ledger.pool, { actor: 'bob', at: NOW + MINUTE, reason: 'mended' });

async function auditEntries(type: string): Promise<readonly unknown[]> {
  return (await listEvents(ledger.pool, { type }, { limit: 100, cursor: null })).items;
}

/** A refund that was ordered and may be sent. */
async function orderToSend(): Promise<NewOrderSend> {
  const { refundId } = await placeRefund(ledger.pool, await createCollected(ledger.pool), 500);
  return beginning(refundId);
}

test('a halt remains with its reason until it is lifted, and the audit log records its start and its end', async () => {
  expect(await readHalt(ledger.pool)).toBeNull();
  const standing = { since: NOW, by: 'ada', reason: 'wrong amounts' };
  expect(await halt()).toEqual({ halt: standing, isSettled: true });
  expect(await readHalt(ledger.pool)).toEqual(standing);
  expect(await auditEntries('halt.started')).toMatchObject([
    { subscriptionId: null, paymentId: null, actor: 'ada', at: NOW, data: { reason: 'wrong amounts' } },
  ]);
  expect(await lift()).toEqual(standing);
  expect(await readHalt(ledger.pool)).toBeNull();
  expect(await auditEntries('halt.lifted')).toMatchObject([
    { actor: 'bob', at: NOW + MINUTE, data: { reason: 'mended', since: toIso(NOW), by: 'ada' } },
  ]);
});

test('halting again keeps the first halt, lifting again changes nothing, and neither is recorded twice', async () => {
  const [startsBefore, lifted] = [
    (await auditEntries('halt.started')).length,
    (await auditEntries('halt.lifted')).length,
  ];
  const all = await Promise.all(['one', 'two', 'three'].map((reason) => halt({ reason })));
  const [first] = all;
  for (const each of all) expect(each).toEqual(first);
  await Promise.all([lift(), lift()]);
  expect(await lift()).toBeNull();
  expect(await auditEntries('halt.started')).toHaveLength(startsBefore + 1);
  expect(await auditEntries('halt.lifted')).toHaveLength(lifted + 1);
});

test('no send is started or stored during a halt; afterwards it is', async () => {
  const given = await subscribe(ledger.pool);
  await halt();
  expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'halted' });
  expect(await count(ledger.pool, 'attempts', given.subscriptionId)).toBe(0);
  expect(await count(ledger.pool, 'cycles', given.subscriptionId)).toBe(0);
  await lift();
  expect((await beginSend(ledger.pool, sendOf(given))).kind).toBe('started');
});

test('no refund is started during a halt, but one that may no longer be sent can fail', async () => {
  const [waits, fails] = [await orderToSend(), await orderToSend()];
  await halt();
  expect(await beginOrderSend(ledger.pool, waits)).toEqual({ kind: 'halted' });
  expect((await getRefund(ledger.pool, waits.orderId))?.state).toBeNull();
  await failUnsent(ledger.pool, { ...fails, detail: 'TOO_LATE', description: 'it is too late' });
  expect((await getRefund(ledger.pool, fails.orderId))?.state).toBe('failed');
  await lift();
  expect((await beginOrderSend(ledger.pool, waits)).kind).toBe('started');
});

test.each(['pause', 'cancel'] as const)(
  'a send that both a %s and a halt stop is answered as stopped, so that the workflow can continue',
  async (stoppedBy) => {
    const given = await subscribe(ledger.pool);
    const { subscriptionId } = given;
    const change = { subscriptionId, key: 'stop', at: NOW, actor: 'ada', events: [], subscription: { stoppedBy } };
    await applyChange(ledger.pool, change);
    await halt();
    expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'stopped' });
  },
);

test('once the request to halt has returned, no debit or refund is sent, in ten rounds', async () => {
  for (let round = 0; round < 10; round += 1) {
    const given = await subscribe(ledger.pool);
    const order = await orderToSend();
    const sends = async () => {
      const { rows } = await ledger.pool.query<{ n: number }>(
        'select (select count(*) from attempts) + (select count(*) from order_sends) as n',
      );
      return rows[0]!.n;
    };
    const [, , atAnswer] = await Promise.all([
      beginSend(ledger.pool, sendOf(given)),
      beginOrderSend(ledger.pool, order),
      halt().then(sends),
    ]);
    expect(await sends()).toBe(atAnswer);
    await lift();
  }
});

async function startedBefore() {
  const given = await subscribe(ledger.pool);
  const client = await ledger.pool.connect();
  await client.query(BEGIN_SENDING);
  await client.query('select from halt');
  const end = async () => {
    await client.query('commit');
    client.release();
  };
  return { given, end };
}

test('a halt in force waits for a send that started before it, while no later one starts', async () => {
  const { given, end } = await startedBefore();
  let answered = false;
  const halting = halt().finally(() => (answered = true));
  await waitForLock(ledger.pool);
  expect(await readHalt(ledger.pool)).not.toBeNull();
  const later = beginSend(ledger.pool, sendOf(given));
  expect(answered).toBe(false);
  await end();
  expect(await halting).toMatchObject({ isSettled: true });
  expect(await later).toEqual({ kind: 'halted' });
});

test('a halt does not wait indefinitely for an earlier send; requested again, it waits again', async () => {
  const { given, end } = await startedBefore();
  expect(await halt({}, 50)).toMatchObject({ isSettled: false, halt: { by: 'ada' } });
  expect(await beginSend(ledger.pool, sendOf(given))).toEqual({ kind: 'halted' });
  await end();
  expect(await halt({}, 50)).toMatchObject({ isSettled: true, halt: { by: 'ada' } });
});

test('a halt leaves no lock on a connection that a pooler may share', async () => {
  const given = await subscribe(ledger.pool);
  await startDebit(ledger.pool, sendOf(given));
  await halt();
  const { rows } = await ledger.pool.query(
    `select from pg_locks join pg_database on database = pg_database.oid
     where locktype = 'advisory' and datname = current_database()`,
  );
  expect(rows).toEqual([]);
});

test('a send reads the current halt even if connections default to another isolation level', async () => {
  const client = await ledger.pool.connect();
  await client.query(`set default_transaction_isolation = 'repeatable read'`);
  await client.query(BEGIN_SENDING);
  const { rows } = await client.query<{ level: string }>(`select current_setting('transaction_isolation') as level`);
  client.release(true);
  expect(rows).toEqual([{ level: 'read committed' }]);
});
