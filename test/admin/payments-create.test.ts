import type { Policy } from '../../src/admin';
import { HOUR } from '../../src/domain/time';
import {
  type AdminUnderTest,
  type CallOptions,
  faultPaths,
  faultsOf,
  NOW,
  PRODUCTION,
  SANDBOX,
  startAdmin,
} from './admin-under-test';
import { address } from './order';
import { BOTH_FLAGS, eur, payment } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterEach(() => {
  admin.payments.onCreate = (draft) => admin.payments.open(draft);
});
afterAll(() => admin.stop());

const create = (changes: Record<string, unknown> = {}, options: CallOptions = {}) =>
  admin.call('POST', '/v1/payments', { role: 'operator', body: payment(changes), ...options });
const single = (changes: Record<string, unknown> = {}) => ({ plan: 'SINGLE', ...changes });

async function under<T>(policy: Partial<Policy>, work: (ask: typeof create) => Promise<T>): Promise<T> {
  const on = await admin.another({ policy: { ...SANDBOX, ...policy } });
  try {
    return await work((changes, options) => create(changes, { on, ...options }));
  } finally {
    await on.close();
  }
}

test('requesting a payment returns it in pending_consent with the address at which the payer approves', async () => {
  const answer = await create(BOTH_FLAGS);
  expect(answer.statusCode).toBe(201);
  const { requestId } = admin.payments.created.at(-1)!;
  expect(answer.json()).toEqual({
    metadata: {},
    paymentId: `at-service:${requestId}`,
    plan: 'EVENT_DEPENDENT',
    amount: eur(10_000),
    status: 'pending_consent',
    consent: { status: 'pending', redirectURL: 'https://bank.example/approve', checkedAt: null },
    authorizations: [],
    captures: [],
    refunds: [],
    remaining: eur(0),
    ...BOTH_FLAGS,
    timeToCapture: 604_800,
    payer: { name: 'Ada Byron' },
    createdAt: '2027-01-31T12:00:00.000Z',
    workflowId: `payment/${requestId}`,
  });
  expect(answer.headers.location).toBe(`/v1/payments/at-service%3A${requestId}`);
  const read = await admin.call('GET', answer.headers.location as string, { role: 'viewer' });
  // A viewer may not read the payer's name.
  expect(read.json()).toEqual({ ...answer.json<object>(), payer: {} });
});

