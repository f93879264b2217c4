import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import { createClock } from '../../src/platform/clock';
import { SECOND } from '../../src/domain/time';
import { createAddressCheck, createWebhookSender, type WebhookSender } from '../../src/webhooks';
import { shareLookups } from '../../src/platform/lookup';
import { startWebhookReceiver } from '../notices/webhook-receiver';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SHOP: readonly LookupAddress[] = [{ address: '192.0.2.7', family: 4 }];
const LOOPBACK: readonly LookupAddress[] = [{ address: '127.0.0.1', family: 4 }];

interface Question {
  readonly host: string;
  readonly answer: (found: readonly LookupAddress[] | Error) => void;
}

/** Shared lookups with a resolver that answers when the test permits it. */
function shared() {
  const asked: Question[] = [];
  const lookUp = shareLookups((host) => {
    return new Promise((resolve, reject) => {
      asked.push({ host, answer: (found) => (found instanceof Error ? reject(found) : resolve(found)) });
    });
  });
  return { asked, lookUp };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('a host is looked up only once at a time, however long the resolver takes, and no other host waits for it', async () => {
  const { asked, lookUp } = shared();
  const all = [lookUp('hangs.example'), lookUp('hangs.example')];
  jest.advanceTimersByTime(60 * SECOND);
  all.push(lookUp('hangs.example'));
  const other = lookUp('shop.example');
  expect(asked.map(({ host }) => host)).toEqual(['hangs.example', 'shop.example']);
  asked[1]!.answer(SHOP);
  expect(await other).toEqual(SHOP);
  asked[0]!.answer([]);
  expect(await Promise.all(all)).toEqual([[], [], []]);
});

test.each<[string, readonly LookupAddress[] | Error]>([
  ['an answer of the resolver', SHOP],
  ['a failure of the resolver', new Error('queryA EAI_AGAIN')],
])('%s is cached for three seconds from its arrival', async (_what, found) => {
  const { asked, lookUp } = shared();
  const settled = () => lookUp('shop.example').catch((error: unknown) => error);
  const first = settled();
  jest.advanceTimersByTime(10 * SECOND);
  asked[0]!.answer(found);
  expect(await first).toBe(found);
  jest.advanceTimersByTime(3 * SECOND - 1);
  expect(await settled()).toBe(found);
  expect(asked).toHaveLength(1);
  jest.advanceTimersByTime(1);
  const next = settled();
  expect(asked).toHaveLength(2);
  asked[1]!.answer(SHOP);
  expect(await next).toBe(SHOP);
});

test('posts that open connections at the same time look up their host once, and each checks its own address', async () => {
  jest.useRealTimers();
  const receiver = await startWebhookReceiver();
  const senderTo = (loopback: boolean) =>
    createWebhookSender(createAddressCheck([], loopback), createClock(null), 10 * SECOND);
  const [permitted, refused] = [senderTo(true), senderTo(false)];
  // A host that only this test uses: the process caches answers, and other tests look up `localhost`.
  const url = receiver.url.replace('127.0.0.1', 'posts-at-once.example');
  const asked = jest.spyOn(dns, 'lookup').mockResolvedValue(LOOPBACK as never);
  const post = (sender: WebhookSender) => sender.post({ url, secrets: [SECRET], id: 'evt_1', body: '{}' });
  const [strict, ...lax] = await Promise.all([post(refused), ...Array.from({ length: 10 }, () => post(permitted))]);
  await Promise.all([permitted.close(), refused.close(), receiver.close()]);
  expect(lax.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 204));
  expect(strict).toMatchObject({ status: null, error: 'ADDRESS_REFUSED' });
  expect(asked).toHaveBeenCalledTimes(1);
});
