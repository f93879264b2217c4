import { pino } from 'pino';
import { type AdminUnderTest, faultPaths, faultsOf, NOW, PRODUCTION, SANDBOX, startAdmin } from './admin-under-test';
import { address, order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterEach(() => {
  admin.workflows.onCreate = (draft) => admin.workflows.open(draft);
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

const create = (changes: Record<string, unknown> = {}) =>
  admin.call('POST', '/v1/subscriptions', { role: 'operator', body: order(changes) });

test('creating a subscription returns it in pending_consent with the address at which the payer approves', async () => {
  const answer = await create({ subscriptionId: 'sub_a' });
  expect(answer.json()).toEqual({
    metadata: {},
    subscriptionId: 'sub_a',
    paymentId: 'pay_sub_a',
    status: 'pending_consent',
    standing: 'good',
    repetition: 'MONTHLY',
    amount: { value: 1999, currency: 'EUR' },
    consentAmount: { value: 1999, currency: 'EUR' },
    startAt: '2027-01-31T12:00:00.000Z',
    firstPaymentAt: '2027-01-31T12:00:00.000Z',
    endAt: null,
    nextDueAt: '2027-01-31T12:00:00.000Z',
    cyclesCollected: 0,
    consent: { status: 'pending', redirectURL: 'https://bank.example/approve', checkedAt: null },
    payer: { name: 'Ada Byron', email: 'ada@example.com', reference: 'customer 17' },
    createdAt: '2027-01-31T12:00:00.000Z',
    workflowId: 'subscription/sub_a',
  });
  expect(answer.statusCode).toBe(201);
  expect(answer.headers.location).toBe('/v1/subscriptions/sub_a');
});

test('creating a subscription passes on everything that was requested, and who requested it', async () => {
  await create({
    subscriptionId: 'sub_all',
    startAt: '2026-12-01T00:00:00+02:00',
    firstPaymentAt: '2027-02-01T10:00+01:00',
    endAt: '2028-01-01T00:00:00.123456Z',
    shippingAddress: address({ city: 'Köln', email: 'door@example.com' }),
    onExhausted: 'pause',
  });
  const { draft, actor } = admin.workflows.created.at(-1)!;
  expect(actor).toBe('operator of the shop');
  expect(draft).toMatchObject({
    subscriptionId: 'sub_all',
    consentAmount: { value: 1999, currency: 'EUR' },
    startAt: Date.UTC(2026, 10, 30, 22),
    firstPaymentAt: Date.UTC(2027, 1, 1, 9),
    endAt: Date.UTC(2028, 0, 1, 0, 0, 0, 123),
    onExhausted: 'pause',
    billingAddress: address(),
    shippingAddress: address({ city: 'Köln', email: 'door@example.com' }),
    returnURL: 'https://shop.example/back',
    createdAt: NOW,
    draftedRealAt: admin.clock.real,
  });
});

test('creating a subscription generates an id if none is given, and continues after exhausted retries by default', async () => {
  const answer = await create();
  expect(answer.json().subscriptionId).toMatch(/^sub_[0-9a-f]{32}$/);
  expect(admin.workflows.created.at(-1)!.draft.onExhausted).toBe('continue');
});

test('creating a subscription accepts a payer without details', async () => {
  const answer = await create({ payer: {} });
  expect(answer.statusCode).toBe(201);
  expect(answer.json().payer).toEqual({ name: 'Ada Byron' });
});

test('creating a subscription warns if endAt cuts the last window by a millisecond, but not if it is whole', async () => {
  const cut = await create({ endAt: '2027-02-05T11:59:59.999Z' });
  expect(cut.json().warnings).toEqual([expect.stringContaining('cycle 0')]);
  const whole = await create({ endAt: '2027-02-05T12:00:00.000Z' });
  expect(whole.statusCode).toBe(201);
  expect(whole.json()).not.toHaveProperty('warnings');
});

test('a first payment now is accepted, one a millisecond ago is rejected', async () => {
  expect((await create({ firstPaymentAt: '2027-01-31T12:00:00.000Z' })).statusCode).toBe(201);
  const past = await create({ firstPaymentAt: '2027-01-31T11:59:59.999Z', startAt: '2027-01-01T00:00:00Z' });
  expect(faultsOf(past)).toEqual([
    {
      path: 'firstPaymentAt',
      message: 'expected a time not before now, 2027-01-31T12:00:00.000Z; got 2027-01-31T11:59:59.999Z',
    },
  ]);
});

test('startAt may lie in the past or equal firstPaymentAt, but not lie a millisecond after it', async () => {
  expect((await create({ startAt: '1999-01-01T00:00:00Z' })).statusCode).toBe(201);
  const after = await create({ startAt: '2027-01-31T12:00:00.001Z' });
  expect(faultPaths(after)).toEqual(['firstPaymentAt']);
});

test('endAt is accepted a millisecond after the first payment, and rejected at the same instant', async () => {
  expect((await create({ endAt: '2027-01-31T12:00:00.001Z' })).statusCode).toBe(201);
  expect(faultPaths(await create({ endAt: '2027-01-31T12:00:00.000Z' }))).toEqual(['endAt']);
});

test.each([
  ['that ends with the last instant', 201, { firstPaymentAt: '9999-12-26T23:59:59.999Z' }],
  ['that would end a millisecond after the last instant', 400, { firstPaymentAt: '9999-12-27T00:00:00.000Z' }],
  [
    'that endAt cuts at the last instant',
    201,
    { firstPaymentAt: '9999-12-31T00:00:00.000Z', endAt: '9999-12-31T23:59:59.999Z' },
  ],
])('a first collection window %s is answered with %i', async (_what, status, dates) => {
  const answer = await create(dates);
  expect(answer.statusCode).toBe(status);
  if (status === 201) return;
  expect(faultsOf(answer)).toEqual([
    {
      path: 'firstPaymentAt',
      message: 'expected a time at least 120 hours before 9999-12-31T23:59:59.999Z; got 9999-12-27T00:00:00.000Z',
    },
  ]);
});

/** Every field: missing, of a wrong type, empty, too long, or with a value that is not in its list. */
const BAD_FIELDS: [string, Record<string, unknown>, string[]][] = [
  ['no amount', { amount: undefined }, ['amount']],
  ['an amount as a number', { amount: 1999 }, ['amount']],
  ['an amount of null', { amount: null }, ['amount']],
  ['an amount of zero', { amount: { value: 0, currency: 'EUR' } }, ['amount.value']],
  ['a negative amount', { amount: { value: -1, currency: 'EUR' } }, ['amount.value']],
  ['a fraction of a cent', { amount: { value: 19.99, currency: 'EUR' } }, ['amount.value']],
  ['an amount as text', { amount: { value: '1999', currency: 'EUR' } }, ['amount.value']],
  ['an absurdly large amount', { amount: { value: 100_000_001, currency: 'EUR' } }, ['amount.value']],
  ['an amount too large for exact numbers', { amount: { value: 1e300, currency: 'EUR' } }, ['amount.value']],
  ['a currency other than EUR', { amount: { value: 1999, currency: 'USD' } }, ['amount.currency']],
  ['no currency', { amount: { value: 1999 } }, ['amount.currency']],
  ['an unknown field in the amount', { amount: { value: 1, currency: 'EUR', vat: 1 } }, ['amount.vat']],
  ['no repetition', { repetition: undefined }, ['repetition']],
  ['a repetition that does not exist', { repetition: 'DAILY' }, ['repetition']],
  ['a repetition in lower case', { repetition: 'monthly' }, ['repetition']],
  ['no startAt', { startAt: undefined }, ['startAt']],
  ['a startAt without a time', { startAt: '2027-01-31' }, ['startAt']],
  ['a startAt without an offset', { startAt: '2027-01-31T12:00:00' }, ['startAt']],
  ['a startAt as a number', { startAt: 1801396800000 }, ['startAt']],
  ['no firstPaymentAt', { firstPaymentAt: undefined }, ['firstPaymentAt']],
  ['a firstPaymentAt on 30 February', { firstPaymentAt: '2027-02-30T12:00:00Z' }, ['firstPaymentAt']],
  ['a firstPaymentAt after year 9999', { firstPaymentAt: '9999-12-31T23:59:59-01:00' }, ['firstPaymentAt']],
  ['an endAt of null', { endAt: null }, ['endAt']],
  ['an endAt in words', { endAt: 'next year' }, ['endAt']],
  ['no returnURL', { returnURL: undefined }, ['returnURL']],
  ['an empty returnURL', { returnURL: '' }, ['returnURL']],
  ['a returnURL over http', { returnURL: 'http://shop.example/back' }, ['returnURL']],
  ['a returnURL that only begins like loopback', { returnURL: 'http://127.0.0.1.evil.example/' }, ['returnURL']],
  ['a returnURL with a password', { returnURL: 'https://me:secret@shop.example/' }, ['returnURL']],
  ['a returnURL that is JavaScript', { returnURL: 'javascript:alert(1)' }, ['returnURL']],
  ['a returnURL without a host', { returnURL: '/back' }, ['returnURL']],
  ['a returnURL of two lines', { returnURL: 'https://shop.example/\nx' }, ['returnURL']],
  ['a returnURL that is too long', { returnURL: `https://shop.example/${'a'.repeat(2048)}` }, ['returnURL']],
  ['no billingAddress', { billingAddress: undefined }, ['billingAddress']],
  ['a list as billingAddress', { billingAddress: [] }, ['billingAddress']],
  [
    'an empty billingAddress',
    { billingAddress: {} },
    ['name', 'street', 'postalCode', 'city', 'country'].map((field) => `billingAddress.${field}`),
  ],
  ['a blank name', { billingAddress: address({ name: '   ' }) }, ['billingAddress.name']],
  ['a name that is too long', { billingAddress: address({ name: 'A'.repeat(121) }) }, ['billingAddress.name']],
  ['a name of two lines', { billingAddress: address({ name: 'A\r\nBcc: b@c.de' }) }, ['billingAddress.name']],
  ['a postal code as a number', { billingAddress: address({ postalCode: 10115 }) }, ['billingAddress.postalCode']],
  ['a country of three letters', { billingAddress: address({ country: 'DEU' }) }, ['billingAddress.country']],
  ['a country in lower case', { billingAddress: address({ country: 'de' }) }, ['billingAddress.country']],
  ['a country that does not exist', { billingAddress: address({ country: 'XX' }) }, ['billingAddress.country']],
  ['an invalid e-mail in the address', { billingAddress: address({ email: 'ada@' }) }, ['billingAddress.email']],
  ['an unknown field in the address', { billingAddress: address({ phone: '1' }) }, ['billingAddress.phone']],
  [
    'half a shippingAddress',
    { shippingAddress: { name: 'Ada', city: 'Berlin' } },
    ['street', 'postalCode', 'country'].map((f) => `shippingAddress.${f}`),
  ],
  ['no payer', { payer: undefined }, ['payer']],
  ['a payer as text', { payer: 'ada' }, ['payer']],
  ['an invalid e-mail of the payer', { payer: { email: 'ada' } }, ['payer.email']],
  ['two e-mails of the payer', { payer: { email: 'a@b.de, c@d.de' } }, ['payer.email']],
  ['an e-mail that is too long', { payer: { email: `${'a'.repeat(250)}@b.de` } }, ['payer.email']],
  ['a reference that is too long', { payer: { reference: 'r'.repeat(141) } }, ['payer.reference']],
  ['an unknown field in the payer', { payer: { phone: '1' } }, ['payer.phone']],
  ['an unknown onExhausted', { onExhausted: 'stop' }, ['onExhausted']],
  ['an empty id', { subscriptionId: '' }, ['subscriptionId']],
  ['an id of 65 characters', { subscriptionId: 'a'.repeat(65) }, ['subscriptionId']],
  ['an id that begins with a hyphen', { subscriptionId: '-a' }, ['subscriptionId']],
  ['an id with a slash', { subscriptionId: 'a/b' }, ['subscriptionId']],
  ['an id ending in a newline', { subscriptionId: 'a\n' }, ['subscriptionId']],
  ['an id that contains SQL', { subscriptionId: "x'; drop table payers; --" }, ['subscriptionId']],
  ['an invalid id in replaces', { replaces: 17 }, ['replaces']],
  ['an unknown id in replaces', { replaces: 'sub_nobody' }, ['replaces']],
  ['an unknown field', { colour: 'red' }, ['colour']],
  ['a field named constructor', { constructor: { prototype: {} } }, ['constructor']],
];

test.each(BAD_FIELDS)(
  'a subscription request with %s is rejected with the path of the fault',
  async (_what, changes, paths) => {
    const before = admin.workflows.created.length;
    const answer = await create(changes);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.json()).toMatchObject({ code: 'invalid_request', status: 400 });
    expect([...new Set(faultPaths(answer))].sort()).toEqual([...paths].sort());
    for (const { message } of faultsOf(answer)) expect(message).toMatch(/^(expected .+; got .+|unknown field)/);
    expect(admin.workflows.created).toHaveLength(before);
  },
);

test('an invalid subscription request is rejected with all its faults at once, including those across fields, but without its values', async () => {
  const answer = await create({
    amount: { value: 'forty-two', currency: 'EUR' },
    startAt: '2027-03-01T00:00:00Z',
    firstPaymentAt: '2027-01-01T00:00:00Z',
    endAt: '2026-01-01T00:00:00Z',
    returnURL: 'ftp://shop.example',
    billingAddress: address({ country: 'Germany' }),
    replaces: 'sub_nobody',
    colour: 'red',
  });
  expect(faultPaths(answer).sort()).toEqual(
    [
      'amount.value',
      'billingAddress.country',
      'colour',
      'endAt',
      'firstPaymentAt',
      'firstPaymentAt',
      'replaces',
      'returnURL',
    ].sort(),
  );
  for (const value of ['forty-two', 'Germany', 'red', 'ftp:']) expect(answer.body).not.toContain(value);
});

test('an invalid subscription request is rejected with what was expected and the shape of what was received', async () => {
  const answer = await create({ amount: { value: '1999', currency: 'EUR' }, repetition: 'DAILY', payer: null });
  const said = Object.fromEntries(faultsOf(answer).map(({ path, message }) => [path, message]));
  expect(said).toEqual({
    'amount.value': 'expected a number; got text of 4 characters',
    repetition: 'expected one of WEEKLY, MONTHLY, QUARTERLY, HALF_YEARLY, YEARLY; got "DAILY"',
    payer: 'expected an object; got null',
  });
});

test.each([
  ['missing', undefined, 'got nothing'],
  ['null', 'null', 'got nothing'],
  ['a list', '[]', 'got a list of 0 items'],
  ['text', '"order"', 'got text of 5 characters'],
])('a subscription request whose body is %s is rejected', async (_what, body, shape) => {
  const answer = await admin.call('POST', '/v1/subscriptions', { body });
  expect(answer.statusCode).toBe(400);
  expect(faultsOf(answer)).toEqual([{ path: '', message: `expected an object; ${shape}` }]);
});

test.each([
  ['1 cent', 1],
  ['a million euros', 100_000_000],
])('a subscription is created with an amount of %s', async (_what, value) => {
  expect((await create({ amount: { value, currency: 'EUR' } })).statusCode).toBe(201);
});

test.each(['http://localhost:3000/back', 'http://127.0.0.1/back', 'http://[::1]:8080/', 'https://shop.example'])(
  'in the sandbox a payer may return to %s',
  async (returnURL) => {
    expect((await create({ returnURL })).statusCode).toBe(201);
  },
);

test('a new subscription with an id that is in use is a conflict', async () => {
  await create({ subscriptionId: 'sub_twice' });
  const again = await create({ subscriptionId: 'sub_twice' });
  expect(again.statusCode).toBe(409);
  expect(again.json().code).toBe('state_conflict');
});

test('a new subscription with the id of another one that is being created is a conflict', async () => {
  admin.workflows.onCreate = async () => ({ kind: 'exists' });
  expect((await create({ subscriptionId: 'sub_draft' })).json()).toMatchObject({
    status: 409,
    code: 'state_conflict',
  });
});

test('a refusal of a new subscription by the payment service is returned with its description', async () => {
  admin.workflows.onCreate = async () => ({ kind: 'refused', detail: 'AMOUNT_TOO_HIGH', description: 'too high' });
  const answer = await create();
  expect(answer.json()).toMatchObject({
    status: 400,
    code: 'invalid_request',
    detail: expect.stringContaining('too high'),
  });
  expect(faultsOf(answer)[0]!.message).toContain('AMOUNT_TOO_HIGH');
});

test('without a usable answer of the payment service a new subscription is answered with 502, and the reason is in the log only', async () => {
  admin.workflows.onCreate = async () => ({ kind: 'unavailable', reason: 'connect ECONNREFUSED 10.0.0.7:443' });
  const logged: string[] = [];
  const on = await admin.another({ logger: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }) });
  const answer = await admin.call('POST', '/v1/subscriptions', { on, body: order({}) });
  expect(answer.json()).toMatchObject({ status: 502, code: 'payment_service_unavailable' });
  expect(answer.body).not.toContain('10.0.0.7');
  const failed = logged.filter((line) => line.includes('request failed'));
  expect(failed).toEqual([expect.stringContaining('"reason":"connect ECONNREFUSED 10.0.0.7:443"')]);
  await on.close();
});

