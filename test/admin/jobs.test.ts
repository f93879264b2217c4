import { DAY } from '../../src/domain/time';
import type { Scope } from '../../src/ledger';
import { type AdminUnderTest, eachItems, faultPaths, NOW, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;
const runs: string[] = [];
const SPAN = { from: NOW - DAY, to: NOW };
beforeAll(async () => {
  admin = await startAdmin();
  admin.clock.real = 10_000;
  runs.push(await admin.reconciliation.compared(SPAN, NOW), await admin.reconciliation.started(SPAN, NOW));
  // A lease of a dead process holds the only call of the job, because the API would finish a job without waiting calls.
  await admin.db.query(
    `with job as (
       insert into jobs (job_id, kind, state, work, actor, key_id, started_at, created_real_at)
       values (gen_random_uuid(), 'bulk', 'running', '{"action": "pause"}', 'till', 'key', now(), '1970-01-01T00:00:09Z')
       returning job_id)
     insert into job_items (job_id, number, subscription_id, seen, leased_until)
     select job_id, 1, 'sub', '{}', 'infinity' from job`,
  );
});
afterAll(() => admin.stop());

const list = (query = '', key?: string) =>
  admin.call('GET', `/v1/jobs${query}`, key === undefined ? { role: 'viewer' } : { key });

async function keyOf(...scopes: Scope[]): Promise<string> {
  const answer = await admin.call('POST', '/v1/keys', { body: { name: scopes.join(' '), role: 'viewer', scopes } });
  return answer.json<{ key: string }>().key;
}

test('the list of jobs shows each job as it is shown by id, newest first', async () => {
  const answer = await list();
  expect(eachItems(answer, 'kind')).toEqual(['bulk', 'reconciliation', 'reconciliation']);
  expect(eachItems(answer, 'jobId').slice(1)).toEqual([runs[1], runs[0]]);
  for (const job of answer.json<{ items: { jobId: string }[] }>().items)
    expect((await admin.call('GET', `/v1/jobs/${job.jobId}`, { role: 'viewer' })).json()).toEqual(job);
});

test('jobs are filtered by kind and state', async () => {
  expect(eachItems(await list('?kind=bulk'), 'kind')).toEqual(['bulk']);
  expect(eachItems(await list('?kind=reconciliation&state=finished'), 'jobId')).toEqual([runs[0]]);
  expect(eachItems(await list('?state=running'), 'kind')).toEqual(['bulk', 'reconciliation']);
  expect(eachItems(await list('?kind=replay'), 'kind')).toEqual([]);
});

test('jobs come in pages', async () => {
  const first = await list('?limit=2');
  const { nextCursor } = first.json<{ nextCursor: string }>();
  const rest = await list(`?limit=2&cursor=${nextCursor}`);
  expect([eachItems(first, 'jobId')[1], ...eachItems(rest, 'jobId')]).toEqual([runs[1], runs[0]]);
  expect(rest.json()).toMatchObject({ nextCursor: null });
});

test.each([
  ['kind=import', 'kind'],
  ['state=queued', 'state'],
  ['cursor=x', 'cursor'],
  ['limit=201', 'limit'],
])('the list of jobs rejects %s', async (query, path) => {
  const refused = await list(`?${query}`);
  expect([refused.statusCode, faultPaths(refused)]).toEqual([400, [path]]);
});

test('a cursor of the list of approvals is rejected by the list of jobs', async () => {
  const foreign = Buffer.from(JSON.stringify([1, '00000000-0000-4000-8000-000000000001'])).toString('base64url');
  expect(faultPaths(await list(`?cursor=${foreign}`))).toEqual(['cursor']);
});

test('a key lists only the jobs that its scopes permit, and cannot request another kind', async () => {
  const key = await keyOf('bulk');
  expect(eachItems(await list('', key), 'kind')).toEqual(['bulk']);
  expect(eachItems(await list('?kind=bulk', key), 'kind')).toEqual(['bulk']);
  expect((await list('?kind=reconciliation', key)).statusCode).toBe(403);
  expect((await list('', await keyOf('refunds'))).statusCode).toBe(403);
});
