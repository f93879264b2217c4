import { MERCHANT_NOTICES, PAYER_NOTICES } from '../../src/contract/notices';
import { APPROVAL_DECISIONS } from '../../src/domain/approvals';
import type { AttemptState } from '../../src/domain/send';
import { MAX_RETRIES } from '../../src/domain/subscription/retries';
import { REPETITIONS } from '../../src/domain/subscription/schedule';
import { CYCLE_STATUSES, SUBSCRIPTION_STATUSES } from '../../src/domain/subscription/state';
import { createPool, isRefusedByLedger, type Pool, RACE_CONSTRAINTS, ROLES } from '../../src/ledger';
import { createTestDatabase, type TestDatabase } from '../support/database';

/** The database and the program check the same values: a migration follows the constant that it repeats. */

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

async function checksOf(table: string, beginning: string): Promise<string[]> {
  const { rows } = await pool.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
    [table],
  );
  return rows.map(({ definition }) => definition).filter((definition) => definition.startsWith(beginning));
}

it.each([
  ['attempts', 'attempt'],
  ['cycles', 'retries_left'],
])('%s.%s allows exactly as many retries as rule 13', async (table, column) => {
  const expected = `CHECK (((${column} >= 0) AND (${column} <= ${MAX_RETRIES})))`;
  expect(await checksOf(table, `CHECK (((${column} >= 0) AND`)).toEqual([expected]);
});

const ATTEMPT_STATES = Object.keys({
  sending: 0,
  pending: 0,
  unknown: 0,
  unresolved: 0,
  successful: 0,
  rejected_retryable: 0,
  rejected: 0,
  capture_failed: 0,
  not_sent: 0,
} satisfies Record<AttemptState, 0>);

it.each<[string, string, readonly string[]]>([
  ['subscriptions', 'repetition', REPETITIONS],
  ['subscriptions', 'status', ['draft', ...SUBSCRIPTION_STATUSES]],
  ['cycles', 'status', CYCLE_STATUSES],
  ['attempts', 'state', ATTEMPT_STATES],
  ['notices', 'type', [...PAYER_NOTICES, ...MERCHANT_NOTICES]],
  ['api_keys', 'role', ROLES],
  ['approvals', 'decision', APPROVAL_DECISIONS],
])('%s.%s accepts exactly the values that the program knows', async (table, column, known) => {
  const checks = await checksOf(table, `CHECK ((${column} = ANY (ARRAY[`);
  const taken = checks.flatMap((check) => [...check.matchAll(/'([^']+)'::text/g)].map(([, word]) => word));
  expect(taken.toSorted()).toEqual([...known].toSorted());
});

it('every unique constraint that decides between concurrent writes exists, and a violation does not count as refused data', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indisunique and c.relnamespace = 'public'::regnamespace`,
  );
  const known = rows.map(({ name }) => name);
  expect(known).toEqual(expect.arrayContaining([...RACE_CONSTRAINTS]));
  const violating = (constraint: string) => Object.assign(new Error('duplicate key'), { code: '23505', constraint });
  expect(RACE_CONSTRAINTS.filter((name) => isRefusedByLedger(violating(name)))).toEqual([]);
  expect(isRefusedByLedger(violating('attempts_authorization_in_use'))).toBe(true);
});
