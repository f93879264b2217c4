import { MAX_RETRIES } from '../../src/domain/subscription/retries';
import { createPool, type Pool } from '../../src/ledger';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 1 });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

it.each([
  ['attempts', 'attempt'],
  ['cycles', 'retries_left'],
])('%s.%s goes up to as many retries as the rule allows, and no further', async (table, column) => {
  const { rows } = await pool.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%' || $2 || ' >= %'`,
    [table, column],
  );
  expect(rows).toEqual([{ definition: `CHECK (((${column} >= 0) AND (${column} <= ${MAX_RETRIES})))` }]);
});
