import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { DAY } from '../../src/domain/time';
import type { Role, Scope } from '../../src/ledger';
import { type AdminUnderTest, eachItems, faultPaths, startAdmin } from './admin-under-test';
import { address, order } from './order';
import { payment } from './payment-order';

/** A viewer of subscriptions need not know their payers' e-mail addresses. */

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
  const payer = { email: 'ada.byron@mail.example', reference: 'customer-7' };
  const billingAddress = address({ name: 'Grace Hopper' });
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_a', payer, billingAddress }) });
  await admin.call('POST', '/v1/payments', { body: payment({ payer, billingAddress }) });
});
afterAll(() => admin.stop());

const MASKED = 'a***@mail.example';
const WHOLE = 'ada.byron@mail.example';

async function keyOf(role: Role, scopes: readonly Scope[] = []): Promise<string> {
  const body = { name: randomUUID(), role, scopes: scopes.length === 0 ? undefined : scopes };
  return (await admin.call('POST', '/v1/keys', { body })).json<{ key: string }>().key;
}

const emailsOf = (answer: LightMyRequestResponse) => eachItems(answer, 'payer').map((each) => (each as Payer).email);

interface Payer {
  readonly email?: string;
}

test.each<[Role, readonly Scope[], string]>([
  ['viewer', [], MASKED],
  ['viewer', ['reports'], MASKED],
  ['viewer', ['reports', 'payers:read'], WHOLE],
  ['operator', [], WHOLE],
  ['operator', ['notices'], MASKED],
  ['operator', ['notices', 'payers:read'], WHOLE],
  ['admin', [], WHOLE],
  ['admin', ['bulk'], MASKED],
])('a %s with the scopes %j reads %s in the list and in a subscription', async (role, scopes, email) => {
  const key = await keyOf(role, scopes);
  expect(emailsOf(await admin.call('GET', '/v1/subscriptions', { key }))).toEqual([email]);
  const one = await admin.call('GET', '/v1/subscriptions/sub_a', { key });
  expect(one.json()).toMatchObject({ payer: { email, reference: 'customer-7' } });
});

test('a session sees as much of e-mail addresses as its key', async () => {
  const opened = await admin.call('POST', '/v1/session', { key: admin.keys.viewer });
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
  const answer = await admin.call('GET', '/v1/subscriptions', { headers: { authorization: '', cookie } });
  expect(emailsOf(answer)).toEqual([MASKED]);
});

test('responses to changes have masked e-mail addresses, too', async () => {
  const key = await keyOf('operator', ['subscriptions:steer']);
  const changed = await admin.call('PATCH', '/v1/subscriptions/sub_a', { key, body: { metadata: { shelf: '7' } } });
  expect(changed.json()).toMatchObject({ payer: { email: MASKED } });
});

test('a masked address cannot be written back', async () => {
  const answer = await admin.call('PATCH', '/v1/subscriptions/sub_a/payer', { body: { email: MASKED } });
  expect([answer.statusCode, faultPaths(answer)]).toEqual([400, ['email']]);
});

const found = async (list: string, q: string, key: string) =>
  eachItems(await admin.call('GET', `/v1/${list}?q=${encodeURIComponent(q)}`, { key }), 'workflowId').length;

test.each(['subscriptions', 'payments'])(
  'a search of %s by e-mail finds rows only for callers who may see e-mails',
  async (list) => {
    for (const q of ['ada', 'ada.byron@mail.example', 'mail.ex', 'byron']) {
      expect([q, await found(list, q, admin.keys.operator)]).toEqual([q, 1]);
      expect([q, await found(list, q, admin.keys.viewer)]).toEqual([q, 0]);
    }
  },
);

test.each(['subscriptions', 'payments'])('a search of %s by name and reference serves every caller', async (list) => {
  for (const q of ['hopper', 'customer-7', 'gra customer'])
    expect([q, await found(list, q, admin.keys.viewer)]).toEqual([q, 1]);
});

test('a search by a name and an e-mail together finds nothing for callers who may not see the e-mail', async () => {
  expect(await found('subscriptions', 'hopper ada', admin.keys.operator)).toBe(1);
  expect(await found('subscriptions', 'hopper ada', admin.keys.viewer)).toBe(0);
});

test('a search finds a payer by a new name at once, and by a new e-mail only for callers who may see it', async () => {
  const email = 'new@post.example';
  await admin.call('PATCH', '/v1/subscriptions/sub_a/payer', { body: { email, reference: 'customer-8' } });
  expect(await found('subscriptions', 'customer-8', admin.keys.viewer)).toBe(1);
  expect(await found('subscriptions', 'new@post', admin.keys.operator)).toBe(1);
  expect(await found('subscriptions', 'new@post', admin.keys.viewer)).toBe(0);
  await admin.call('PATCH', '/v1/subscriptions/sub_a/payer', { body: { email: WHOLE, reference: 'customer-7' } });
});

test('the search of a bulk call selects only subscriptions that the list shows to the same caller', async () => {
  await admin.db.query(`update subscriptions set status = 'active'`);
  const dryRun = async (key: string) => {
    const body = { action: 'pause', filter: { q: 'ada.byron' }, dryRun: true };
    return (await admin.call('POST', '/v1/bulk', { key, body })).json<{ total: number }>().total;
  };
  expect(await dryRun(admin.keys.operator)).toBe(1);
  expect(await dryRun(await keyOf('operator', ['bulk', 'subscriptions:steer']))).toBe(0);
});

describe('list endpoints', () => {
  beforeAll(async () => {
    await admin.db.query(`
      update subscriptions set status = 'active', next_due_at = first_payment_at, payment_id = coalesce(payment_id, 'pay_of_a');
      insert into attention_items (item_id, source, kind, subscription_id, since)
      values ('att_0123456789abcdef01234567', 'difference', 'amount', 'sub_a', now())`);
    admin.clock.business += DAY * 366;
  });

  const LISTS = ['subscriptions', 'payments', 'attention', 'reports/deadlines'];

  test.each(LISTS)('the payer of an item in %s has name and e-mail for callers who may read payers', async (list) => {
    const payers = eachItems(await admin.call('GET', `/v1/${list}`, { key: admin.keys.operator }), 'payer');
    expect(payers).toEqual([{ name: 'Grace Hopper', email: WHOLE, reference: 'customer-7' }]);
  });

  test.each(LISTS)('the payer of a list item in %s has no name and a masked e-mail for other callers', async (list) => {
    const payers = eachItems(await admin.call('GET', `/v1/${list}`, { key: admin.keys.viewer }), 'payer');
    expect(payers).toEqual([{ email: MASKED, reference: 'customer-7' }]);
  });

  test.each<[readonly Scope[], object]>([
    [[], { name: 'Grace Hopper', email: WHOLE }],
    [['bulk', 'subscriptions:steer', 'payers:read'], { name: 'Grace Hopper', email: WHOLE }],
    [['bulk', 'subscriptions:steer'], { email: MASKED }],
  ])('the dry run of an operator with the scopes %j shows the payer as %j', async (scopes, seen) => {
    const body = { action: 'pause', filter: { q: 'hopper' }, dryRun: true };
    const answer = await admin.call('POST', '/v1/bulk', { key: await keyOf('operator', scopes), body });
    expect(eachItems(answer, 'payer')).toEqual([{ ...seen, reference: 'customer-7' }]);
  });
});
