import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFile, type LineAnswer } from '../support/import-call';
import { type AdminUnderTest, startAdmin } from './admin-under-test';
import { mandate, ndjson } from './mandate';
import { order } from './order';

let admin: AdminUnderTest;
let url: string;

beforeAll(async () => {
  admin = await startAdmin();
  url = await admin.app.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(() => admin.rewind());
afterAll(() => admin.stop());

const send = (query: string, ...lines: Record<string, unknown>[]) =>
  importFile(url, admin.keys.admin, ndjson(...lines), {}, Infinity, query);
const dryRun = (...lines: Record<string, unknown>[]) => send('?dryRun=true', ...lines);
const pathsOf = (answer: LineAnswer | undefined) => answer?.problem?.errors?.map(({ path }) => path);

async function countRows(): Promise<unknown> {
  const counts = ['subscriptions', 'payers', 'workflow_starts', 'merchant_events', 'events'].map(
    (table) => `(select count(*) from ${table}) as ${table}`,
  );
  return (await admin.db.query(`select ${counts.join(', ')}`)).rows[0];
}

test('a dry run answers each line as the import would, asks the service, and stores nothing', async () => {
  const lines = [
    mandate({ subscriptionId: 'old-1' }),
    mandate({ paymentId: 'pay_2', repetition: 'DAILY' }),
    mandate({ paymentId: 'pay_3', endAt: '2027-02-01T12:00:00Z' }),
  ];
  const before = await countRows();
  const answers = await dryRun(...lines);
  expect(await countRows()).toEqual(before);
  expect(admin.mandates.asked.length).toBeGreaterThan(0);
  expect(answers[0]).toEqual({ line: 1, subscriptionId: 'old-1', dryRun: true });
  expect(pathsOf(answers[1])).toEqual(['repetition']);
  expect(answers[2]).toMatchObject({ dryRun: true, warnings: [expect.stringContaining('120 h')] });

  const imported = await send('', ...lines);
  expect(imported).toEqual(answers.map(({ dryRun: _dryRun, ...answer }) => answer));
});

test('a dry run refuses a mandate that an earlier line of the file would import', async () => {
  const answers = await dryRun(
    mandate({ subscriptionId: 'a' }),
    mandate({ subscriptionId: 'b' }),
    mandate({ subscriptionId: 'a' }),
  );
  expect(answers).toMatchObject([
    { line: 1, subscriptionId: 'a', dryRun: true },
    { line: 2, problem: { code: 'state_conflict', detail: 'The payment belongs to subscription a.' } },
    { line: 3, subscriptionId: 'a', dryRun: true },
  ]);
});

test('a dry run refuses to replace a subscription that another one replaces already', async () => {
  await send('', mandate({ subscriptionId: 'old' }));
  const created = await admin.call('POST', '/v1/subscriptions', {
    body: order({ subscriptionId: 'new', replaces: 'old' }),
  });
  expect(created.statusCode).toBe(201);
  const line = mandate({ subscriptionId: 'newer', paymentId: 'pay_2', replaces: 'old' });
  const [tried] = await dryRun(line);
  expect(tried?.problem).toMatchObject({
    code: 'state_conflict',
    detail: expect.stringContaining('Subscription new,'),
  });
  expect((await send('', line))[0]?.problem).toEqual(tried?.problem);
});

test.each([
  ['?dryRun=1', 'dryRun'],
  ['?dryrun=true', 'dryrun'],
])('the query %s is refused, and nothing is imported', async (query, path) => {
  const before = await countRows();
  expect(await send(query, mandate())).toMatchObject([{ code: 'invalid_request', errors: [{ path }] }]);
  expect(await countRows()).toEqual(before);
});

test('the CSV file of the documentation is accepted', async () => {
  const page = readFileSync(join(__dirname, '../../docs/reference/admin-api.md'), 'utf8');
  const [, file = ''] = /^```csv\n(.*?)^```$/ms.exec(page) ?? [];
  const csv = { 'content-type': 'text/csv' };
  const answers = await importFile(url, admin.keys.admin, file, csv, Infinity, '?dryRun=true');
  expect(answers).toEqual([{ line: 2, subscriptionId: 'magazine-7', dryRun: true }]);
});

test('a dry run judges the state of an exported line as the import does, and stores nothing', async () => {
  const paused = { status: 'paused', pausedUntil: '2027-05-01T00:00:00Z' };
  const lines = [
    mandate({ subscriptionId: 'held', state: paused }),
    mandate({ paymentId: 'pay_2', state: { status: 'active', skippedCycles: [5_000] } }),
  ];
  const before = await countRows();
  const answers = await dryRun(...lines);
  expect(await countRows()).toEqual(before);
  expect(answers[0]).toEqual({ line: 1, subscriptionId: 'held', dryRun: true });
  expect(pathsOf(answers[1])).toEqual(['state.skippedCycles']);
  expect((await send('', ...lines))[1]?.problem).toEqual(answers[1]?.problem);
});
