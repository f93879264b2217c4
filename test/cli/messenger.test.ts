import { type Messenger, type ReceivedNotice, startMessenger } from '../../src/process/notice-receiver';
import { createLogged, failed, notice, SECRET } from '../notices/notice-samples';
import { silentLog } from '../support/silent-log';

/** The messenger of `npm start` and the demo receives every notice to payers and merchants. */

let messenger: Messenger;
const received: ReceivedNotice[] = [];

beforeAll(async () => {
  messenger = await startMessenger(silentLog(), (each) => received.push(each));
});
beforeEach(() => received.splice(0));
afterAll(() => messenger.stop());

async function deliver(type: string, data: Record<string, unknown>, secret = messenger.secret) {
  const webhook = { url: messenger.url, secret };
  const { notifier } = createLogged({ payerWebhook: webhook, eventWebhook: webhook });
  const { kind } = await notifier.deliver(notice(type, data));
  await notifier.close();
  return kind;
}

test.each([
  ['payment.failed', failed],
  ['consent.failed', { reason: 'declined' }],
])('the messenger receives %s of a subscription', async (type, data) => {
  expect(await deliver(type, data)).toBe('delivered');
  expect(received).toMatchObject([{ type, data: { subscriptionId: 'sub-1', paymentId: 'pay-1' } }]);
});

test('the messenger receives notices of one-time payments, which have no subscription', async () => {
  const remaining = { value: 7000, currency: 'EUR' };
  const data = { subscriptionId: null, captureBy: '2027-02-01T10:00:00.000Z', remaining };
  expect(await deliver('capture.deadline_near', data)).toBe('delivered');
  expect(received).toMatchObject([{ data: { subscriptionId: null, paymentId: 'pay-1', remaining } }]);
});

test('the messenger receives a failed consent without a payment', async () => {
  expect(await deliver('consent.failed', { paymentId: null, reason: 'declined' })).toBe('delivered');
});

test('the messenger accepts notices signed with the given secret', async () => {
  const given = await startMessenger(silentLog(), () => undefined, SECRET);
  const { notifier } = createLogged({ payerWebhook: { url: given.url, secret: SECRET } });
  expect(given.secret).toBe(SECRET);
  expect(await notifier.deliver(notice('payment.failed', failed))).toMatchObject({ kind: 'delivered' });
  await notifier.close();
  await given.stop();
});

test('the messenger refuses notices with a wrong signature', async () => {
  expect(await deliver('payment.failed', failed, SECRET)).not.toBe('delivered');
  expect(received).toEqual([]);
});
