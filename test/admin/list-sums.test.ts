import { sumSubscriptions } from '../../src/ledger';
import { type AdminUnderTest, faultsOf, startAdmin } from './admin-under-test';
import { order } from './order';

let admin: AdminUnderTest;

beforeAll(async () => {
  admin = await startAdmin();
  for (const [id, value, shop] of SUBSCRIPTIONS) {
    const body = order({
      subscriptionId: id,
      payer: { email: 'ada@example.org' },
      amount: { value, currency: 'EUR' },
      metadata: { shop },
    });
    await admin.call('POST', '/v1/subscriptions', { body });
  }
});
afterAll(() => admin.stop());

const SUBSCRIPTIONS = [
  ['sub_a', 1_000, 'north'],
  ['sub_b', 250, 'north'],
  ['sub_c', 75, 'south'],
] as const;

const sumOf = async (query: string) =>
  (await admin.call('GET', `/v1/reports/subscriptions?${query}`, { role: 'viewer' })).json<object>();
const euros = (value: number) => ({ value, currency: 'EUR' });

test('the sum of a list follows its filters', async () => {
  expect(await sumOf('')).toEqual({ count: 3, amount: euros(1_325), isWhole: true });
  expect(await sumOf('metadata[shop]=north')).toEqual({ count: 2, amount: euros(1_250), isWhole: true });
  expect(await sumOf('q=sub_c')).toEqual({ count: 1, amount: euros(75), isWhole: true });
  expect(await sumOf('status=cancelled')).toEqual({ count: 0, amount: euros(0), isWhole: true });
});

test('the sum of a list counts subscriptions that have ended or are paused without an end, and adds no amount for them', async () => {
  const setStatus = (status: string) =>
    admin.db.query('update subscriptions set status = $1 where subscription_id = $2', [status, 'sub_a']);
  await setStatus('cancelled');
  expect(await sumOf('')).toEqual({ count: 3, amount: euros(325), isWhole: true });
  await setStatus('paused');
  expect(await sumOf('')).toEqual({ count: 3, amount: euros(325), isWhole: true });
  await admin.db.query(`update subscriptions set paused_until = '2099-01-01' where subscription_id = 'sub_a'`);
  expect(await sumOf('')).toEqual({ count: 3, amount: euros(1_325), isWhole: true });
  await admin.db.query(`update subscriptions set paused_until = null where subscription_id = 'sub_a'`);
  await setStatus('pending_consent');
});

test('the sum of a list says so if it covers only as many rows as may be counted', async () => {
  expect(await sumSubscriptions(admin.db, { sort: 'createdAt' }, 2)).toEqual({
    count: 2,
    amount: euros(1_250),
    isWhole: false,
  });
});

test('a search by e-mail counts nothing for a key that may not see addresses', async () => {
  const email = 'ada@example.org';
  expect(await sumOf(`q=${encodeURIComponent(email)}`)).toMatchObject({ count: 0 });
  const operator = await admin.call('GET', `/v1/reports/subscriptions?q=${encodeURIComponent(email)}`, {
    role: 'operator',
  });
  expect(operator.json()).toMatchObject({ count: 3 });
});

test('a bulk action, unlike a hold, can be limited to selected rows of a list', async () => {
  await admin.db.query(`update subscriptions set status = 'active'`);
  const dryRun = async (subscriptionIds: readonly string[]) =>
    admin.call('POST', '/v1/bulk', { body: { action: 'pause', filter: { subscriptionIds }, dryRun: true } });
  const answer = await dryRun(['sub_c', 'sub_a', 'sub_none']);
  expect(answer.json()).toMatchObject({
    total: 2,
    amount: euros(1_075),
    items: [{ subscriptionId: 'sub_c' }, { subscriptionId: 'sub_a' }],
  });
  expect(faultsOf(await dryRun([]))[0]?.path).toBe('filter.subscriptionIds');
  const hold = { filter: { subscriptionIds: ['sub_a'] }, until: '2027-03-01T00:00:00Z', reason: 'a strike' };
  expect((await admin.call('POST', '/v1/holds', { body: hold })).statusCode).toBe(400);
});
