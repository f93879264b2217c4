import { get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import { compare, listed } from '../ledger/compared-fixture';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, faultsOf, NOW, startAdmin } from './admin-under-test';
import { order } from './order';
import { createBooked } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const CSV = { headers: { accept: 'text/csv' } };
const ask = (query = '', options = {}) => admin.call('GET', `/v1/transactions${query}`, { role: 'viewer', ...options });
const linesOf = (csv: string) => csv.split('\r\n').slice(0, -1);

/** Writes a debit for each cycle, an hour apart from the first due date on, without the triggers that guard single writes. */
async function debits(subscriptionId: string, cycles: number, fields: Record<string, unknown> = {}): Promise<void> {
  const created = await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId, ...fields }) });
  if (created.statusCode !== 201) throw new Error(created.body);
  const client = await admin.db.connect();
  const at = `timestamptz '${toIso(NOW)}' + n * interval '1 hour'`;
  try {
    await client.query('alter table attempts disable trigger user');
    await client.query(
      `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, collected_at)
       select $1, n, ${at}, ${at} + interval '1 minute', 1999, 'collected', ${at} from generate_series(0, $2::integer - 1) n`,
      [subscriptionId, cycles],
    );
    await client.query(
      `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at,
         authorization_id, capture_id, owner, outcome_at)
       select s.subscription_id, n, 0, 0, s.payment_id, 1999, ${at}, 'successful', ${at}, ${at}, 'aut-' || n, 'cap-' || n,
         'worker', ${at} + interval '1 second'
       from subscriptions s, generate_series(0, $2::integer - 1) n where s.subscription_id = $1`,
      [subscriptionId, cycles],
    );
  } finally {
    await client.query('alter table attempts enable trigger user');
    client.release();
  }
}

