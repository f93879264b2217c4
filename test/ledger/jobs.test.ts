import { randomUUID } from 'node:crypto';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, MINUTE } from '../../src/domain/time';
import {
  finishJobs,
  proposeBulk,
  purgeJobs,
  postponeCall,
  readBulkJob,
  recordCall,
  startBulk,
  claimCalls,
  extendProposal,
  findOpenProposal,
} from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { NOW, REAL_NOW, subscribe, useLedger } from './ledger-fixture';

const ledger = useLedger();
beforeEach(() => emptyLedger(ledger.pool));

const KEY_ID = randomUUID();
const WORK = { action: 'pause', parameters: {}, filter: { status: 'active' as const } };

async function startedJob(subscriptions: number): Promise<{ jobId: string; ids: SubscriptionId[] }> {
  const ids: SubscriptionId[] = [];
  for (let each = 0; each < subscriptions; each += 1) ids.push((await subscribe(ledger.pool)).subscriptionId);
  await ledger.pool.query(`update subscriptions set status = 'active'`);
  const jobId = randomUUID();
  const key = { actor: 'till', keyId: KEY_ID, firstKeyId: 'first', tokenHash: Buffer.from(jobId) };
  await proposeBulk(ledger.pool, { jobId, ...WORK, ...key, realAt: REAL_NOW, tokenUntilReal: REAL_NOW + 1 });
  const started = await startBulk(ledger.pool, { ...key, matches: () => true, at: NOW, realAt: REAL_NOW });
  expect(started).toEqual({ kind: 'started', jobId });
  return { jobId, ids };
}

test('a call of a bulk job belongs to one process until its lease expires, and then to another', async () => {
  const { ids } = await startedJob(3);
  const [one, other] = await Promise.all([claimCalls(ledger.pool, 2, 60_000), claimCalls(ledger.pool, 2, 60_000)]);
  const taken = [...one, ...other].map(({ subscriptionId }) => subscriptionId);
  expect([...taken].sort()).toEqual([...ids].sort());
  expect(await claimCalls(ledger.pool, 5, 60_000)).toEqual([]);
  await ledger.pool.query(`update job_items set leased_until = clock_timestamp() - interval '1 ms' where number = 2`);
  expect(await claimCalls(ledger.pool, 5, 60_000)).toMatchObject([
    { number: 2, tries: 2, actor: 'till', keyId: KEY_ID, firstKeyId: 'first', work: WORK },
  ]);
});

test('a job whose acting key is unknown is carried out in the name of the first key', async () => {
  await startedJob(1);
  await ledger.pool.query('update jobs set acting_key_id = null');
  expect(await claimCalls(ledger.pool, 1, 60_000)).toMatchObject([{ keyId: 'first', firstKeyId: 'first' }]);
});

test('a postponed call of a bulk job is claimed again later, and the first recorded result remains', async () => {
  const { jobId } = await startedJob(1);
  const [call] = await claimCalls(ledger.pool, 1, 60_000);
  await postponeCall(ledger.pool, call!, 60_000);
  expect(await claimCalls(ledger.pool, 1, 60_000)).toEqual([]);
  await postponeCall(ledger.pool, call!, -1_000);
  expect(await claimCalls(ledger.pool, 1, 60_000)).toHaveLength(1);
  await recordCall(ledger.pool, call!, null, NOW);
  await recordCall(ledger.pool, call!, { code: 'state_conflict' }, NOW);
  expect(await readBulkJob(ledger.pool, jobId)).toMatchObject({ total: 1, done: 1, refused: 0, state: 'running' });
  await finishJobs(ledger.pool, REAL_NOW);
  expect(await readBulkJob(ledger.pool, jobId)).toMatchObject({ state: 'finished' });
});

test('an ended job is removed once it is old, but a running one is not', async () => {
  const { jobId } = await startedJob(1);
  const old = { proposedBeforeReal: REAL_NOW + 1, createdBeforeReal: REAL_NOW + 1 };
  expect(await purgeJobs(ledger.pool, old, 10)).toBe(0);
  const [call] = await claimCalls(ledger.pool, 1, 60_000);
  await recordCall(ledger.pool, call!, null, NOW);
  await finishJobs(ledger.pool, REAL_NOW);
  expect(await purgeJobs(ledger.pool, { ...old, createdBeforeReal: REAL_NOW }, 10)).toBe(0);
  expect(await purgeJobs(ledger.pool, old, 10)).toBe(1);
  expect(await readBulkJob(ledger.pool, jobId)).toBeNull();
});

test('a dry run is kept until a day after its token has expired, also if an approval has extended the token', async () => {
  await subscribe(ledger.pool);
  const jobId = randomUUID();
  const key = { actor: 'till', firstKeyId: 'first', tokenHash: Buffer.from(jobId) };
  await proposeBulk(ledger.pool, { jobId, ...WORK, ...key, realAt: REAL_NOW, tokenUntilReal: REAL_NOW + 15 * MINUTE });
  await extendProposal(ledger.pool, jobId, REAL_NOW + 10 * MINUTE + DAY);
  const purgeAt = (realNow: number) =>
    purgeJobs(ledger.pool, { proposedBeforeReal: realNow - DAY, createdBeforeReal: realNow - 90 * DAY }, 10);

  const before = REAL_NOW + 5 * MINUTE + DAY;
  expect(await purgeAt(before)).toBe(0);
  expect(await findOpenProposal(ledger.pool, key, before)).toMatchObject({ jobId });
  expect(await purgeAt(REAL_NOW + 10 * MINUTE + 2 * DAY)).toBe(0);
  expect(await purgeAt(REAL_NOW + 10 * MINUTE + 2 * DAY + 1)).toBe(1);
});
