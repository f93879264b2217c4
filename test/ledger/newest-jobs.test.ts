import { DAY, toIso } from '../../src/domain/time';
import { JOB_KINDS, type JobKind, type JobState, jobCursor, listJobs } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { NOW, REAL_NOW, useLedger } from './ledger-fixture';

const ledger = useLedger();
beforeEach(async () => {
  await emptyLedger(ledger.pool);
  await ledger.pool.query(`delete from webhook_endpoints where endpoint_id = 'shop'; delete from merchant_events`);
});

/** Ids in the order of their numbers, which decides which of two jobs of one instant comes first. */
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

async function run(n: number, realAt: number, state = 'running'): Promise<void> {
  await ledger.pool.query(
    `insert into reconciliation_runs (run_id, period_from, period_to, actor, state, started_at, started_real_at, ended_real_at)
     values ($1, now(), now() + interval '1 day', 'till', $2, $3, $4, case when $2 <> 'running' then $4::timestamptz end)`,
    [idOf(n), state, toIso(NOW), toIso(realAt)],
  );
}

async function bulk(n: number, realAt: number, state = 'running'): Promise<void> {
  await ledger.pool.query(
    `insert into jobs (job_id, kind, state, work, actor, key_id, started_at, created_real_at, ended_real_at)
     values ($1, 'bulk', $2, '{}', 'till', 'key', case when $2 <> 'proposed' then now() end, $3,
       case when $2 in ('finished', 'stopped') then $3::timestamptz end)`,
    [idOf(n), state, toIso(realAt)],
  );
}

async function replay(n: number, realAt: number, state = 'running'): Promise<void> {
  await ledger.pool.query(
    `insert into webhook_endpoints (endpoint_id, url, types, secret) values ('shop', 'https://shop.example/', '{*}', 'whsec_x')
     on conflict do nothing`,
  );
  await ledger.pool.query(
    `insert into event_replays (job_id, endpoint_id, types, since, only_failed, position, last, total, new_total, state, actor,
       started_at, created_real_at)
     values ($1, 'shop', '{*}', now(), false, 0, 0, 1, 1, $2, 'till', now(), $3)`,
    [idOf(n), state, toIso(realAt)],
  );
}

async function listed(state?: JobState, kinds: readonly JobKind[] = JOB_KINDS): Promise<string[]> {
  const { items } = await listJobs(ledger.pool, { kinds, state }, REAL_NOW, { limit: 200, cursor: null });
  return items.map(({ jobId, kind }) => `${kind} ${Number(jobId.slice(-12))}`);
}

test('jobs of all kinds are listed newest first, each once over pages of any size', async () => {
  await run(1, REAL_NOW - 5);
  await bulk(2, REAL_NOW - 3);
  await replay(3, REAL_NOW - 4);
  await bulk(4, REAL_NOW - 4);
  await run(5, REAL_NOW - 1);
  const expected = ['reconciliation 5', 'bulk 2', 'bulk 4', 'replay 3', 'reconciliation 1'];
  expect(await listed()).toEqual(expected);
  for (const limit of [1, 2, 4, 5]) {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await listJobs(ledger.pool, { kinds: JOB_KINDS }, REAL_NOW, { limit, cursor });
      expect(page.items.length).toBeLessThanOrEqual(limit);
      found.push(...page.items.map(({ jobId, kind }) => `${kind} ${Number(jobId.slice(-12))}`));
      cursor = page.nextCursor;
      if (cursor !== null) expect(jobCursor.is(cursor)).toBe(true);
    } while (cursor !== null);
    expect(found).toEqual(expected);
  }
});

test('a job is listed for 90 days to the millisecond', async () => {
  await run(1, REAL_NOW - 90 * DAY - 1);
  await run(2, REAL_NOW - 90 * DAY);
  expect(await listed()).toEqual(['reconciliation 2']);
});

test('a dry run is not in the list of jobs', async () => {
  await bulk(1, REAL_NOW, 'proposed');
  expect(await listed()).toEqual([]);
});

test('the list of jobs is filtered by kind', async () => {
  await run(1, REAL_NOW);
  await bulk(2, REAL_NOW);
  await replay(3, REAL_NOW);
  expect(await listed(undefined, ['bulk'])).toEqual(['bulk 2']);
  expect(await listed(undefined, ['replay', 'reconciliation'])).toEqual(['replay 3', 'reconciliation 1']);
  expect(await listed(undefined, [])).toEqual([]);
});

test('the list of jobs is filtered by state, as each job shows it', async () => {
  await run(1, REAL_NOW - 1, 'running');
  await run(2, REAL_NOW - 2, 'compared');
  await run(3, REAL_NOW - 3, 'service_unavailable');
  await run(4, REAL_NOW - 4, 'stopped');
  await bulk(5, REAL_NOW - 5, 'running');
  await bulk(6, REAL_NOW - 6, 'finished');
  await bulk(7, REAL_NOW - 7, 'stopped');
  await replay(8, REAL_NOW - 8, 'running');
  await replay(9, REAL_NOW - 9, 'queued');
  await replay(10, REAL_NOW - 10, 'stopped');
  await replay(11, REAL_NOW - 11, 'queued');
  await ledger.pool.query(
    `insert into merchant_events (event_id, type, at, data) values ('evt_1', 'endpoint.test', now(), '{}')`,
  );
  await ledger.pool.query(
    `insert into webhook_deliveries (endpoint_id, event_id, subject, rank, subject_sequence, job_id) values ('shop', 'evt_1', 'evt_1', 1, 0, $1)`,
    [idOf(11)],
  );
  expect(await listed('running')).toEqual(['reconciliation 1', 'bulk 5', 'replay 8', 'replay 11']);
  expect(await listed('finished')).toEqual(['reconciliation 2', 'bulk 6', 'replay 9']);
  expect(await listed('failed')).toEqual(['reconciliation 3']);
  expect(await listed('stopped')).toEqual(['reconciliation 4', 'bulk 7', 'replay 10']);
});
