import { api, ApiError, asSignedIn, sendApproved, send, unreachableSince } from '../../src/console/client';
import { enter, leave, replaced, session, watchAttendance } from '../../src/console/session';
import { HOUR } from '../../src/domain/time';
import { sessionOf } from './people';

const page = new EventTarget();
watchAttendance(page);

/** The page's clock in ms, later than the uptime of any process. */
let now = 1e12;

beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  jest.restoreAllMocks();
  leave(null);
  unreachableSince.value = null;
});

/** The value of the x-unattended header. */
function unattended(method: string): string | null {
  const request = new Request('http://127.0.0.1/v1/subscriptions', { method });
  asSignedIn.onRequest({ request } as never);
  return request.headers.get('x-unattended');
}

test.each([
  ['GET', 'pointerdown'],
  ['POST', 'click'],
  ['PATCH', 'keydown'],
  ['DELETE', 'wheel'],
])('a %s does not keep an idle session alive until there is a %s', (method, type) => {
  now += HOUR;
  expect(unattended(method)).toBe('true');
  page.dispatchEvent(new Event(type));
  expect(unattended(method)).toBeNull();
});

const TYPED = '{"name":"till"}';

const write = (method: string) =>
  new Request('http://127.0.0.1/v1/keys', { method, body: method === 'DELETE' ? null : TYPED });

/** Mocks an API that accepts writes only with this CSRF token. @returns token and body of each request */
function accepting(csrfToken: string): (readonly [token: string | null, body: string])[] {
  const sent: (readonly [string | null, string])[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const request = input as Request;
    const token = request.headers.get('x-csrf-token');
    sent.push([token, await request.text()]);
    return token === csrfToken ? Response.json({}) : Response.json({ code: 'csrf_failed' }, { status: 403 });
  });
  return sent;
}

/** Mocks the session after another window of this browser has signed in, to whose session the cookie now belongs. */
function signInElsewhere(name: string, csrfToken: string) {
  // The mock is typed for every path, which does not match the type of the session's path.
  const answer = { data: sessionOf(name, csrfToken), response: Response.json({}) };
  return jest.spyOn(api, 'GET').mockResolvedValue(answer as never);
}

test.each(['POST', 'PATCH', 'DELETE'])(
  'a %s is sent once more, unchanged, after the same user has signed in in another window',
  async (method) => {
    const body = method === 'DELETE' ? '' : TYPED;
    enter(sessionOf('ada', 'before'));
    signInElsewhere('ada', 'after');
    const sent = accepting('after');
    expect((await send(write(method))).status).toBe(200);
    expect((await send(write(method))).status).toBe(200);
    expect(sent.map(([token]) => token)).toEqual(['before', 'after', 'after']);
    expect(sent.map(([, each]) => each)).toEqual([body, body, body]);
    expect(replaced.value).toBeNull();
  },
);

test('a write is not repeated after another user has signed in, and the page changes to that user', async () => {
  enter(sessionOf('ada', 'before'));
  signInElsewhere('grace', 'after');
  const sent = accepting('after');
  expect((await send(write('POST'))).status).toBe(403);
  expect(sent).toEqual([['before', TYPED]]);
  expect([session.value?.name, replaced.value]).toEqual(['grace', 'ada']);
});

test('a write that is also refused with the new token is not repeated again', async () => {
  enter(sessionOf('ada', 'before'));
  signInElsewhere('ada', 'after');
  const sent = accepting('none');
  const answer = await send(write('POST'));
  expect([answer.status, await answer.json()]).toEqual([403, { code: 'csrf_failed' }]);
  expect(sent).toHaveLength(2);
});

test('a write is not repeated if the session cannot be read', async () => {
  enter(sessionOf('ada', 'before'));
  jest.spyOn(api, 'GET').mockRejectedValue(new TypeError('fetch failed'));
  const sent = accepting('after');
  await expect(send(write('POST'))).rejects.toThrow('The API cannot be reached.');
  expect(sent).toHaveLength(1);
});

test.each([
  ['the API', Response.json({ code: 'forbidden' }, { status: 403 })],
  ['a proxy', new Response('<h1>Forbidden</h1>', { status: 403 })],
])('a refusal by %s that is not about the token is passed on unchanged', async (_by, refusal) => {
  enter(sessionOf('ada'));
  const readSession = signInElsewhere('ada', 'after');
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(refusal);
  const answer = await send(write('POST'));
  expect(answer).toBe(refusal);
  expect(answer.bodyUsed).toBe(false);
  expect(readSession).not.toHaveBeenCalled();
});

test('an approved request is sent unchanged, with its approval and its Idempotency-Key', async () => {
  enter(sessionOf('ada', 'a token'));
  const kept = { approvalId: 'an approval', url: 'http://127.0.0.1/v1/bulk', body: '{ "token": "t" }', key: 'a key' };
  const sent: unknown[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const { method, url, headers } = input as Request;
    const named = ['content-type', 'dueday-approval', 'idempotency-key'].map((name) => headers.get(name));
    sent.push([method, url, ...named, await (input as Request).text()]);
    return Response.json({ jobId: 'job_a' }, { status: 202 });
  });
  expect(await sendApproved(kept)).toEqual({ jobId: 'job_a' });
  expect(sent).toEqual([['POST', kept.url, 'application/json', 'an approval', 'a key', kept.body]]);
});

test('the API is unreachable only if there was no response, not if a call was aborted or refused', () => {
  const faults = [
    new DOMException('The view is gone', 'AbortError'),
    new ApiError(503, 'not_ready', 'Not ready'),
    new TypeError('fetch failed'),
  ];
  const isUnreachable = faults.map((error) => {
    asSignedIn.onError({ error } as never);
    return unreachableSince.value !== null;
  });
  expect(isUnreachable).toEqual([false, false, true]);
});