test('requesting a payment passes on everything that was requested, and who requested it', async () => {
  const shippingAddress = address({ city: 'Köln' });
  await create({ timeToCapture: 60, partialCapture: true, merchantCategoryCode: '5411', shippingAddress });
  expect(admin.payments.created.at(-1)).toEqual({
    metadata: {},
    requestId: expect.stringMatching(/^pay_[0-9a-f]{32}$/),
    workflowId: expect.stringMatching(/^payment\/pay_[0-9a-f]{32}$/),
    plan: 'EVENT_DEPENDENT',
    amount: eur(10_000),
    returnURL: 'https://shop.example/back',
    timeToCapture: 60,
    partialCapture: true,
    multipleCapture: false,
    merchantCategoryCode: '5411',
    billingAddress: address(),
    shippingAddress,
    createdAt: NOW,
    draftedRealAt: admin.clock.real,
    payer: { email: null, reference: null, language: null },
    actor: 'operator of the shop',
    keyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('requesting a Single Immediate payment has no time to capture and no flags', async () => {
  const answer = await create(single({ partialCapture: false, multipleCapture: false }));
  expect(answer.json()).toMatchObject({ plan: 'SINGLE', timeToCapture: null, partialCapture: false });
  expect(admin.payments.created.at(-1)).toMatchObject({ timeToCapture: null, shippingAddress: null });
});

test('requesting a payment needs an operator', async () => {
  expect((await create({}, { role: 'viewer' })).json()).toMatchObject({ status: 403, code: 'forbidden' });
});

test('one-time payments can be requested in production, but not with a return address on loopback', async () => {
  await under(PRODUCTION, async (ask) => {
    expect((await ask()).statusCode).toBe(201);
    expect(faultPaths(await ask({ returnURL: 'http://localhost/back' }))).toEqual(['returnURL']);
  });
  expect((await create({ returnURL: 'http://localhost/back' })).statusCode).toBe(201);
});

test.each([1, 604_800])('timeToCapture of %d seconds is accepted as given', async (timeToCapture) => {
  expect((await create({ timeToCapture })).json()).toMatchObject({ timeToCapture });
});

test.each([0, 604_801, 864_000, 864_001, 1.5])('timeToCapture of %d seconds is refused', async (timeToCapture) => {
  expect(faultPaths(await create({ timeToCapture }))).toEqual(['timeToCapture']);
});

test('timeToCapture may be up to 864000 seconds if LONG_CAPTURE_PERMITTED is on, and is a week by default even then', async () => {
  await under({ longCapturePermitted: true }, async (ask) => {
    for (const timeToCapture of [604_801, 864_000]) {
      expect((await ask({ timeToCapture })).json()).toMatchObject({ timeToCapture });
    }
    expect(faultPaths(await ask({ timeToCapture: 864_001 }))).toEqual(['timeToCapture']);
    expect((await ask()).json()).toMatchObject({ timeToCapture: 604_800 });
  });
});

test.each(['4111', '4112', '4789', '7523', '4131'])(
  'timeToCapture is never longer than a week for category %s',
  async (category) => {
    await under({ longCapturePermitted: true, merchantCategoryCode: category }, async (ask) => {
      const capped = (changes: object) => ask({ partialCapture: true, ...changes });
      expect((await capped({ timeToCapture: 604_800 })).statusCode).toBe(201);
      expect(faultsOf(await capped({ timeToCapture: 604_801 }))).toEqual([
        {
          path: 'timeToCapture',
          message: `expected a number of at most 604800, for category ${category}; got 604801`,
        },
      ]);
      // The category that a payment names takes precedence over that of the deployment.
      expect((await capped({ timeToCapture: 604_801, merchantCategoryCode: '5411' })).statusCode).toBe(201);
    });
    await under({ longCapturePermitted: true }, async (ask) => {
      const own = await ask({ partialCapture: true, timeToCapture: 604_801, merchantCategoryCode: category });
      expect(faultPaths(own)).toEqual(['timeToCapture']);
    });
  },
);

test('timeToCapture is refused for Single Immediate', async () => {
  expect(faultPaths(await create(single({ timeToCapture: 604_800 })))).toEqual(['timeToCapture']);
});

test.each([
  [false, false],
  [false, true],
  [true, true],
  [true, false],
])('partialCapture %s with multipleCapture %s is accepted for Event Dependent', async (partial, multiple) => {
  const flags = { partialCapture: partial, multipleCapture: multiple };
  expect((await create(flags)).json()).toMatchObject(flags);
});

test.each([
  [{ partialCapture: true }, ['partialCapture']],
  [{ multipleCapture: true }, ['multipleCapture']],
  [BOTH_FLAGS, ['partialCapture', 'multipleCapture']],
])('the capture flags %j are refused for Single Immediate', async (flags, paths) => {
  expect(faultPaths(await create(single(flags)))).toEqual(paths);
});

test.each(['4111', '4112', '4789', '7523', '4131'])(
  'for category %s, the amount of a payment that must be captured in one capture is capped at 50.00 EUR',
  async (category) => {
    await under({ merchantCategoryCode: category }, async (ask) => {
      for (const whole of [{ plan: 'SINGLE' }, {}, { multipleCapture: true }]) {
        expect((await ask({ ...whole, amount: eur(5000) })).statusCode).toBe(201);
        expect(faultPaths(await ask({ ...whole, amount: eur(5001) }))).toEqual(['amount.value']);
      }
      for (const parts of [BOTH_FLAGS, { partialCapture: true }]) {
        expect((await ask({ ...parts, amount: eur(5001) })).statusCode).toBe(201);
      }
    });
  },
);

test('the category of a payment takes precedence over that of the deployment, capped or not, and is shown', async () => {
  await under({ merchantCategoryCode: '4111' }, async (ask) => {
    const own = await ask({ amount: eur(5001), merchantCategoryCode: '5411' });
    expect(own.json()).toMatchObject({ merchantCategoryCode: '5411' });
    expect((await ask({ amount: eur(5000) })).json()).toMatchObject({ merchantCategoryCode: '4111' });
  });
  await under({ merchantCategoryCode: '5411' }, async (ask) => {
    expect(faultPaths(await ask({ amount: eur(5001), merchantCategoryCode: '4111' }))).toEqual(['amount.value']);
  });
});

test('the amount is not checked against the cap of a category if the category or the capture flag is invalid', async () => {
  await under({ merchantCategoryCode: '4111' }, async (ask) => {
    const category = await ask({ amount: eur(5001), merchantCategoryCode: '41' });
    expect(faultPaths(category)).toEqual(['merchantCategoryCode']);
    expect(faultPaths(await ask({ amount: eur(5001), partialCapture: 'yes' }))).toEqual(['partialCapture']);
  });
});

test.each<[string, Record<string, unknown>, string[]]>([
  ['no plan', { plan: undefined }, ['plan']],
  ['the plan of subscriptions', { plan: 'SUBSCRIPTION' }, ['plan']],
  ['no amount', { amount: undefined }, ['amount']],
  ['an amount of 0', { amount: eur(0) }, ['amount.value']],
  ['an amount that is too high', { amount: eur(100_000_001) }, ['amount.value']],
  ['another currency', { amount: { value: 1, currency: 'USD' } }, ['amount.currency']],
  ['no returnURL', { returnURL: undefined }, ['returnURL']],
  ['a returnURL with a password', { returnURL: 'https://me:secret@shop.example/' }, ['returnURL']],
  ['no billingAddress', { billingAddress: undefined }, ['billingAddress']],
  ['half a shippingAddress', { shippingAddress: address({ street: undefined }) }, ['shippingAddress.street']],
  ['a timeToCapture of null', { timeToCapture: null }, ['timeToCapture']],
  ['a flag as text', { multipleCapture: 'true' }, ['multipleCapture']],
  ['a category of three digits', { merchantCategoryCode: '411' }, ['merchantCategoryCode']],
  ['a category of five digits', { merchantCategoryCode: '41111' }, ['merchantCategoryCode']],
  ['a category as a number', { merchantCategoryCode: 4111 }, ['merchantCategoryCode']],
  ['an unknown field', { colour: 'red' }, ['colour']],
])('a bad request for a payment with %s is refused with the path of the fault', async (_what, changes, paths) => {
  const before = admin.payments.created.length;
  const answer = await create(changes);
  expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(faultPaths(answer)).toEqual(paths);
  expect(admin.payments.created).toHaveLength(before);
});

test('a bad request for a payment names all its faults at once, including those against the rules', async () => {
  await under({ merchantCategoryCode: '4111' }, async (ask) => {
    const flags = { timeToCapture: 5, partialCapture: true };
    const answer = await ask(single({ ...flags, amount: eur(5001), returnURL: 'ftp://x', colour: 'red' }));
    const expected = ['amount.value', 'colour', 'partialCapture', 'returnURL', 'timeToCapture'];
    expect(faultPaths(answer).sort()).toEqual(expected);
    const valid = await ask(single({ ...flags, amount: eur(5001), returnURL: 'ftp://x' }));
    expect(faultPaths(valid).sort()).toEqual(expected.filter((path) => path !== 'colour'));
  });
});

test('a repeated request for a payment gets the first response, and after a day the payment in its current state', async () => {
  const idempotencyKey = 'again-1';
  const first = await create({}, { idempotencyKey });
  const again = await create({}, { idempotencyKey });
  expect(again.json()).toEqual(first.json());
  expect(again.headers['idempotent-replay']).toBe('true');
  const before = admin.payments.created.length;
  admin.clock.real += 25 * HOUR;
  const late = await create({}, { idempotencyKey });
  expect(late.json()).toEqual(first.json());
  expect(late.headers).not.toHaveProperty('idempotent-replay');
  expect(admin.payments.created).toHaveLength(before);
  expect((await create({ amount: eur(1) }, { idempotencyKey })).statusCode).toBe(422);
});

test('a request for a payment repeated after a lost answer finds the payment that was created, even under rules that have changed', async () => {
  const idempotencyKey = 'lost-1';
  const changes = { timeToCapture: 864_000 };
  admin.payments.onCreate = async (draft) => {
    await admin.payments.open(draft);
    throw new Error('the process died');
  };
  const lost = await under({ longCapturePermitted: true }, (ask) => ask(changes, { idempotencyKey }));
  expect(lost.statusCode).toBe(500);
  const again = await create(changes, { idempotencyKey });
  expect(again.statusCode).toBe(201);
  const { requestId } = admin.payments.created.at(-1)!;
  expect(again.json()).toMatchObject({ workflowId: `payment/${requestId}` });
});

test.each(['exists', 'not_ready'] as const)(
  'a payment whose creation ends as %s is found if it was created',
  async (kind) => {
    admin.payments.onCreate = async (draft) => {
      await admin.payments.open(draft);
      return { kind };
    };
    expect((await create({}, { idempotencyKey: `moment-${kind}` })).statusCode).toBe(201);
  },
);

test('requests with another body or API key create another payment, and without an Idempotency-Key each request does', async () => {
  const made = [
    await create({}, { idempotencyKey: 'mine' }),
    await create({}, { idempotencyKey: 'mine', role: 'admin' }),
    await create(),
    await create(),
  ];
  expect(new Set(made.map((answer) => answer.json<{ paymentId: string }>().paymentId)).size).toBe(4);
});

test('a refusal of a payment by the payment service is returned with the detail of the service', async () => {
  admin.payments.onCreate = async () => ({ kind: 'refused', detail: 'AMOUNT_TOO_HIGH', description: 'too high' });
  const answer = await create();
  expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(faultsOf(answer)[0]!.message).toContain('AMOUNT_TOO_HIGH');
});

test('an unusable answer of the payment service to a payment is answered with 502, without the reason', async () => {
  admin.payments.onCreate = async () => ({ kind: 'unavailable', reason: 'connect ECONNREFUSED 10.0.0.7:443' });
  const answer = await create();
  expect(answer.json()).toMatchObject({ status: 502, code: 'payment_service_unavailable' });
  expect(answer.body).not.toContain('10.0.0.7');
});

test.each(['exists', 'not_ready'] as const)(
  'a payment whose creation ends as %s is answered with 503, which says how to learn the result',
  async (kind) => {
    admin.payments.onCreate = async () => ({ kind });
    const answer = await create({}, { idempotencyKey: `wait-${kind}` });
    expect(answer.json()).toMatchObject({ status: 503, code: 'not_ready' });
    expect(answer.json().detail).toContain('Idempotency-Key');
    expect(answer.headers['retry-after']).toBe('5');
  },
);
