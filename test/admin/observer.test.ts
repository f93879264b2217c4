import { type AdminDeps, createObserver } from '../../src/admin';
import { silentLog } from '../support/silent-log';
import { type AdminUnderTest, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const observer = (probes: AdminDeps['probes'] = []) =>
  createObserver({ db: admin.db, probes, metrics: async () => 'dueday_shown 1\n', logger: silentLog() });

test('a process without an admin API reports liveness, readiness and metrics', async () => {
  const app = observer([{ name: 'worker', check: async () => undefined }]);
  const open = (url: string) => app.inject({ method: 'GET', url });
  expect((await open('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await open('/readyz')).json()).toMatchObject({ status: 'ready', checks: [{ name: 'worker', status: 'ok' }] });
  const metrics = await open('/metrics');
  expect([metrics.body, metrics.headers['content-type']]).toEqual([
    'dueday_shown 1\n',
    expect.stringContaining('version=0.0.4'),
  ]);
  expect((await open('/v1/subscriptions')).statusCode).toBe(404);
  for (const url of ['/healthz', '/readyz', '/metrics', '/v1/subscriptions']) {
    const { headers } = await open(url);
    expect([url, headers['cache-control']]).toEqual([url, 'no-store']);
    expect([url, headers['x-request-id']]).toEqual([url, expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/)]);
  }
});

test('the readiness of a worker that does not poll is reported in the form of the admin API', async () => {
  const fails = () => Promise.reject(new Error('not polled: billing/collecting'));
  const answer = await observer([{ name: 'worker', check: fails }]).inject({ method: 'GET', url: '/readyz' });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ code: 'not_ready', failed: ['worker'] });
  expect(answer.body).not.toContain('collecting');
});

test('an admin API whose metrics are served elsewhere still reports its health', async () => {
  const app = await admin.another({ metrics: null });
  const status = async (url: string) => (await app.inject({ method: 'GET', url })).statusCode;
  expect(await Promise.all(['/metrics', '/healthz', '/readyz'].map(status))).toEqual([404, 200, 200]);
  await app.close();
});