test('without a worker a new subscription is answered with 503, which names the subscription that may still be created', async () => {
  admin.workflows.onCreate = async () => ({ kind: 'not_ready' });
  const answer = await create({ subscriptionId: 'sub_later' });
  expect(answer.json()).toMatchObject({ status: 503, code: 'not_ready', subscriptionId: 'sub_later' });
});

test('an internal error is a 500 that reveals only the request id', async () => {
  admin.workflows.onCreate = async () => {
    throw new Error('password of the ledger: hunter2');
  };
  const answer = await create();
  expect(answer.json()).toMatchObject({ status: 500, code: 'internal' });
  expect(answer.json().detail).toContain(answer.json().requestId);
  expect(answer.body).not.toMatch(/hunter2|at .*\.ts/);
});

test('only an active or paused subscription can be replaced', async () => {
  await create({ subscriptionId: 'sub_old' });
  expect(faultsOf(await create({ replaces: 'sub_old' }))[0]!.message).toContain('pending_consent');
  for (const status of ['active', 'paused']) {
    await admin.db.query(`update subscriptions set status = $1 where subscription_id = 'sub_old'`, [status]);
    const answer = await create({ replaces: 'sub_old' });
    expect(answer.json().replaces).toBe('sub_old');
    await admin.db.query(`update subscriptions set status = 'consent_failed' where replaces = 'sub_old'`);
  }
  await admin.db.query(`update subscriptions set status = 'cancelled' where subscription_id = 'sub_old'`);
  expect((await create({ replaces: 'sub_old' })).statusCode).toBe(400);
});

