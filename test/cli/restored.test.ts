import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClock } from '../../src/platform/clock';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { HOUR, toIso } from '../../src/domain/time';
import { applyChange, insertDraft, openConsent } from '../../src/ledger';
import { createPaymentService, type PaymentService } from '../../src/payment-service';
import { createSandbox, type Sandbox } from '../../src/sandbox';
import { type AdminUnderTest, startAdmin } from '../admin/admin-under-test';
import { draft } from '../ledger/ledger-fixture';
import { asProgram } from '../support/program-role';
import { silentLog } from '../support/silent-log';
import { untilInstant } from '../support/wait-until';
import { type Finished, runDueday } from './dueday-process';

/** Runs the commands of docs/guides/restore.md in order. */

const CREDENTIALS = { clientId: 'merchant', clientSecret: 'unspeakable-of-the-merchant' };
const AMOUNT = { value: 1999, currency: 'EUR' } as const;

/** One hour per second: a subscription can be created within six seconds. */
const now = Date.now();
const clock = createClock({ virtualStart: now, realStart: now, speed: 3600 });

const PAGE = readFileSync(join(__dirname, '../../docs/guides/restore.md'), 'utf8');
const COMMANDS = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .map((line) => line.replace(/^node bin\/dueday\.js /, ''));

let admin: AdminUnderTest;
let sandbox: Sandbox;
let service: PaymentService;
let env: Record<string, string>;

beforeAll(async () => {
  admin = await startAdmin({ clock });
  const apiUrl = await admin.app.listen({ host: '127.0.0.1', port: 0 });
  const brokenRules = ['one-debit-per-date'] as const;
  sandbox = createSandbox({ clock, logger: silentLog(), bookingDelayMs: 0, brokenRules, ...CREDENTIALS });
  const { url } = await sandbox.listen(0);
  service = createPaymentService({ baseUrl: url, timeoutMs: 8_000, clock, logger: silentLog(), ...CREDENTIALS });
  env = {
    DATABASE_URL: asProgram(admin.db.options.connectionString!),
    PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
    PAYMENT_SERVICE_BASE_URL: url,
    PAYMENT_SERVICE_CLIENT_ID: CREDENTIALS.clientId,
    PAYMENT_SERVICE_CLIENT_SECRET: CREDENTIALS.clientSecret,
    TEST_CLOCK: `${toIso(now)}@${toIso(now)}x3600`,
    DUEDAY_URL: apiUrl,
    DUEDAY_KEY: admin.keys.admin,
  };
});

afterAll(async () => {
  await service.close();
  await sandbox.close();
  await admin.stop();
});

/** A due subscription with debits at the service that the ledger does not know. */
async function debited(debits: number): Promise<SubscriptionId> {
  const dueAt = clock.now() + 6 * HOUR;
  const wanted = draft({ createdAt: clock.now(), startAt: dueAt, firstPaymentAt: dueAt });
  const { subscriptionId, draftedRealAt } = wanted;
  await insertDraft(admin.db, wanted, clock.realNow());
  const terms = { repetition: 'MONTHLY', startAt: dueAt, firstPaymentAt: dueAt } as const;
  const { returnURL, billingAddress } = wanted;
  const opened = await service.requestPayment({
    useCase: 'SUBSCRIPTION',
    amount: AMOUNT,
    returnURL,
    billingAddress,
    ...terms,
  });
  if (opened.kind !== 'accepted') throw new Error(opened.kind);
  const paymentId: PaymentId = opened.value.paymentId;
  const asked = { redirectURL: 'https://bank.example/approve', requestedRealAt: clock.realNow(), at: clock.now() };
  await openConsent(admin.db, { subscriptionId, draftedRealAt, paymentId, ...asked });
  sandbox.payer(paymentId).approve('approves');
  const about = { subscriptionId, key: 'activated', at: clock.now(), actor: 'dueday', events: [] };
  await applyChange(admin.db, { ...about, subscription: { status: 'active', nextDueAt: dueAt } });
  await untilInstant(clock, dueAt);
  for (let n = 0; n < debits; n += 1) {
    expect((await service.initiate(paymentId, AMOUNT)).kind).toBe('accepted');
    sandbox.settle(paymentId);
    sandbox.settle(paymentId);
  }
  return subscriptionId;
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
  const lost = await debited(1);
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

  const unclear = await debited(2);
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
  // Last, as afterwards the other commands' credentials are refused.
  expect(COMMANDS).toEqual([expect.stringMatching(/^ledger accept --copy --reason /)]);
  const declared = await runDueday(['ledger', 'accept', '--copy', '--reason', 'staging'], env);
  expect([declared.code, declared.stdout]).toEqual([0, expect.stringContaining('This ledger is now a copy')]);
});
