import { type AdminUnderTest, faultPaths, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

describe('a path or a query that cannot be right', () => {
  test.each([
    ['/v1/subscriptions/%00', 404],
    ['/v1/subscriptions/a%2Fb', 404],
    [`/v1/subscriptions/${'a'.repeat(65)}`, 404],
    [`/v1/subscriptions/${'a'.repeat(500)}`, 404],
    ["/v1/subscriptions/x'%20or%20'1'='1", 404],
    ['/v1/subscriptions/%ff', 400],
    ['/v1/nothing', 404],
    ['/v2/subscriptions', 404],
    ['/v1/subscriptions?status=gone', 400],
    ['/v1/subscriptions?limit=0', 400],
    ['/v1/subscriptions?limit=201', 400],
    ['/v1/subscriptions?limit=ten', 400],
    ['/v1/subscriptions?limit=1&limit=2', 400],
    ['/v1/subscriptions?limit=1.5', 400],
    ['/v1/subscriptions?limit=1000', 400],
    ['/v1/subscriptions?limit=1e1', 400],
    ['/v1/subscriptions?limit=0xa', 400],
    ['/v1/subscriptions?limit=%2B10', 400],
    ['/v1/subscriptions?limit=%2010', 400],
    ['/v1/subscriptions?limit=', 400],
    ['/v1/subscriptions/sub_a/schedule?count=1e1', 400],
    ['/v1/events?limit=1e1', 400],
    ['/v1/webhook-endpoints/env/deliveries?status=2e2', 400],
    ['/v1/subscriptions?cursor=nonsense', 400],
    ['/v1/subscriptions?cursor=', 400],
    ['/v1/subscriptions?dueBefore=2027-01-31', 400],
    ['/v1/subscriptions?q=%00', 400],
    ['/v1/subscriptions?q=', 400],
    [`/v1/subscriptions?q=${'a'.repeat(201)}`, 400],
    ['/v1/subscriptions?__proto__=1', 400],
    ['/v1/subscriptions?colour=red', 400],
    ['/v1/audit?from=yesterday', 400],
    ['/v1/audit?cursor=WzFd.', 400],
    ['/v1/attention?cursor=WzFd', 400],
    ['/v1/keys?cursor=WzFd', 400],
    ['/v1/keys/1', 404],
  ])('GET %s is %i', async (url, status) => {
    const answer = await admin.call('GET', url);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ status, code: status === 404 ? 'not_found' : 'invalid_request' });
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  test('every fault of a query is told at once', async () => {
    const answer = await admin.call('GET', '/v1/subscriptions?status=gone&limit=0&colour=red');
    expect(faultPaths(answer).sort()).toEqual(['colour', 'limit', 'status']);
  });

  test('a method that a path has not is not found', async () => {
    expect((await admin.call('DELETE', '/v1/subscriptions')).json()).toMatchObject({ status: 404, code: 'not_found' });
  });
});