test('a second replacement is answered with 409, which names the first and the address at which its payer approves', async () => {
  await create({ subscriptionId: 'sub_old' });
  await admin.db.query(`update subscriptions set status = 'active' where subscription_id = 'sub_old'`);
  const first = await create({ replaces: 'sub_old' });
  const { subscriptionId, consent } = first.json<{ subscriptionId: string; consent: { redirectURL: string } }>();
  const second = await create({ replaces: 'sub_old' });
  expect([second.statusCode, second.json()]).toMatchObject([
    409,
    {
      code: 'state_conflict',
      detail: expect.stringContaining(consent.redirectURL),
      replacement: { subscriptionId, status: 'pending_consent', redirectURL: consent.redirectURL },
    },
  ]);
  await admin.db.query(`update subscriptions set status = 'active' where subscription_id = $1`, [subscriptionId]);
  const third = await create({ replaces: 'sub_old' });
  expect(third.json().replacement).toEqual({ subscriptionId, status: 'active' });
  await admin.db.query(`update subscriptions set stopped_by = 'cancel' where subscription_id = $1`, [subscriptionId]);
  expect((await create({ replaces: 'sub_old' })).statusCode).toBe(201);
});

test('in production subscriptions are refused until they are released', async () => {
  const closed = await admin.another({ policy: PRODUCTION });
  const refused = await admin.call('POST', '/v1/subscriptions', { body: order(), on: closed });
  expect(refused.json()).toMatchObject({ status: 409, code: 'state_conflict' });
  const open = await admin.another({ policy: { ...PRODUCTION, subscriptionsReleased: true } });
  expect((await admin.call('POST', '/v1/subscriptions', { body: order(), on: open })).statusCode).toBe(201);
  await Promise.all([closed.close(), open.close()]);
});

