import { type Kept, keptRequest, offeredOf, withApprovals } from '../../src/console/approvals';
import { enter, leave } from '../../src/console/session';
import { sessionOf } from './people';

const URL_OF = 'http://127.0.0.1/v1/payments/pay_a/captures';
const BODY = '{"amount":{"value":600,"currency":"EUR"}}';
const OTHER = '{"amount":{"value":700,"currency":"EUR"}}';

const REQUIRED = { code: 'approval_required', approvalId: 'an approval' };

/** Sends it, to an API that answers so. @returns the approval that it goes out with */
async function send(status: number, answer: object, body = BODY): Promise<string | null> {
  const request = new Request(URL_OF, { method: 'POST', body });
  await withApprovals.onRequest({ request } as never);
  const approval = request.headers.get('dueday-approval');
  // Once it is sent, it has no body any more.
  await request.text();
  await withApprovals.onResponse({ request, response: Response.json(answer, { status }) } as never);
  return approval;
}

// What waits from the test before is another person's.
beforeEach(() => {
  enter(sessionOf('tom'));
  leave(null);
  enter(sessionOf('ada'));
});

describe('what waits for a second person', () => {
  test('is kept as it went out, and goes out with its approval when it is made again', async () => {
    expect(await send(409, REQUIRED)).toBeNull();
    const kept = { approvalId: 'an approval', url: URL_OF, body: BODY, key: expect.any(String) };
    expect(keptRequest('an approval')).toEqual(kept);
    expect(await send(409, REQUIRED)).toBe('an approval');
    expect(keptRequest('an approval')).toEqual(kept);
    expect(await send(201, {}, OTHER)).toBeNull();
  });

  test.each([
    ['it is made', 201, {}],
    ['it was rejected', 409, { code: 'approval_rejected' }],
    ['its time is over', 409, { code: 'approval_expired' }],
    ['its approval was used', 409, { code: 'approval_used' }],
    ['its approval is of another request', 409, { code: 'approval_mismatch' }],
  ])('is kept no longer once %s', async (_what, status, answer) => {
    await send(409, REQUIRED);
    expect(await send(status, answer)).toBe('an approval');
    expect(keptRequest('an approval')).toBeUndefined();
    expect(await send(201, {})).toBeNull();
  });

  test.each([
    ['another one after a refusal', false, 409, { code: 'capture_not_allowed' }],
    ['the same one while it runs', true, 409, { code: 'idempotency_in_progress' }],
    ['the same one after a fault', true, 500, { code: 'internal' }],
  ])('has an Idempotency-Key of its own: %s', async (_what, isSame, status, answer) => {
    await send(409, REQUIRED);
    const key = keptRequest('an approval')?.key;
    await send(status, answer);
    expect(keptRequest('an approval')?.key === key).toBe(isSame);
  });

  test('outlives the session of who has asked, and is gone once another person enters', async () => {
    await send(409, REQUIRED);
    leave('The session has ended. Sign in to go on.');
    enter(sessionOf('ada', 'another token'));
    expect(keptRequest('an approval')).toBeDefined();
    leave(null);
    enter(sessionOf('grace'));
    expect(keptRequest('an approval')).toBeUndefined();
    expect(await send(201, {})).toBeNull();
  });
});

describe('what is offered of an approval', () => {
  const kept: Kept = { approvalId: 'an approval', url: URL_OF, body: BODY, key: 'a key' };

  test('who has asked does not approve, and may reject', () => {
    const approval = { state: 'pending', requestedBy: 'ada' } as const;
    expect(offeredOf(approval, 'ada', kept)).toEqual({ isApprovable: false, isRejectable: true, toMake: null });
    expect(offeredOf(approval, 'grace', undefined)).toEqual({ isApprovable: true, isRejectable: true, toMake: null });
  });

  test('once it is approved, who has asked makes the request, in the window that has kept it', () => {
    const approval = { state: 'approved', requestedBy: 'ada' } as const;
    expect(offeredOf(approval, 'ada', kept)).toEqual({ isApprovable: false, isRejectable: true, toMake: kept });
    expect(offeredOf(approval, 'ada', undefined).toMake).toBeNull();
    expect(offeredOf(approval, 'grace', kept).toMake).toBeNull();
  });

  test.each(['rejected', 'used', 'expired'] as const)('of one that is %s there is nothing left to do', (state) => {
    const nothing = { isApprovable: false, isRejectable: false, toMake: null };
    expect(offeredOf({ state, requestedBy: 'ada' }, 'ada', kept)).toEqual(nothing);
    expect(offeredOf({ state, requestedBy: 'ada' }, 'grace', undefined)).toEqual(nothing);
  });
});
