import {
  createApproved,
  basic,
  BOOKING,
  euros,
  oneTimeRequest,
  openShop,
  requestToken,
  type Answer,
  type Shop,
} from './merchant';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

async function merchant(terms: Record<string, unknown>): Promise<Credentials> {
  const { status, body } = await shop.post('/_sandbox/merchants', terms);
  expect(status).toBe(201);
  return body as unknown as Credentials;
}

const tokenOf = ({ clientId, clientSecret }: Credentials): Promise<Answer> =>
  requestToken(shop.url, basic(clientId, clientSecret));

async function as(who: Credentials, path: string, body?: unknown): Promise<Answer> {
  const authorization = `Bearer ${(await tokenOf(who)).body.access_token}`;
  return shop.send(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

it('a merchant of the simulator has its own credentials and terms', async () => {
  const restricted = await merchant({ merchantCategoryCode: '4111' });
  const refused = await as(restricted, '/payments', oneTimeRequest('SINGLE', { amount: euros(5001) }));
  expect(refused).toMatchObject({ status: 400, body: { detail: 'INVALID_REQUEST' } });
  expect((await shop.post('/payments', oneTimeRequest('SINGLE', { amount: euros(5001) }))).status).toBe(201);
});

it('a merchant of the simulator may be permitted the longer capture period, except in five categories', async () => {
  const request = oneTimeRequest('EVENT_DEPENDENT', { amount: euros(5000), timeToCapture: 864_000 });
  expect((await shop.post('/payments', request)).status).toBe(400);
  expect((await as(await merchant({ longCapturePermitted: true }), '/payments', request)).status).toBe(201);
  for (const merchantCategoryCode of ['4111', '4112', '4789', '7523', '4131']) {
    const restricted = await merchant({ longCapturePermitted: true, merchantCategoryCode });
    expect((await as(restricted, '/payments', request)).status).toBe(400);
    const usual = { ...request, timeToCapture: 604_800 };
    expect((await as(restricted, '/payments', usual)).status).toBe(201);
  }
});

it('a merchant does not see the payments of another', async () => {
  const paymentId = await createApproved(shop, oneTimeRequest('SINGLE'));
  const stranger = await merchant({});
  for (const path of [`/consents?paymentId=${paymentId}`, `/${paymentId}/consents`]) {
    expect(await as(stranger, path)).toMatchObject({ status: 404, body: { detail: 'NOT_FOUND' } });
    expect((await shop.get(path)).status).toBe(200);
  }
  expect((await as(stranger, `/captures`, { paymentId, amount: euros(1) })).status).toBe(404);
});

it('a merchant of production gets no token in the sandbox', async () => {
  const answer = await tokenOf(await merchant({ environment: 'production' }));
  expect(answer).toMatchObject({ status: 403, body: { detail: 'FORBIDDEN' } });
});

it('a merchant may call only from its own addresses', async () => {
  expect((await tokenOf(await merchant({ allowList: ['127.0.0.0/8'] }))).status).toBe(200);
  expect(await tokenOf(await merchant({ allowList: ['203.0.113.1'] }))).toMatchObject({
    status: 403,
    body: { detail: 'FORBIDDEN' },
  });
  const { status, body } = await shop.post('/_sandbox/merchants', { allowList: ['localhost'] });
  expect([status, body.description]).toEqual([400, 'expected an IP address or a CIDR subnet; got localhost']);
});

it('a merchant may be permitted refunds of Event Dependent payments', async () => {
  const permitted = await merchant({ eventDependentRefunds: true });
  const { body } = await as(permitted, '/payments', oneTimeRequest('EVENT_DEPENDENT'));
  shop.sandbox.payer(body.paymentId).approve();
  shop.clock.pass(BOOKING);
  await as(permitted, '/captures', { paymentId: body.paymentId, amount: euros(10000) });
  shop.clock.pass(BOOKING);
  expect((await as(permitted, `/${body.paymentId}/refunds`, { amount: euros(1) })).status).toBe(201);
});
