import type { PoolClient } from 'pg';
import { beginSendIfUnchanged, createPool, latestSend, type Pool, readCurrent } from '../../src/ledger';
import { MessageCounter } from '../activities/message-counts';
import { waitUntil } from '../support/wait-until';
import { accept, createAccepted, book, BOOKED_AT, survey } from './judged';
import { count, sendOf, type Subscribed, subscribe, useLedger } from './ledger-fixture';

/** Steps that wait for a connection are written together, in one message and one commit. */

const ledger = useLedger();
let pool: Pool;
let counter: MessageCounter;

beforeEach(() => {
  pool = createPool({ databaseUrl: ledger.url, max: 1 });
  counter = new MessageCounter(pool);
});
afterEach(() => pool.end());

const TOGETHER = /write_steps/;

async function subscribeTimes(number: number): Promise<Subscribed[]> {
  const all: Subscribed[] = [];
  while (all.length < number) all.push(await subscribe(ledger.pool));
  return all;
}

/** Keeps all connections in use until the work has been given to the pool. */
async function whileBusy<T>(work: () => readonly Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
  const client = await pool.connect();
  counter.take();
  const all = work();
  client.release();
  return Promise.allSettled(all);
}

async function whileBusyValues<T>(work: () => readonly Promise<T>[]): Promise<T[]> {
  return (await whileBusy(work)).map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

async function judge(given: Subscribed): Promise<() => ReturnType<typeof beginSendIfUnchanged>> {
  const judged = await survey(ledger.pool, given);
  return () => beginSendIfUnchanged(pool, sendOf(given), judged);
}

test('a step is written at once and in its own message if a connection is free', async () => {
  const [given] = await subscribeTimes(1);
  const begin = await judge(given!);
  expect(await begin()).toMatchObject({ state: 'sending' });
  expect(counter.take()).toMatchObject({ messages: 1, texts: [expect.stringMatching(/from begin_send/)] });
});

test('steps that wait for the same connection are written in one message, with the same results as separately', async () => {
  const [sent, pending, debited, alone] = await subscribeTimes(4);
  const row = await beginSendIfUnchanged(ledger.pool, sendOf(pending!), await survey(ledger.pool, pending!));
  const [debit, other] = [await createAccepted(ledger.pool, debited!), await createAccepted(ledger.pool, alone!)];
  const begin = await judge(sent!);
  const [sending, taken, booked] = await whileBusyValues<unknown>(() => [
    begin(),
    accept(pool, row!),
    book(pool, debit),
  ]);
  expect(counter.take()).toMatchObject({ messages: 1, commits: 1, texts: [expect.stringMatching(TOGETHER)] });
  expect(sending).toEqual(await latestSend(ledger.pool, sent!.subscriptionId, 0, 0));
  const { facts, before, mark, ...acceptedSend } = taken as NonNullable<Awaited<ReturnType<typeof accept>>>;
  expect(acceptedSend).toEqual({
    send: await latestSend(ledger.pool, pending!.subscriptionId, 0, 0),
    reopened: null,
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect([facts, before, mark]).toEqual([
    expect.objectContaining({}),
    expect.objectContaining({ isCollected: false, isLast: true }),
    { entry: expect.any(Number), epoch: expect.any(Number) },
  ]);
  const separate = await book(ledger.pool, other);
  const shapeOf = (each: unknown) => Object.entries(each as object).map(([name, value]) => [name, typeof value]);
  expect(shapeOf(booked)).toEqual(shapeOf(separate));
  const { current } = booked as NonNullable<typeof separate>;
  expect(current).toEqual(await readCurrent(ledger.pool, debited!.subscriptionId, BOOKED_AT));
  expect(await latestSend(ledger.pool, debited!.subscriptionId, 0, 0)).toMatchObject({ state: 'successful' });
});

test('a step is not written if the facts that it is based on have changed, but the other steps of its message are', async () => {
  const [unchanged, changed] = await subscribeTimes(2);
  const begins = [await judge(changed!), await judge(unchanged!)];
  await ledger.pool.query('update subscriptions set revision = revision + 1 where subscription_id = $1', [
    changed!.subscriptionId,
  ]);
  const [refused, written] = await whileBusyValues(() => begins.map((begin) => begin()));
  expect([refused, written]).toEqual([null, expect.objectContaining({ state: 'sending' })]);
  expect(await count(ledger.pool, 'attempts', changed!.subscriptionId)).toBe(0);
});

test('a step that occurs twice in one message is written once', async () => {
  const [given] = await subscribeTimes(1);
  const begin = await judge(given!);
  const rows = await whileBusyValues(() => [begin(), begin()]);
  expect(rows.filter((row) => row !== null)).toHaveLength(1);
  expect(counter.take().messages).toBe(1);
});

test('if PostgreSQL refuses a step, only that one fails, and the others of its message are written one by one', async () => {
  const all = await subscribeTimes(3);
  const [, bad] = all;
  const begins = await Promise.all(all.map(judge));
  await ledger.pool.query(
    `create function refuse_one() returns trigger language plpgsql as $$
       begin raise exception 'refused' using errcode = 'integrity_constraint_violation'; end $$;
     create trigger refuse_one before insert on attempts for each row
       when (new.subscription_id = '${bad!.subscriptionId}') execute function refuse_one()`,
  );
  try {
    const results = await whileBusy(() => begins.map((begin) => begin()));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  } finally {
    await ledger.pool.query('drop trigger refuse_one on attempts; drop function refuse_one()');
  }
  const { texts } = counter.take();
  expect(texts.filter((text) => TOGETHER.test(text))).toHaveLength(1);
  expect(texts.filter((text) => /from begin_send/.test(text))).toHaveLength(3);
  const written = await Promise.all(all.map((each) => count(ledger.pool, 'attempts', each.subscriptionId)));
  expect(written).toEqual([1, 0, 1]);
});

test('a step that waits for a lock does not delay other steps', async () => {
  const [locked, free] = await subscribeTimes(2);
  const begins = [await judge(locked!), await judge(free!)];
  pool.options.max = 3;
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  const holder = await ledger.pool.connect();
  await holder.query('begin');
  await holder.query('select from subscriptions where subscription_id = $1 for update', [locked!.subscriptionId]);
  const [first, second] = begins.map((begin) => begin());
  for (const client of clients) client.release();
  expect(await second).toMatchObject({ state: 'sending' });
  expect(await count(ledger.pool, 'attempts', locked!.subscriptionId)).toBe(0);
  holder.release(true);
  expect(await first).toMatchObject({ state: 'sending' });
});

test('if the connection is lost after the commit, the steps of the message fail but are not repeated, because their rows exist', async () => {
  const all = await subscribeTimes(2);
  const begins = await Promise.all(all.map(judge));
  pool.once('connect', (client: PoolClient) => loseAnswers(client));
  const results = await whileBusy(() => begins.map((begin) => begin()));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const rows = await Promise.all(all.map((each) => latestSend(ledger.pool, each.subscriptionId, 0, 0)));
  expect(rows.map((row) => row?.state)).toEqual(['sending', 'sending']);
  expect(counter.take().texts.filter((text) => !TOGETHER.test(text))).toEqual([]);
});

/** Makes a connection end after a statement was committed and before its answer is known. */
function loseAnswers(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: readonly unknown[]) => Promise<unknown>;
  client.query = (async (...args: readonly unknown[]) => {
    const result = await query(...args);
    if (typeof args[0] === 'string' && TOGETHER.test(args[0])) throw new Error('Connection terminated unexpectedly');
    return result;
  }) as PoolClient['query'];
}

test('51 steps that wait for the same connection are written in two messages', async () => {
  const all = await subscribeTimes(51);
  const begins = await Promise.all(all.map(judge));
  const rows = await whileBusyValues(() => begins.map((begin) => begin()));
  expect(rows.every((row) => row !== null)).toBe(true);
  expect(counter.take().messages).toBe(2);
  await waitUntil('all connections are free', () => pool.waitingCount === 0);
});
