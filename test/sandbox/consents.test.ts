import { WALLETS } from '../../src/sandbox/bank/wallets';
import {
  ADDRESS,
  BOOKING,
  euros,
  oneTimeRequest,
  openShop,
  subscriptionRequest,
  type Answer,
  type Shop,
} from './merchant';

const SESSION = 600_000;
const SHOP_PAGE = 'https://shop.example/done?order=1';
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

async function requestSubscription(changes: Record<string, unknown> = {}): Promise<string> {
  return (await shop.post('/payments', subscriptionRequest(changes))).body.paymentId;
}
async function statusOf(paymentId: string): Promise<unknown> {
  return (await shop.get(`/${paymentId}/consents`)).body.status;
}
const open = (paymentId: string): Promise<Answer> => shop.get(`/payer/${paymentId}`);
const press = (paymentId: string, button: string, wallet?: string): Promise<Answer> =>
  shop.send(`/payer/${paymentId}/${button}`, {
    method: 'POST',
    body: new URLSearchParams(wallet === undefined ? {} : { wallet }),
  });

it('the payer page shows what is asked for and needs no script', async () => {
  const { status, headers, text } = await open(await requestSubscription({ amount: euros(100_005) }));
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('refresh')).toBe('600');
  for (const shown of ['1000.05 EUR', 'Subscription', 'monthly', 'Ada Example', 'shop.example'])
    expect(text).toContain(shown);
  expect(text).not.toContain('<script');
});

it.each([
  ['SINGLE', 'One payment'],
  ['EVENT_DEPENDENT', 'Payment after an event'],
] as const)('the payer page also shows a payment of the plan %s, and leads back to the shop', async (plan, words) => {
  const { body } = await shop.post('/payments', oneTimeRequest(plan));
  const { status, text } = await open(body.paymentId);
  expect([status, text.includes(words), text.includes('100.00 EUR')]).toEqual([200, true, true]);
  const pressed = await press(body.paymentId, 'approve');
  expect([pressed.status, pressed.headers.get('location')]).toEqual([303, 'https://shop.example/done']);
});

it("the payer page escapes the merchant's texts in HTML", async () => {
  const nasty = `"><script>alert('1')</script>&`;
  const { text } = await open(await requestSubscription({ billingAddress: { ...ADDRESS, name: nasty } }));
  expect(text).not.toContain('<script');
  expect(text).toContain('&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;');
});

it('the payer page lets the browser follow the form to the shop, and load nothing', async () => {
  const { headers } = await open(await requestSubscription());
  expect(headers.get('content-security-policy')).toMatch(
    /default-src 'none';.* form-action 'self' https:\/\/shop\.example;/,
  );
});

it.each([
  ['approve', { result: 'successful' }],
  ['decline', { result: 'failed', reason: 'declined' }],
  ['abort', { result: 'failed', reason: 'aborted' }],
])('the button %s of the payer page settles the consent and leads back to the shop', async (button, expected) => {
  const paymentId = await requestSubscription();
  const answer = await press(paymentId, button);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, SHOP_PAGE]);
  expect(await statusOf(paymentId)).toEqual(expected);
});

it('the payer page leads back to the shop once the consent is final, and changes nothing any more', async () => {
  const paymentId = await requestSubscription();
  await press(paymentId, 'approve');
  expect((await open(paymentId)).headers.get('location')).toBe(SHOP_PAGE);
  expect((await press(paymentId, 'decline')).headers.get('location')).toBe(SHOP_PAGE);
  expect(await statusOf(paymentId)).toEqual({ result: 'successful' });
});

it('the payer page offers each wallet as a card, with the one of the request selected', async () => {
  const email = 'wallet+insufficient-funds-3@example.test';
  const { text } = await open(await requestSubscription({ billingAddress: { ...ADDRESS, email } }));
  const cards = [...text.matchAll(/<input type="radio" name="wallet" value="([^"]+)"( checked)?>/g)];
  expect(cards.map(([, name]) => name)).toHaveLength(Object.keys(WALLETS).length + 1);
  expect(cards.filter(([, , checked]) => checked).map(([, name]) => name)).toEqual(['insufficient-funds-3']);
});

it('the payer page puts the number of the form into a wallet that needs one', async () => {
  const paymentId = await requestSubscription();
  const body = new URLSearchParams({ wallet: 'cancels-after-<n>', n: '4' });
  await shop.send(`/payer/${paymentId}/approve`, { method: 'POST', body });
  expect(shop.sandbox.payment(paymentId).wallet).toBe('cancels-after-4');
});

it('the payer page uses the wallet that the payer chose', async () => {
  const paymentId = await requestSubscription();
  await press(paymentId, 'approve', 'insufficient-funds-once');
  const refused = await shop.post(`/${paymentId}/authorizations`, { amount: euros(1999) });
  expect(refused.body.detail).toBe('AUTHORIZATION_REJECTION_RETRYABLE');
});

it('the payer page refuses unknown wallets, payments and buttons', async () => {
  const paymentId = await requestSubscription();
  expect((await press(paymentId, 'approve', '<b>')).status).toBe(400);
  expect(await statusOf(paymentId)).toEqual({ result: 'pending' });
  expect((await open('pay_unknown')).status).toBe(404);
  expect((await press(paymentId, 'steal')).status).toBe(404);
});