describe('GET /v1/transactions', () => {
  beforeAll(() => debits('sub_listed', 3, { payer: { reference: '=HYPERLINK("http://evil.example")' } }));

  test('the list of transactions shows each movement of money with its ids, and continues after a cursor or an id', async () => {
    const query = '?subscriptionId=sub_listed&limit=2';
    const first = (await ask(query)).json<{ items: { transactionId: string }[]; nextCursor: string }>();
    expect(first.items).toMatchObject([
      {
        transactionId: 'attempt.sub_listed.0.0.0',
        type: 'debit',
        status: 'successful',
        plan: 'SUBSCRIPTION',
        amount: { value: 1999, currency: 'EUR' },
        cycle: 0,
        attempt: 0,
        authorizationId: 'aut-0',
        captureId: 'cap-0',
        createdAt: toIso(NOW),
        bookedAt: toIso(NOW + 1000),
        metadata: {},
      },
      { transactionId: 'attempt.sub_listed.1.0.0' },
    ]);
    const rest = [{ transactionId: 'attempt.sub_listed.2.0.0' }];
    expect((await ask(`${query}&cursor=${first.nextCursor}`)).json()).toMatchObject({ items: rest, nextCursor: null });
    expect((await ask(`${query}&after=${first.items[1]!.transactionId}`)).json()).toMatchObject({ items: rest });
  });

  test('the list of transactions has one-time payments, too', async () => {
    const paymentId = await createBooked(admin, 2500);
    const { items } = (await ask(`?paymentId=${paymentId}`)).json<{ items: object[] }>();
    expect(items).toMatchObject([{ plan: 'SINGLE', type: 'debit', amount: { value: 2500 }, paymentId }]);
    expect(items[0]).not.toHaveProperty('subscriptionId');
  });

  test.each<[string, string, string]>([
    [`?from=${toIso(NOW)}&to=${toIso(NOW)}`, 'to', 'a time after from'],
    [`?from=${toIso(NOW + DAY)}&to=${toIso(NOW)}`, 'to', 'a time after from'],
    [
      '?cursor=nonsense',
      'cursor',
      'the nextCursor of this list, with the same filters and sort; got text of 8 characters',
    ],
    ['?after=sub_listed', 'after', 'the transactionId of a listed transaction; got text of 10 characters'],
    ['?after=attempt.sub_listed.9.0.0', 'after', 'the transactionId of a listed transaction'],
    ['?type=booking', 'type', 'one of debit, capture, refund'],
    ['?status=open', 'status', 'one of pending, successful, failed'],
    ['?reversed=yes', 'reversed', 'one of true, false'],
    ['?from=yesterday', 'from', 'a time with date, time of day and offset'],
  ])('the list of transactions refuses %s', async (query, path, expected) => {
    for (const options of [{}, CSV]) {
      const answer = await ask(query, options);
      expect(answer.statusCode).toBe(400);
      expect(faultsOf(answer)).toEqual([{ path, message: expect.stringContaining(`expected ${expected}`) }]);
    }
  });

  test('the list of transactions refuses the cursor of another list', async () => {
    const { nextCursor } = (await admin.call('GET', '/v1/subscriptions?limit=1')).json<{ nextCursor: string }>();
    await debits('sub_another', 1);
    const { nextCursor: cursor = nextCursor } = (await admin.call('GET', '/v1/subscriptions?limit=1')).json();
    const answer = await ask(`?cursor=${cursor}`);
    expect(answer.statusCode).toBe(400);
    expect(faultsOf(answer)).toMatchObject([{ path: 'cursor' }]);
  });

  test('the list of transactions refuses a cursor and an id together', async () => {
    const { nextCursor } = (await ask('?subscriptionId=sub_listed&limit=1')).json<{ nextCursor: string }>();
    const answer = await ask(`?after=attempt.sub_listed.0.0.0&cursor=${nextCursor}`);
    expect(faultsOf(answer)).toMatchObject([{ path: 'after' }]);
  });

  test('the list of transactions as CSV has a header and a line for each movement, with formulas neutralized', async () => {
    const answer = await ask('?subscriptionId=sub_listed&limit=1', CSV);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    const [header, ...lines] = linesOf(answer.body);
    expect(header).toBe(
      'transactionId,type,status,amount,currency,amountDecimal,bookedAt,createdAt,plan,subscriptionId,paymentId,cycle,attempt,authorizationId,captureId,refundId,serviceRefundId,orderId,detail,reference,metadata,reversedAt,reversedAmount,reversedAmountDecimal,advice',
    );
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      `attempt.sub_listed.0.0.0,debit,successful,1999,EUR,19.99,${toIso(NOW + 1000)},${toIso(NOW)},SUBSCRIPTION,sub_listed,pay_sub_listed,0,0,aut-0,cap-0,,,,,"'=HYPERLINK(""http://evil.example"")",{},,,,`,
    );
  });

  test('the list of transactions as CSV has only a header if there are none', async () => {
    const answer = await ask(`?from=${toIso(NOW - 2 * DAY)}&to=${toIso(NOW - DAY)}`, CSV);
    expect(linesOf(answer.body)).toHaveLength(1);
  });

  test.each<[string | undefined, number, string]>([
    [undefined, 200, 'application/json'],
    ['*/*', 200, 'application/json'],
    ['text/*', 200, 'text/csv'],
    ['text/csv;q=0.5, application/json', 200, 'application/json'],
    ['TEXT/CSV, */*;q=0.1', 200, 'text/csv'],
    ['application/json;q=0, */*', 200, 'text/csv'],
    ['application/pdf', 406, 'application/problem+json'],
    ['text/csv;q=nonsense', 406, 'application/problem+json'],
  ])('the list of transactions for Accept: %s is answered %i as %s', async (accept, status, type) => {
    const answer = await ask('', { headers: accept === undefined ? {} : { accept } });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([status, expect.stringContaining(type)]);
  });
});

describe('GET /v1/transactions', () => {
  const REVERSED_AT = NOW + 3 * DAY;
  const advice = 'Do not refund: the payment service reports the debit as =reversed.';

  beforeAll(async () => {
    await debits('sub_reversed', 2);
    const debit = { authorizationId: 'aut-1', captureId: 'cap-1', cents: 1999 };
    const service = listed([
      { ...debit, status: '=reversed' },
      { ...debit, authorizationId: 'aut-0', captureId: 'cap-0' },
    ]);
    const payment = { subscriptionId: 'sub_reversed' as SubscriptionId, paymentId: 'pay_sub_reversed' as PaymentId };
    await compare(admin.db, payment, service, REVERSED_AT);
  });

  test('a debit that was reversed elsewhere is listed alone with reversed=true, with the advice not to refund it (rule 41)', async () => {
    const { items } = (await ask('?subscriptionId=sub_reversed&reversed=true')).json<{ items: object[] }>();
    const reversal = { reversedAt: toIso(REVERSED_AT), reversedAmount: { value: 1999, currency: 'EUR' }, advice };
    expect(items).toEqual([expect.objectContaining({ cycle: 1, status: 'successful', ...reversal })]);
  });

  test('a debit that was reversed elsewhere is left out with reversed=false, and the others have no advice', async () => {
    const { items } = (await ask('?subscriptionId=sub_reversed&reversed=false')).json<{ items: object[] }>();
    expect(items).toMatchObject([{ cycle: 0 }]);
    for (const field of ['reversedAt', 'reversedAmount', 'advice']) expect(items[0]).not.toHaveProperty(field);
  });

  test('a debit that was reversed elsewhere has the advice as a column of the CSV, after all others', async () => {
    const [, first, second] = linesOf((await ask('?subscriptionId=sub_reversed', CSV)).body);
    expect(first).toMatch(/,,,,$/);
    expect(second?.endsWith(`,{},${toIso(REVERSED_AT)},1999,19.99,${advice}`)).toBe(true);
  });
});

