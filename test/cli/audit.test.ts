import { chainAuditLog, createPool, insertEvent, type Pool } from '../../src/ledger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { type Finished, runDueday } from './dueday-process';

const HEAD = /[0-9a-f]{64}/;

let database: TestDatabase;
let ledger: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = createPool({ databaseUrl: database.url, max: 2 });
  for (const reason of ['a drill', 'another drill']) {
    const entry = { subscriptionId: null, at: 0, actor: 'ada', type: 'halt.started' } as const;
    await insertEvent(ledger, { ...entry, data: { reason } });
  }
  await chainAuditLog(ledger);
});

afterAll(async () => {
  await ledger.end();
  await database.drop();
});

const verify = (...args: string[]): Promise<Finished> =>
  runDueday(['audit', 'verify', ...args], { DATABASE_URL: database.programUrl });

const headOf = ({ stdout }: Finished): string => HEAD.exec(stdout)?.[0] ?? 'none';

test('the audit command exits 0 with the head if nothing was changed, and 1 with each changed entry and a missing head', async () => {
  const whole = await verify();
  const head = headOf(whole);
  expect(whole).toMatchObject({ code: 0, stderr: '', stdout: `audit: 2 entries verified, head ${head}\n` });
  expect(await verify('--head', head.toUpperCase())).toMatchObject({ code: 0 });
  const verdict = { entries: 2, head, faults: 0, withoutWords: 0, unchained: 0 };
  expect((await verify('--json')).stdout).toBe(`${JSON.stringify(verdict)}\n`);

  await ledger.query(
    `begin; set local session_replication_role = replica;
       update events set actor = 'eve' where data ->> 'reason' = 'a drill'; commit`,
  );
  const published = '9'.repeat(64);
  expect(await verify('--head', published)).toMatchObject({
    code: 1,
    stdout: [
      'entry 1: its content or its position in the chain was changed (position 1)',
      `the head ${published} is not in the chain`,
      `audit: 2 entries checked, 2 differences, head ${head}\n`,
    ].join('\n'),
  });
  const { code, stdout } = await verify('--json');
  expect(code).toBe(1);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { entryId: 1, text: 'its content or its position in the chain was changed (position 1)' },
    { ...verdict, faults: 1 },
  ]);
});

test('the audit command refuses a hash that is not 64 hexadecimal digits, with exit code 2', async () => {
  expect(await verify('--head', 'abc')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'dueday: --head: expected the 64 hexadecimal digits of an audit.head event; got "abc"\n',
  });
});
