import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SubscriptionId } from '../../src/domain/ids';
import { type AdminUnderTest, startAdmin } from '../admin/admin-under-test';
import { asProgram } from '../support/program-role';
import { untilInstant } from '../support/wait-until';
import { type Finished, runDueday } from './dueday-process';
import {
  approvedSubscription,
  clock,
  debitUnknownToLedger,
  openServiceAtSpeed,
  type ServiceAtSpeed,
  TEST_CLOCK,
} from './service-at-speed';

/** Runs the commands of docs/guides/restore.md in order. */

const PAGE = readFileSync(join(__dirname, '../../docs/guides/restore.md'), 'utf8');
const COMMANDS = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .map((line) => line.replace(/^node bin\/dueday\.js /, ''));

let admin: AdminUnderTest;
let at: ServiceAtSpeed;
let env: Record<string, string>;

beforeAll(async () => {
  admin = await startAdmin({ clock });
  const apiUrl = await admin.app.listen({ host: '127.0.0.1', port: 0 });
  at = await openServiceAtSpeed({ brokenRules: ['one-debit-per-date'] });
  env = {
    ...at.env,
    DATABASE_URL: asProgram(admin.db.options.connectionString!),
    PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
    TEST_CLOCK,
    DUEDAY_URL: apiUrl,
    DUEDAY_KEY: admin.keys.admin,
  };
});

afterAll(async () => {
  await at.close();
  await admin.stop();
});

/** A due subscription with debits at the service that the ledger does not know. */
async function createDebited(debits: number): Promise<SubscriptionId> {
  const approved = await approvedSubscription(admin.db, at);
  await untilInstant(clock, approved.dueAt);
  for (let n = 0; n < debits; n += 1) await debitUnknownToLedger(approved, at);
  return approved.subscriptionId;
}

async function collected(subscriptionId: SubscriptionId): Promise<unknown[]> {
  const { rows } = await admin.db.query<{ status: string }>('select status from cycles where subscription_id = $1', [
    subscriptionId,
  ]);
  return rows;
}

/** Runs the next command of the page, which must start like this; `filled` replaces its placeholders. */
function next(beginning: string, filled: readonly string[] = []): Promise<Finished> {
  expect(`${COMMANDS.shift()} `).toMatch(new RegExp(`^${beginning} `));
  return runDueday([...beginning.split(' '), ...filled], env);
}

test('the commands in docs/guides/restore.md lead from a restored ledger to one that sends again', async () => {
  const lost = await createDebited(1);
  await admin.db.query(`update restore_guard set identity = 'elsewhere'`);
  const shown = await next('halt show');
  expect(JSON.parse(shown.stdout)).toMatchObject({ halted: true, by: 'dueday' });
  expect(await next('reconcile')).toEqual({
    code: 0,
    signal: null,
    stdout: 'reconcile: ledger and service agree, 1 payment compared\n',
    stderr: expect.stringMatching(
      /^up to \d+ payments? to compare, .+\nThe ledger was restored; its present state is accepted, and sending resumes\.\n$/,
    ) as string,
  });
  expect(await collected(lost)).toEqual([{ status: 'collected' }]);

  const unclear = await createDebited(2);
  const told = await next('reconcile --restored');
  expect(told.code).toBe(1);
  expect(told.stdout).toMatch(/\nreconcile: 2 differences, 2 payments compared\n$/);
  expect(told.stderr).toMatch(
    /\nThe ledger was restored; sending stays halted: 2 differences wait for an operator .+\n$/,
  );
  expect(await collected(unclear)).toEqual([]);
  const refused = await runDueday(['halt', 'lift', '--yes'], env);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('2 differences wait for an operator') as string,
  ]);

  const list = await next('attention list');
  const items = list.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { item: string; kind: string });
  expect(items.map(({ kind }) => kind)).toEqual(['sending_halted', 'debit_unknown', 'debit_unknown']);
  const [, one, two] = items;
  expect((await next('attention close', [one!.item, '--reason', 'owed'])).code).toBe(0);
  expect((await runDueday(['attention', 'close', two!.item, '--reason', 'given back'], env)).code).toBe(0);
  const lifted = await next('halt lift', ['--yes']);
  expect([lifted.code, JSON.parse(lifted.stdout)]).toEqual([0, { halted: false }]);
  expect((await next('cycles resolve', ['--help'])).stdout).toContain('--authorization-id');

  await admin.db.query(`update restore_guard set identity = 'elsewhere'`);
  const wrong = await runDueday(['reconcile', '--nothing-lost', ' ', '--restored'], env);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringMatching(
      /--nothing-lost: expected a reason of 1 .+; got " "[^]+--restored: not allowed together/,
    ) as string,
  ]);
  expect(await next('reconcile --nothing-lost', ['switched over'])).toMatchObject({
    code: 0,
    stdout: 'The database is accepted in its present state, without a comparison, and sending resumes.\n',
  });
  const { stdout } = await runDueday(['reconcile', '--nothing-lost', 'switched over'], env);
  expect(stdout).toBe('Nothing is halted: this is the database that was accepted.\n');
  // This command is last, because it makes the ledger a copy, for which the other commands' credentials are refused.
  expect(COMMANDS).toEqual([expect.stringMatching(/^ledger accept --copy --reason /)]);
  const declared = await runDueday(['ledger', 'accept', '--copy', '--reason', 'staging'], env);
  expect([declared.code, declared.stdout]).toEqual([0, expect.stringContaining('This ledger is now a copy')]);
});
