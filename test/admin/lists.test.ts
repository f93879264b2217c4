import { HOUR, MINUTE } from '../../src/domain/time';
import { applyPaymentChange, storeSnapshot, MAX_IN_SNAPSHOT } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { type AdminUnderTest, eachItems, faultsOf, NOW, startAdmin } from './admin-under-test';
import { order } from './order';
import { createAuthorized, createOpened } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  await emptyLedger(admin.db);
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

const get = (path: string) => admin.call('GET', `/v1${path}`, { role: 'viewer' });
const ids = async (query: string) => eachItems(await get(`/subscriptions?${query}`), 'subscriptionId');
const nextOf = async (path: string) => (await get(path)).json<{ nextCursor: string }>().nextCursor;

/** Creates three subscriptions an hour apart; a later one is due sooner. */
async function three(): Promise<void> {
  for (const [n, id] of ['sub_a', 'sub_b', 'sub_c'].entries()) {
    admin.clock.business = NOW + n * HOUR;
    const firstPaymentAt = new Date(NOW + (10 - n) * HOUR).toISOString();
    const metadata = { shop: n === 1 ? 'south' : 'north', lot: `${n}` };
    await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: id, firstPaymentAt, metadata }) });
  }
}

describe('GET /v1/subscriptions', () => {
  beforeEach(three);

  test('the list of subscriptions is sorted by creation or due date, in either direction', async () => {
    expect(await ids('')).toEqual(['sub_c', 'sub_b', 'sub_a']);
    expect(await ids('sort=-createdAt')).toEqual(['sub_c', 'sub_b', 'sub_a']);
    expect(await ids('sort=createdAt')).toEqual(['sub_a', 'sub_b', 'sub_c']);
    expect(await ids('sort=dueAt')).toEqual(['sub_c', 'sub_b', 'sub_a']);
    expect(await ids('sort=-dueAt')).toEqual(['sub_a', 'sub_b', 'sub_c']);
  });

  test('the list of subscriptions sorted by due date omits subscriptions that never fall due again', async () => {
    await admin.db.query(`update subscriptions set next_due_at = null where subscription_id = 'sub_b'`);
    expect(await ids('sort=dueAt')).toEqual(['sub_c', 'sub_a']);
    expect(await ids('')).toEqual(['sub_c', 'sub_b', 'sub_a']);
  });

  test.each(['createdAt', '-createdAt', 'dueAt', '-dueAt'])(
    'the list of subscriptions sorted by %s has the same rows in pages as at once',
    async (sort) => {
      const whole = await ids(`sort=${sort}`);
      const seen: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await get(`/subscriptions?limit=1&sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...eachItems(page, 'subscriptionId'));
        cursor = page.json<{ nextCursor: string | null }>().nextCursor;
      }
      expect(seen).toEqual(whole);
    },
  );

  test('the list of subscriptions is filtered by creation and due dates, from inclusive, to exclusive', async () => {
    expect(await ids('createdFrom=2027-01-31T13:00:00Z')).toEqual(['sub_c', 'sub_b']);
    expect(await ids('createdTo=2027-01-31T13:00:00Z')).toEqual(['sub_a']);
    expect(await ids('createdFrom=2027-01-31T13:00:00Z&createdTo=2027-01-31T13:00:00.001Z')).toEqual(['sub_b']);
    expect(await ids('dueFrom=2027-01-31T21:00:00Z')).toEqual(['sub_b', 'sub_a']);
    expect(await ids('dueTo=2027-01-31T21:00:00Z&sort=createdAt')).toEqual(['sub_c']);
  });

  test('the list of subscriptions is filtered by metadata, of which all pairs must match', async () => {
    expect(await ids('metadata[shop]=north')).toEqual(['sub_c', 'sub_a']);
    expect(await ids('metadata%5Bshop%5D=north&metadata[lot]=2')).toEqual(['sub_c']);
    expect(await ids('metadata[shop]=north&q=sub_a')).toEqual(['sub_a']);
    expect(await ids('metadata[shop]=nor')).toEqual([]);
    expect(await ids('metadata[Shop]=north')).toEqual([]);
    await admin.call('PATCH', '/v1/subscriptions/sub_b', { body: { metadata: { shop: 'north' } } });
    expect(await ids('metadata[shop]=north&sort=createdAt')).toEqual(['sub_a', 'sub_b', 'sub_c']);
  });

  test.each([
    [
      'a period that ends before it begins',
      'createdFrom=2027-02-01T00:00:00Z&createdTo=2027-01-01T00:00:00Z',
      'createdTo',
    ],
    ['an empty period', 'dueFrom=2027-02-01T00:00:00Z&dueTo=2027-02-01T00:00:00Z', 'dueTo'],
    ['an unknown sort', 'sort=amount', 'sort'],
    ['metadata with an empty key', 'metadata[]=x', 'metadata[]'],
    ['metadata without a key', 'metadata=x', 'metadata'],
    ['a metadata key named `__proto__`', 'metadata[__proto__]=x', 'metadata[__proto__]'],
    ['a metadata key given twice', 'metadata[a]=1&metadata[a]=2', 'metadata.a'],
  ])('the list of subscriptions refuses %s', async (_name, query, path) => {
    const answer = await get(`/subscriptions?${query}`);
    expect([answer.statusCode, faultsOf(answer).map((fault) => fault.path)]).toEqual([400, [path]]);
  });

  test.each([
    ['of another list', '/payments?limit=1'],
    ['of another sort', '/subscriptions?limit=1&sort=createdAt'],
    ['of another filter', '/subscriptions?limit=1&repetition=MONTHLY'],
  ])('the list of subscriptions refuses a cursor %s', async (_name, other) => {
    await createOpened(admin);
    await createOpened(admin);
    const cursor = await nextOf(other);
    const answer = await get(`/subscriptions?cursor=${cursor}`);
    expect(answer.statusCode).toBe(400);
    expect(faultsOf(answer)).toEqual([
      { path: 'cursor', message: expect.stringContaining('of this list, with the same filters and sort') },
    ]);
    expect((await get(`${other}&cursor=${cursor}`)).statusCode).toBe(200);
  });

  test('the list of subscriptions accepts a cursor with another limit, and with a default value given explicitly', async () => {
    const cursor = await nextOf('/subscriptions?limit=1');
    expect(await ids(`limit=2&sort=-createdAt&cursor=${cursor}`)).toEqual(['sub_b', 'sub_a']);
  });

  test('a cursor of one subscription’s audit entries is refused for another subscription', async () => {
    await admin.call('PATCH', '/v1/subscriptions/sub_a', { body: { metadata: { a: '1' } } });
    await admin.call('PATCH', '/v1/subscriptions/sub_a', { body: { metadata: { a: '2' } } });
    const cursor = await nextOf('/subscriptions/sub_a/events?limit=1');
    expect((await get(`/subscriptions/sub_a/events?limit=1&cursor=${cursor}`)).statusCode).toBe(200);
    expect((await get(`/subscriptions/sub_b/events?limit=1&cursor=${cursor}`)).statusCode).toBe(400);
  });
});

describe('GET /v1/subscriptions?sort=dueAt', () => {
  beforeEach(three);

  const page = async (query: string) => (await get(`/subscriptions?limit=1&${query}`)).json<Page>();
  const idsOn = ({ items }: Page) => items.map(({ subscriptionId }) => subscriptionId);
  const collect = (id: string) =>
    admin.db.query(
      `update subscriptions set next_due_at = next_due_at + interval '1 month' where subscription_id = $1`,
      [id],
    );

  test.each([
    ['dueAt', ['sub_c', 'sub_b', 'sub_a']],
    ['-dueAt', ['sub_a', 'sub_b', 'sub_c']],
  ])('a list by due date whose rows move while it is read shows each row once, sorted by %s', async (sort, order) => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const read = await page(`sort=${sort}${cursor}`);
      seen.push(...idsOn(read));
      for (const id of order) await collect(id);
      cursor = read.nextCursor === null ? '' : `&cursor=${read.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(order);
  });

  test('a list by due date whose rows move while it is read shows each row on later pages in its current state, even if it no longer matches the filter', async () => {
    const { nextCursor } = await page('sort=dueAt&status=pending_consent');
    await admin.db.query(`update subscriptions set status = 'active' where subscription_id = 'sub_b'`);
    const next = await page(`sort=dueAt&status=pending_consent&cursor=${nextCursor}`);
    expect(next.items).toMatchObject([{ subscriptionId: 'sub_b', status: 'active' }]);
  });

  test('a list by due date whose rows move while it is read can be read for 15 minutes of real time, and then answers cursor_expired', async () => {
    const { nextCursor } = await page('sort=dueAt');
    admin.clock.real += 15 * MINUTE - 1;
    expect(idsOn(await page(`sort=dueAt&cursor=${nextCursor}`))).toEqual(['sub_b']);
    admin.clock.real += 1;
    const late = await get(`/subscriptions?limit=1&sort=dueAt&cursor=${nextCursor}`);
    expect(late.json()).toMatchObject({ status: 410, code: 'cursor_expired' });
  });

  test('a list by due date whose rows move while it is read can be continued only by the key that started it', async () => {
    const { nextCursor } = await page('sort=dueAt');
    const other = await admin.call('GET', `/v1/subscriptions?limit=1&sort=dueAt&cursor=${nextCursor}`, {
      role: 'admin',
    });
    expect(other.json()).toMatchObject({ status: 410, code: 'cursor_expired' });
  });

  test('a list by due date whose rows move while it is read stores no snapshot if one page shows everything, and at most 20 snapshots per key', async () => {
    const kept = async () =>
      (await admin.db.query<{ n: number }>('select count(*)::int as n from list_snapshots')).rows;
    await admin.db.query('delete from list_snapshots');
    await ids('sort=dueAt');
    expect(await kept()).toEqual([{ n: 0 }]);
    const first = await page('sort=dueAt');
    admin.clock.real += 1;
    for (let count = 0; count < 19; count += 1) await page('sort=dueAt');
    expect(await kept()).toEqual([{ n: 20 }]);
    expect(idsOn(await page(`sort=dueAt&cursor=${first.nextCursor}`))).toEqual(['sub_b']);
    admin.clock.real += 1;
    await page('sort=dueAt');
    const replaced = await get(`/subscriptions?limit=1&sort=dueAt&cursor=${first.nextCursor}`);
    expect(replaced.json()).toMatchObject({ code: 'cursor_expired' });
  });

  test('a list by due date whose rows move while it is read refuses a cursor of a list by creation date', async () => {
    const { nextCursor } = await page('sort=createdAt');
    const answer = await get(`/subscriptions?limit=1&sort=dueAt&cursor=${nextCursor}`);
    expect(answer.statusCode).toBe(400);
  });

  test('a list by due date of more than 100,000 rows ends with advice on how to narrow it', async () => {
    const { rows } = await admin.db.query<{ key: string }>(
      `select key_id as key from api_keys where name = 'viewer of the shop'`,
    );
    const keep = async (count: number) => {
      const all = ['sub_a', ...Array.from({ length: count - 1 }, (_, n) => `absent_${n}`)];
      return storeSnapshot(admin.db, { keyId: rows[0]!.key, ids: all, realNow: admin.clock.real }, MAX_IN_SNAPSHOT - 1);
    };
    const mark = (await page('sort=dueAt')).nextCursor!.split('.')[0];
    const last = await page(`sort=dueAt&cursor=${mark}.${await keep(MAX_IN_SNAPSHOT)}`);
    expect(last.nextCursor).toBeNull();
    const more = await page(`sort=dueAt&cursor=${mark}.${await keep(MAX_IN_SNAPSHOT + 1)}`);
    const beyond = await get(`/subscriptions?sort=dueAt&cursor=${more.nextCursor}`);
    expect([beyond.statusCode, faultsOf(beyond)[0]?.path]).toEqual([400, 'cursor']);
    expect(faultsOf(beyond)[0]?.message).toContain('narrow it with dueFrom and dueTo');
  });
});

interface Page {
  items: { subscriptionId: string }[];
  nextCursor: string | null;
}

test('the list of payments by capture deadline shows each payment once, even if deadlines move while it is read', async () => {
  const late = await createAuthorized(admin, { timeToCapture: 86_400 });
  const soon = await createAuthorized(admin, { timeToCapture: 3_600 });
  const first = await get('/payments?limit=1&sort=dueAt');
  await admin.db.query(`update payments set capture_by = capture_by + interval '2 days' where payment_id = $1`, [soon]);
  const next = await get(`/payments?limit=1&sort=dueAt&cursor=${first.json<Page>().nextCursor}`);
  expect([...eachItems(first, 'paymentId'), ...eachItems(next, 'paymentId')]).toEqual([soon, late]);
  expect(next.json<Page>().nextCursor).toBeNull();
});

test('the list of payments uses the capture deadline as due date', async () => {
  const late = await createAuthorized(admin, { timeToCapture: 86_400 });
  admin.clock.business += HOUR;
  const soon = await createAuthorized(admin, { timeToCapture: 3_600, metadata: { shop: 'north' } });
  admin.clock.business += HOUR;
  const single = (await createOpened(admin, { plan: 'SINGLE' })).paymentId;
  await applyPaymentChange(admin.db, { paymentId: single, at: NOW, patch: {} });
  const list = async (query: string) => eachItems(await get(`/payments?${query}`), 'paymentId');
  expect(await list('')).toEqual([single, soon, late]);
  expect(await list('sort=dueAt')).toEqual([soon, late]);
  expect(await list('dueTo=2027-02-01T00:00:00Z')).toEqual([soon]);
  expect(await list('createdFrom=2027-01-31T13:00:00Z&sort=createdAt')).toEqual([soon, single]);
  expect(await list('metadata[shop]=north')).toEqual([soon]);
  const answer = await get('/payments?createdFrom=2027-01-02T00:00:00Z&createdTo=2027-01-01T00:00:00Z');
  expect(faultsOf(answer)[0]?.path).toBe('createdTo');
});