it('the payer page stays open with a wallet that never answers', async () => {
  const paymentId = await requestSubscription();
  expect((await press(paymentId, 'approve', 'never-answers')).headers.get('location')).toBe(`/payer/${paymentId}`);
  expect(await statusOf(paymentId)).toEqual({ result: 'pending' });
});

it('a consent can be approved until a millisecond before the 10 real minutes of its session are over', async () => {
  const paymentId = await requestSubscription();
  shop.clock.travelTo('2030-01-01T00:00:00.000Z');
  shop.clock.pass(SESSION - 1);
  shop.sandbox.payer(paymentId).approve();
  expect(shop.sandbox.payment(paymentId).consent.result).toBe('successful');
});

it('the session of a consent ends for good after 10 minutes', async () => {
  const paymentId = await requestSubscription();
  shop.clock.pass(SESSION);
  expect(() => shop.sandbox.payer(paymentId).approve()).toThrow('STATE_CONFLICT');
  expect((await open(paymentId)).headers.get('location')).toBe(SHOP_PAGE);
  expect(shop.sandbox.payment(paymentId).consent).toMatchObject({ result: 'failed', reason: 'timeout' });
});

const auto = (wallet: string): Promise<string> =>
  requestSubscription({ billingAddress: { ...ADDRESS, email: `wallet+${wallet}@example.test` } });

it.each([
  ['approves+auto', { result: 'successful' }],
  ['declines+auto', { result: 'failed', reason: 'declined' }],
  ['aborts+auto', { result: 'failed', reason: 'aborted' }],
  ['never-answers+auto', { result: 'pending' }],
  ['insufficient-funds-once+auto', { result: 'successful' }],
])('the wallet %s answers the consent automatically, after a moment', async (wallet, expected) => {
  const paymentId = await auto(wallet);
  shop.clock.pass(199);
  expect(await statusOf(paymentId)).toEqual({ result: 'pending' });
  shop.clock.pass(1);
  expect(await statusOf(paymentId)).toEqual(expected);
});

it('a wallet without +auto waits for the payer', async () => {
  const paymentId = await auto('declines');
  shop.clock.pass(SESSION / 4);
  expect(await statusOf(paymentId)).toEqual({ result: 'pending' });
  shop.sandbox.payer(paymentId).approve();
  expect(await statusOf(paymentId)).toEqual({ result: 'failed', reason: 'declined' });
});

it('the merchant can cancel a granted consent, and can repeat the cancellation', async () => {
  const paymentId = await requestSubscription();
  shop.sandbox.payer(paymentId).approve();
  const answers = [await shop.delete(`/${paymentId}/consents`), await shop.delete(`/${paymentId}/consents`)];
  for (const { status, body } of answers) {
    expect([status, body.status]).toEqual([200, { result: 'cancelled', reason: 'cancelled_by_merchant' }]);
  }
  const refused = await shop.post(`/${paymentId}/authorizations`, { amount: euros(1999) });
  expect(refused).toMatchObject({ status: 409, body: { detail: 'CONSENT_NOT_VALID' } });
});

it('a pending consent that the merchant cancels can no longer be approved', async () => {
  const paymentId = await requestSubscription();
  await shop.delete(`/${paymentId}/consents`);
  await press(paymentId, 'approve');
  expect(await statusOf(paymentId)).toEqual({ result: 'cancelled', reason: 'cancelled_by_merchant' });
});

it('cancelling a consent leaves a declined consent declined', async () => {
  const paymentId = await requestSubscription();
  shop.sandbox.payer(paymentId).decline();
  expect((await shop.delete(`/${paymentId}/consents`)).body.status).toEqual({ result: 'failed', reason: 'declined' });
});

it('a consent that the payer has cancelled still counts as cancelled by the payer if the merchant cancels it, too', async () => {
  const paymentId = await requestSubscription();
  expect(() => shop.sandbox.payer(paymentId).cancel()).toThrow('STATE_CONFLICT');
  shop.sandbox.payer(paymentId).approve();
  shop.sandbox.payer(paymentId).cancel();
  await shop.delete(`/${paymentId}/consents`);
  expect(await statusOf(paymentId)).toEqual({ result: 'cancelled', reason: 'cancelled_by_payer' });
});

it('a consent can be cancelled by a DELETE with the content type JSON and without a body', async () => {
  const paymentId = await requestSubscription();
  const answer = await shop.send(`/${paymentId}/consents`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(200);
});

it('cancelling a consent does not recall an authorization that is pending', async () => {
  const paymentId = await requestSubscription();
  shop.sandbox.payer(paymentId).approve();
  await shop.post(`/${paymentId}/authorizations`, { amount: euros(1999) });
  await shop.delete(`/${paymentId}/consents`);
  shop.clock.pass(BOOKING);
  expect(shop.sandbox.debits()).toMatchObject([{ paymentId, status: 'successful' }]);
});

it('cancelling a consent is possible only for subscriptions', async () => {
  const { body } = await shop.post('/payments', oneTimeRequest('SINGLE'));
  shop.sandbox.payer(body.paymentId).approve('cancels-after-1');
  shop.clock.pass(BOOKING);
  expect(() => shop.sandbox.payer(body.paymentId).cancel()).toThrow('STATE_CONFLICT');
  expect(await statusOf(body.paymentId)).toEqual({ result: 'successful' });
  expect(await shop.delete(`/${body.paymentId}/consents`)).toMatchObject({
    status: 409,
    body: { detail: 'STATE_CONFLICT' },
  });
});
