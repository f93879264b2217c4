import { type WaitingRequest, waitingRequest, offeredOf, withApprovals } from '../../src/console/approvals';
import { enter, leave } from '../../src/console/session';
import { sessionOf } from './people';

const URL_OF = 'http://127.0.0.1/v1/payments/pay_a/captures';
const BODY = '{"amount":{"value":600,"currency":"EUR"}}';
const OTHER = '{"amount":{"value":700,"currency":"EUR"}}';

const REQUIRED = { code: 'approval_required', approvalId: 'an approval' };

/** Sends a request to an API that gives this answer. @returns the id of the approval that was sent with the request */
async function send(status: number, answer: object, body = BODY): Promise<string | null> {
  return sendTo(Response.json(answer, { status }), body);
}

async function sendTo(response: Response, body = BODY): Promise<string | null> {
  const request = new Request(URL_OF, { method: 'POST', body });
  await withApprovals.onRequest({ request } as never);
  const approval = request.headers.get('dueday-approval');
  // The body is read, as when the request is sent, so that it cannot be read again.
  await request.text();
  await withApprovals.onResponse({ request, response } as never);
  return approval;
}

// A change of user discards the previous test's waiting requests.
beforeEach(() => {
  enter(sessionOf('tom'));
  leave(null);
  enter(sessionOf('ada'));
});

test('a request that needs approval is stored and sent with its approval when repeated', async () => {
  expect(await send(409, REQUIRED)).toBeNull();
  const waiting = { approvalId: 'an approval', url: URL_OF, body: BODY, key: expect.any(String) };
  expect(waitingRequest('an approval')).toEqual(waiting);
  expect(await send(409, REQUIRED)).toBe('an approval');
  expect(waitingRequest('an approval')).toEqual(waiting);
  expect(await send(201, {}, OTHER)).toBeNull();
});

test.each([
  ['it succeeded', 201, {}],
  ['it was rejected', 409, { code: 'approval_rejected' }],
  ['its approval has expired', 409, { code: 'approval_expired' }],
  ['its approval was used', 409, { code: 'approval_used' }],
  ['its approval is for another request', 409, { code: 'approval_mismatch' }],
])('a waiting request is discarded once %s', async (_what, status, answer) => {
  await send(409, REQUIRED);
  expect(await send(status, answer)).toBe('an approval');
  expect(waitingRequest('an approval')).toBeUndefined();
  expect(await send(201, {})).toBeNull();
});

test.each([
  ['a new one after a refusal', false, 409, { code: 'capture_not_allowed' }],
  ['the same one while it runs', true, 409, { code: 'idempotency_in_progress' }],
  ['the same one after a server error', true, 500, { code: 'internal' }],
])('a waiting request has its own Idempotency-Key: %s', async (_what, isSame, status, answer) => {
  await send(409, REQUIRED);
  const key = waitingRequest('an approval')?.key;
  await send(status, answer);
  expect(waitingRequest('an approval')?.key === key).toBe(isSame);
});

test('a 409 of a proxy leaves a waiting request unchanged', async () => {
  await send(409, REQUIRED);
  const before = { ...waitingRequest('an approval') };
  expect(await sendTo(new Response('<html>Conflict</html>', { status: 409 }))).toBe('an approval');
  expect(waitingRequest('an approval')).toEqual(before);
});

test('a waiting request outlives its session, but not a change of user', async () => {
  await send(409, REQUIRED);
  leave('Your session has ended. Sign in again to continue.');
  enter(sessionOf('ada', 'another token'));
  expect(waitingRequest('an approval')).toBeDefined();
  leave(null);
  enter(sessionOf('grace'));
  expect(waitingRequest('an approval')).toBeUndefined();
  expect(await send(201, {})).toBeNull();
});

const waiting: WaitingRequest = { approvalId: 'an approval', url: URL_OF, body: BODY, key: 'a key' };

test('the requester may reject, but not approve', () => {
  const approval = { state: 'pending', requestedBy: 'ada' } as const;
  expect(offeredOf(approval, 'ada', waiting)).toEqual({ isApprovable: false, isRejectable: true, toSend: null });
  expect(offeredOf(approval, 'grace', undefined)).toEqual({ isApprovable: true, isRejectable: true, toSend: null });
});

test('the requester can send an approved request only in the window that stored it', () => {
  const approval = { state: 'approved', requestedBy: 'ada' } as const;
  expect(offeredOf(approval, 'ada', waiting)).toEqual({ isApprovable: false, isRejectable: true, toSend: waiting });
  expect(offeredOf(approval, 'ada', undefined).toSend).toBeNull();
  expect(offeredOf(approval, 'grace', waiting).toSend).toBeNull();
});

test.each(['rejected', 'used', 'expired'] as const)('no action is offered for an approval that is %s', (state) => {
  const nothing = { isApprovable: false, isRejectable: false, toSend: null };
  expect(offeredOf({ state, requestedBy: 'ada' }, 'ada', waiting)).toEqual(nothing);
  expect(offeredOf({ state, requestedBy: 'ada' }, 'grace', undefined)).toEqual(nothing);
});