/*
 * Rows of two kilobytes, so that the buffers between API and client hold only a few batches.
 */
describe('GET /v1/transactions', () => {
  const CYCLES = 20_000;
  const BATCHES = CYCLES / 1000;
  const QUERY = '?subscriptionId=sub_many';
  let batches = 0;
  let app: FastifyInstance;

  beforeAll(async () => {
    await debits('sub_many', CYCLES);
    const pairs = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`key ${n}`, 'x'.repeat(200)]));
    await admin.db.query(`update subscriptions set metadata = $1 where subscription_id = 'sub_many'`, [pairs]);
    const connect = () => {
      batches += 1;
      return admin.db.connect();
    };
    app = await admin.another({ reading: Object.assign(Object.create(admin.db), { connect }) });
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    batches = 0;
  });

  function open(query = QUERY): Promise<IncomingMessage> {
    const { port } = app.server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${admin.keys.viewer}`, accept: 'text/csv' };
    return new Promise((resolve, reject) => {
      httpGet({ port, host: '127.0.0.1', path: `/v1/transactions${query}`, headers }, resolve).on('error', reject);
    });
  }

  /** Waits until the API reads no further batches from the ledger, although it answers many other calls meanwhile. */
  async function settled(): Promise<number> {
    for (let before = -1; before !== batches;) {
      before = batches;
      for (let n = 0; n < 30; n += 1) await admin.call('GET', '/v1/subscriptions/sub_many');
    }
    return batches;
  }

  test('the stream of many transactions reads no further than the caller does, and has each transaction once, in order', async () => {
    const answer = await open();
    answer.pause();
    expect(await settled()).toBeLessThan(BATCHES);
    let csv = '';
    for await (const chunk of answer.setEncoding('utf8')) csv += String(chunk);
    const ids = linesOf(csv).map((each) => each.slice(0, each.indexOf(',')));
    expect(ids).toEqual([
      'transactionId',
      ...Array.from({ length: CYCLES }, (_, cycle) => `attempt.sub_many.${cycle}.0.0`),
    ]);
    expect(batches).toBe(BATCHES + 1);
  });

  test('the stream of many transactions ends when the caller disconnects, and its connection to the ledger is returned', async () => {
    const answer = await open();
    answer.pause();
    answer.destroy();
    expect(await settled()).toBeLessThan(BATCHES);
    // The read in progress ends before its connection is returned.
    const areBack = async () => admin.db.idleCount === admin.db.totalCount;
    await waitUntil('every connection is back', areBack);
  });

  test('the stream of many transactions can be resumed after its last complete line', async () => {
    const answer = await open();
    let started = '';
    for await (const chunk of answer.setEncoding('utf8')) {
      started += String(chunk);
      if (started.length > 1_000_000) break;
    }
    const whole = linesOf(`${started.slice(0, started.lastIndexOf('\r\n'))}\r\n`);
    const last = whole.at(-1)!.split(',')[0]!;
    let rest = '';
    for await (const chunk of (await open(`${QUERY}&after=${last}`)).setEncoding('utf8')) rest += String(chunk);
    expect(whole.length - 1 + linesOf(rest).length - 1).toBe(CYCLES);
  });

  test('the stream of many transactions is cut off rather than ended if the ledger fails midway', async () => {
    const answer = await open();
    answer.pause();
    await settled();
    await admin.db.query('alter table attempts rename to attempts_away');
    const taken = (async () => {
      for await (const chunk of answer) if (chunk === null) return;
    })();
    await expect(taken).rejects.toThrow('aborted');
    await admin.db.query('alter table attempts_away rename to attempts');
  });
});

test('a read error before the first byte of an export is answered with a problem response', async () => {
  await admin.db.query('alter table attempts rename to attempts_away');
  const answer = await ask(`?from=${toIso(NOW)}&to=${toIso(NOW + HOUR)}`, CSV);
  await admin.db.query('alter table attempts_away rename to attempts');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([500, expect.stringContaining('problem+json')]);
});
