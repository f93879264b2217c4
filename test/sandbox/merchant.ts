import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox';
import { createLogger } from '../../src/platform/log';
import { ManualClock } from './manual-clock';

export const CLIENT_ID = 'merchant-1';
export const CLIENT_SECRET = 'a secret: with a colon';
export const START = '2027-01-31T10:00:00.000Z';
/** Real ms until authorization and capture are final. */
export const BOOKING = 1000;

/** Fields of the service's answers and of those under /_sandbox; each test checks its own part. */
export interface AnswerBody {
  readonly access_token: string;
  readonly paymentId: string;
  readonly authorizationId: string;
  readonly captureId: string;
  readonly refundId: string;
  readonly redirectURL: string;
  readonly detail: string;
  readonly description: string;
  readonly createdAt: string;
  readonly status: { readonly result: string; readonly reason?: string };
  readonly items: readonly AnswerBody[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnswerBody;
  /** The body as it was sent. */
  readonly text: string;
}

/** A sandbox on a socket of its own, and a merchant who calls it. */
export interface Shop {
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  readonly url: string;
  token(): Promise<string>;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Any request, with the token unless headers say otherwise. */
  send(path: string, init: RequestInit): Promise<Answer>;
  close(): Promise<void>;
}

export async function openShop(options: Partial<SandboxOptions> = {}): Promise<Shop> {
  const clock = new ManualClock(START);
  const sandbox = createSandbox({
    clock,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    bookingDelayMs: BOOKING,
    logger: createLogger('silent'),
    ...options,
  });
  const { url } = await sandbox.listen(0);
  let token: string | null = null;

  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    token ??= await fetchToken(url);
    const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string> | undefined) };
    return answerOf(await fetch(url + path, { redirect: 'manual', ...init, headers }));
  };
  return {
    sandbox,
    clock,
    url,
    token: () => fetchToken(url),
    get: (path) => send(path, {}),
    post: (path, body) =>
      send(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    delete: (path) => send(path, { method: 'DELETE' }),
    send,
    close: () => sandbox.close(),
  };
}

export function basic(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

export async function requestToken(url: string, authorization: string): Promise<Answer> {
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  return answerOf(await fetch(`${url}/oauth/token`, { method: 'POST', body, headers: { authorization } }));
}

async function fetchToken(url: string): Promise<string> {
  return (await requestToken(url, basic(CLIENT_ID, CLIENT_SECRET))).body.access_token;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : null, text };
}

export function euros(value: number): { value: number; currency: 'EUR' } {
  return { value, currency: 'EUR' };
}

export const ADDRESS = { name: 'Ada Example', street: 'Weg 1', postalCode: '10115', city: 'Berlin', country: 'DE' };

export function subscriptionRequest(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    useCase: 'SUBSCRIPTION',
    amount: euros(1999),
    returnURL: 'https://shop.example/done?order=1',
    billingAddress: ADDRESS,
    repetition: 'MONTHLY',
    startAt: START,
    firstPaymentAt: START,
    ...changes,
  };
}

export function oneTimeRequest(
  useCase: 'SINGLE' | 'EVENT_DEPENDENT',
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return { useCase, amount: euros(10000), returnURL: 'https://shop.example/done', billingAddress: ADDRESS, ...changes };
}

/** Requests a payment and lets the payer approve it. @returns its paymentId */
export async function createApproved(
  shop: Shop,
  request: Record<string, unknown>,
  wallet = 'approves',
): Promise<string> {
  const { body } = await shop.post('/payments', request);
  shop.sandbox.payer(body.paymentId).approve(wallet);
  return body.paymentId;
}