test('in production a return address on loopback is rejected', async () => {
  const app = await admin.another({ policy: { ...PRODUCTION, subscriptionsReleased: true } });
  const answer = await admin.call('POST', '/v1/subscriptions', {
    body: order({ returnURL: 'http://localhost/back' }),
    on: app,
  });
  expect(faultPaths(answer)).toEqual(['returnURL']);
  await app.close();
});

test.each(['4111', '4112', '4789', '7523', '4131'])(
  'for a merchant of category %s, 50.00 EUR is accepted, and 50.01 EUR rejected',
  async (category) => {
    const app = await admin.another({
      policy: { ...SANDBOX, merchantCategoryCode: category },
    });
    const ask = (value: number) =>
      admin.call('POST', '/v1/subscriptions', { body: order({ amount: { value, currency: 'EUR' } }), on: app });
    expect((await ask(5000)).statusCode).toBe(201);
    expect(faultPaths(await ask(5001))).toEqual(['amount.value']);
    await app.close();
  },
);

test('a category other than the capped ones has no cap on amounts', async () => {
  const app = await admin.another({
    policy: { ...SANDBOX, merchantCategoryCode: '5411' },
  });
  const body = order({ amount: { value: 5001, currency: 'EUR' } });
  expect((await admin.call('POST', '/v1/subscriptions', { body, on: app })).statusCode).toBe(201);
  await app.close();
});
