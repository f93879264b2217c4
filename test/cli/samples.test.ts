import type { Sample, Shop } from '../../src/cli/demo/samples';
import { createSamples } from '../../src/cli/demo/samples';
import { DAY, HOUR } from '../../src/domain/time';

/** How `demo` and `start` create their samples on slow machines: on a fast test clock the creation takes business time. */

const START = Date.parse('2027-01-29T08:00:00.000Z');

interface Received {
  readonly path: string;
  readonly key: string | null;
  readonly body: { readonly firstPaymentAt?: string };
  readonly at: number;
}

let now: number;
let received: Received[];
/** Business time that each answer takes. */
let slowness: number;
/** The numbers of the requests that are answered with 503. */
let unavailable: ReadonlySet<number>;

const shop: Shop = {
  admin: { url: 'http://admin.test', key: 'key' },
  sandboxUrl: 'http://sandbox.test',
  clock: { now: () => now },
};

beforeEach(() => {
  [now, received, slowness, unavailable] = [START, [], 0, new Set()];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const text = await request.text();
    const body = (text === '' ? {} : JSON.parse(text)) as Received['body'];
    const path = new URL(request.url).pathname;
    received.push({ path, key: request.headers.get('idempotency-key'), body, at: now });
    now += slowness;
    if (!unavailable.has(received.length)) return Response.json({ paymentId: 'pay-1' });
    const problem = { code: 'not_ready', detail: 'The ledger cannot be reached.' };
    return Response.json(problem, { status: 503, headers: { 'content-type': 'application/problem+json' } });
  });
});

afterEach(() => {
  jest.restoreAllMocks();
});

function sample(subscriptionId: string): Sample {
  const terms = { repetition: 'WEEKLY', cents: 1999, answer: 'approve', lasts: null } as const;
  return { ...terms, subscriptionId, wallet: 'approves', story: subscriptionId };
}

const SAMPLES = ['first', 'second', 'third'].map(sample);

/** The business time from each creation to its first payment. */
const leads = () =>
  received.flatMap(({ body, at }) => (body.firstPaymentAt === undefined ? [] : [Date.parse(body.firstPaymentAt) - at]));

test('on a fast machine the first sample is due in a week, and the others are due in a day', async () => {
  slowness = HOUR;
  await createSamples(shop, SAMPLES);
  expect(leads()).toEqual([7 * DAY, DAY, DAY]);
});

test('the slower the machine is, the later the samples are due, so that each consent is granted before its due date', async () => {
  slowness = 20 * HOUR;
  const ordered: string[] = [];
  await createSamples(shop, SAMPLES, ({ subscriptionId }) => ordered.push(subscriptionId));
  // The creation of a sample is three calls.
  expect(leads()).toEqual([7 * DAY, 5 * DAY, 5 * DAY]);
  expect(ordered).toEqual(['first', 'second', 'third']);
});

test('a call that the API cannot answer now is repeated with the same idempotency key', async () => {
  unavailable = new Set([1]);
  await createSamples(shop, SAMPLES.slice(0, 1));
  const [first, second] = received;
  expect(second?.path).toBe(first?.path);
  expect(second?.key).toBe(first?.key);
  expect(received.map(({ path }) => path)).toEqual([
    '/v1/subscriptions',
    '/v1/subscriptions',
    '/_sandbox/payments/pay-1/payer',
    '/v1/subscriptions/first/consent-check',
  ]);
});
