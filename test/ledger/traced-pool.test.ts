import { inTraceOf } from '../../src/platform/tracing';
import { inTransaction } from '../../src/ledger/sql/database';
import { summaryOf } from '../../src/ledger/sql/traced-pool';
import { createPool, type Pool } from '../../src/ledger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { traced } from '../tracing/traces-on';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, for which all wait.
  pool = createPool({ databaseUrl: database.url, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test.each([
  ['select key_id from api_keys order by key_id', 'select api_keys'],
  ['insert into attempts (a) values ($1) on conflict do nothing', 'insert attempts'],
  ['with sent as (\n insert into attempts (a) values ($1)), entry as (select) select a from sent', 'insert attempts'],
  ['update only cycles set status = $1 where a is distinct from b', 'update cycles'],
  ['with old as (delete from drafts returning *) select 1', 'delete drafts'],
  ['begin isolation level repeatable read read only; set local statement_timeout = 3000', 'begin'],
  ['\n  select 1', 'select'],
  ['', 'statement'],
])('the statement %j is named %s in a trace', (text, summary) => expect(summaryOf(text)).toBe(summary));

test('the span of a statement belongs to the work that runs it, however many statements wait for one connection', async () => {
  const cycles = [0, 1, 2, 3, 4];
  const { spans } = await traced(() =>
    Promise.all(
      cycles.map((cycle) =>
        inTraceOf({ subscriptionId: 'gym', cycle }, 'work', async () => {
          await pool.query('select 1 from cycles');
          await inTransaction(pool, (client) => client.query('select 2 from attempts'));
        }),
      ),
    ),
  );
  for (const cycle of cycles) {
    const work = spans.find(({ attributes }) => attributes['dueday.cycle'] === cycle);
    const within = spans.filter(({ parentSpanId }) => parentSpanId === work?.spanId);
    expect(within.map(({ name }) => name)).toEqual(['select cycles', 'begin', 'select attempts', 'commit']);
    expect(within.every(({ traceId }) => traceId === work?.traceId)).toBe(true);
  }
});

test("the span of a failed statement has the error's code, and not its message", async () => {
  const { spans, text } = await traced(() =>
    inTraceOf({ subscriptionId: 'gym' }, 'work', () =>
      pool.query('select $1::text::int from cycles', ['quixotine']).catch(() => undefined),
    ),
  );
  const [statement] = spans;
  expect(statement).toMatchObject({ isError: true, attributes: { 'error.type': '22P02' } });
  expect(text).not.toContain('quixotine');
});
