import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClock } from '../../src/platform/clock';
import { chooseRows, createOperatedWorld, Merchant, type Operator, playRows } from '../../src/conformance';
import { CREDENTIALS, openService, type ServiceUnderTest } from './service-under-test';

/**
 * A service like the operator's real one: the suite has only its HTTP interface, and a hook or an operator acts as the
 * payer. Ten days take 20 seconds.
 */
const SPEED = 43_200;
const clock = createClock({ virtualStart: Date.parse('2027-01-31T10:00:00Z'), realStart: Date.now(), speed: SPEED });
const WALLETS: Readonly<Record<string, string>> = {
  pays: 'approves',
  'rejects once, retryable': 'insufficient-funds-once',
  'rejects always, retryable': 'insufficient-funds-always',
};
let under: ServiceUnderTest;
let hook: Server;
let hookUrl: string;
const told: string[] = [];

interface Told {
  readonly paymentId: string;
  readonly action: 'approve' | 'decline' | 'abort' | 'cancel';
  readonly bank: string;
}

beforeAll(async () => {
  under = await openService({ clock, bookingDelayMs: 20 });
  hook = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { paymentId, action, bank } = JSON.parse(text) as Told;
      told.push(`${action}, ${bank}`);
      const wallet = WALLETS[bank];
      if (wallet === undefined) return response.writeHead(501).end();
      if (action === 'approve') under.sandbox.payer(paymentId).approve(wallet);
      else under.sandbox.act(paymentId, action);
      return response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  hook.closeAllConnections();
  await new Promise((resolve) => hook.close(resolve));
  await under.close();
});

const operator: Operator = { clock, skew: 0, timeout: 6, travel: 500, terms: {} };

async function findings(names: readonly string[], changes: Partial<Operator>): Promise<Record<string, string>> {
  const world = createOperatedWorld({ ...operator, ...changes }, new Merchant(under.service, CREDENTIALS));
  const found = await playRows(world, chooseRows(names)!);
  return Object.fromEntries(
    found.map((one) => [one.row.id, one.verdict === 'holds' ? ['holds', ...one.remarks].join(': ') : one.why]),
  );
}

it('rows pass if a hook acts for the payer and time passes by itself', async () => {
  const names = [
    'flags',
    'states/consent-declined',
    'states/released',
    'fields/first-payment',
    'errors/refund-not-allowed',
  ];
  const seen = await findings([...names, 'states/cancelled-at-bank', 'subscription/reduction'], { payerHook: hookUrl });
  expect(seen).toEqual({
    'flags/false-false': 'holds',
    'flags/false-true': 'holds',
    'flags/true-true': 'holds',
    'flags/true-false': 'holds',
    'states/consent-declined': 'holds',
    'states/released': 'holds',
    'states/cancelled-at-bank': 'holds',
    'fields/first-payment': 'holds',
    'errors/refund-not-allowed': 'the payer hook answered 501 to: approve, bank rejects for good',
    'subscription/reduction': expect.stringMatching(
      /^the time that has to pass would take \d+ seconds of waiting; --timeout \d+ allows it$/,
    ),
  });
  expect(told).toContain('cancel, pays');
});

it('a time limit holds with a tolerance for the duration of the requests', async () => {
  expect(await findings(['states/expired', 'limits/capture-deadline'], { payerHook: hookUrl })).toEqual({
    'states/expired': 'holds',
    'limits/capture-deadline': 'holds',
  });
});

it('if neither an operator nor a hook acts for the payer, only rows that need no payer are tried', async () => {
  const why = 'the payer has to act: --interactive asks you, --payer-hook calls a program of yours';
  expect(await findings(['states/released', 'limits/partial-capture', 'authentication/bearer'], {})).toEqual({
    'states/released': why,
    'limits/partial-capture': 'holds',
    'authentication/bearer': 'holds',
  });
});

it('an operator is shown where to act as the payer and how, and may skip a row', async () => {
  const asked: string[] = [];
  const ask = async (what: string): Promise<boolean> => {
    asked.push(what);
    return false;
  };
  expect(await findings(['states/released'], { ask })).toEqual({
    'states/released': 'it was not done: approve it, with a test wallet whose bank pays',
  });
  expect(asked).toEqual([
    expect.stringMatching(
      /^Open http:\/\/127\.0\.0\.1:\d+\/payer\/pay_\S+ and approve it, with a test wallet whose bank pays\.$/,
    ),
  ]);
});

it('rows that need another merchant, environment or address, or a longer wait, cannot be tried without it', async () => {
  const names = ['limits/category-4111', 'limits/longest-time-to-capture', 'authentication/separate-credentials'];
  const tried = await findings([...names, 'authentication/allow-list', 'limits/token', 'limits/session'], {});
  expect(tried).toEqual({
    'limits/category-4111':
      'it takes a merchant with merchantCategoryCode 4111; say what yours is by the options of that name',
    'limits/longest-time-to-capture':
      'it takes a merchant with longCapturePermitted true; say what yours is by the options of that name',
    'authentication/separate-credentials':
      'it takes credentials of the other environment: --other-client-id and its secret',
    'authentication/allow-list': 'it takes a call from an address that is not on the allow list',
    'limits/token': "the token's life would take 290 seconds of waiting; --timeout 290 allows it",
    'limits/session': 'the session would take 590 seconds of waiting; --timeout 590 allows it',
  });
});

it('credentials of the other environment are tried if they are given', async () => {
  const { clientId, clientSecret } = under.sandbox.addMerchant({
    environment: 'production',
    longCapturePermitted: false,
    eventDependentRefunds: false,
  });
  const otherEnvironment = new Merchant(under.service, { clientId, clientSecret });
  expect(await findings(['authentication/separate-credentials'], { otherEnvironment })).toEqual({
    'authentication/separate-credentials': 'holds',
  });
});

it('no row differs at an unreachable service, because no row can be tried', async () => {
  const gone = { ...under.service, baseUrl: 'http://127.0.0.1:1', tokenUrl: 'http://127.0.0.1:1/oauth/token' };
  const world = createOperatedWorld(operator, new Merchant(gone, CREDENTIALS));
  const found = await playRows(world, chooseRows(['endpoints/request-payment'])!);
  expect(found).toMatchObject([{ verdict: 'cannot be tried', why: 'no answer came: ECONNREFUSED' }]);
});
