import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPool, type Pool } from '../../src/ledger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { emptyLedger } from '../support/empty-ledger';
import { untilInstant } from '../support/wait-until';
import { runDueday } from './dueday-process';
import {
  AMOUNT,
  approvedSubscription,
  clock,
  debitUnknownToLedger,
  openServiceAtSpeed,
  type ServiceAtSpeed,
} from './service-at-speed';

let database: TestDatabase;
let ledger: Pool;
let at: ServiceAtSpeed;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = createPool({ databaseUrl: database.url });
  at = await openServiceAtSpeed();
  env = { ...at.env, DATABASE_URL: database.programUrl };
});

afterAll(async () => {
  await at.close();
  await ledger.end();
  await database.drop();
});

const reconcile = (...args: string[]) => runDueday(['reconcile', ...args], env);

/** The estimate that is printed before the comparison. */
const ESTIMATE = /^up to \d+ payments? to compare, 3 calls each: about a minute if the service answers quickly\n$/;

test('the reconcile command exits 0 if ledger and service agree, and 1 after an unknown debit, without a daemon', async () => {
  const approved = await approvedSubscription(ledger, at);
  const { subscriptionId, paymentId, dueAt } = approved;
  expect(await reconcile()).toEqual({
    code: 0,
    signal: null,
    stderr: expect.stringMatching(ESTIMATE) as string,
    stdout: 'reconcile: ledger and service agree, 1 payment compared\n',
  });

  await untilInstant(clock, dueAt);
  await debitUnknownToLedger(approved, at);

  const { code, stdout, stderr } = await reconcile();
  expect([code, stderr]).toEqual([1, expect.stringMatching(ESTIMATE)]);
  expect(stdout).toContain('debit_unknown');
  expect(stdout).toContain(subscriptionId);
  expect(stdout).toMatch(/\nreconcile: 1 difference, 1 payment compared\n$/);

  const asJson = await reconcile('--json', '--from', new Date(dueAt).toISOString());
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    payments: 1,
    differences: 1,
    nextCursor: null,
    from: new Date(dueAt).toISOString(),
    items: [{ kind: 'debit_unknown', subscriptionId, paymentId, service: { amount: AMOUNT } }],
  });
  expect((await reconcile('--to', new Date(dueAt).toISOString())).code).toBe(0);
});

test('the reconcile command reports an unreachable service in one line with exit code 1, never as agreement', async () => {
  const { code, stdout, stderr } = await runDueday(['reconcile'], {
    ...env,
    PAYMENT_SERVICE_BASE_URL: 'http://127.0.0.1:1',
  });
  expect([code, stdout]).toEqual([1, '']);
  // The wait for the service is as long as the interval of progress lines, so one such line may be printed before.
  expect(stderr).toMatch(
    /^up to \d+ payments? to compare, .+\n(0 payments compared of \d+\n)?dueday: the payment service cannot be asked: .+\n$/,
  );
  expect(stderr).not.toContain('unspeakable');
});

test('the reconcile command waits while the service is interrupted, and keeps finished comparisons', async () => {
  await emptyLedger(ledger);
  const subscribed = [await approvedSubscription(ledger, at), await approvedSubscription(ledger, at)];
  const [, later] = subscribed.sort((one, other) => (one.subscriptionId < other.subscriptionId ? -1 : 1));
  let refused = 0;
  let backAt = Infinity;
  const front = createServer((asked, answer) => {
    if (asked.url?.includes(later!.paymentId) === true && Date.now() < backAt) {
      // Longer than the wait for a service that has never answered.
      if (refused === 0) backAt = Date.now() + 12_000;
      refused += 1;
      return answer.writeHead(429).end();
    }
    const { method, headers } = asked;
    const forward = request(`${env['PAYMENT_SERVICE_BASE_URL']}${asked.url}`, { method, headers }, (back) => {
      answer.writeHead(back.statusCode ?? 502, back.headers);
      back.pipe(answer);
    });
    return asked.pipe(forward);
  });
  await once(front.listen(0, '127.0.0.1'), 'listening');
  const { port } = front.address() as AddressInfo;
  const { code, stdout, stderr } = await runDueday(['reconcile'], {
    ...env,
    PAYMENT_SERVICE_BASE_URL: `http://127.0.0.1:${port}`,
  });
  front.close();
  expect([code, stdout]).toEqual([0, 'reconcile: ledger and service agree, 2 payments compared\n']);
  // The command prints its progress every ten seconds.
  const end = 'the last one at about \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\dZ';
  expect(stderr).toMatch(
    new RegExp(
      `^up to 2 payments to compare, .+\\n1 payment compared of 2, ${end}\\n(2 payments compared of 2, ${end}\\n)?$`,
    ),
  );
  expect(refused).toBeGreaterThan(1);
});

test.each([
  [
    'a start that is not a time',
    ['--from', 'yesterday'],
    'dueday: --from: expected a time such as 2027-01-31T10:00:00Z; got "yesterday"',
  ],
  [
    'two invalid times',
    ['--from', '2027-02-30T00:00:00Z', '--to', '2027-01-01'],
    'dueday: --from: expected a time such as 2027-01-31T10:00:00Z; got "2027-02-30T00:00:00Z"\n--to: expected a time such as 2027-01-31T10:00:00Z; got "2027-01-01"',
  ],
  [
    'an end that is not after the start',
    ['--from', '2027-01-01T00:00:00Z', '--to', '2027-01-01T00:00:00Z'],
    'dueday: --to: expected a time after --from',
  ],
])('reconcile with %s exits 2 and names every fault', async (_what, args, words) => {
  const { code, stderr } = await reconcile(...args);
  expect([code, stderr.trimEnd()]).toEqual([2, words]);
});

test('a configuration without the service exits 2 and names everything missing', async () => {
  const { code, stderr } = await runDueday(['reconcile'], { DATABASE_URL: database.url });
  expect(code).toBe(2);
  for (const name of ['PAYMENT_SERVICE_BASE_URL', 'PAYMENT_SERVICE_CLIENT_ID', 'PAYMENT_SERVICE_CLIENT_SECRET']) {
    expect(stderr).toContain(`${name}: missing`);
  }
  expect(stderr).not.toContain('TEMPORAL');
});
