import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, toIso } from '../../src/domain/time';
import { isRunning } from '../../src/temporal';
import { inLanes } from '../../src/jobs/repeated-work';
import { createPool } from '../../src/ledger';
import { createPaymentService, type PaymentService } from '../../src/payment-service';
import type { DuedayProcess } from '../cli/dueday-process';
import { importFile, type LineAnswer, openImport } from '../support/import-call';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';
import { ADMIN_KEY, CREDENTIALS, type SendContext, openGround } from './world';

/** `npm run import-test -- --lines 10000` sets it. */
const LINES = Number(process.env['IMPORT_LINES'] ?? 200);
const BAD_ONE_IN = 100;
const MAX_MEMORY = 300 * 1024 * 1024;
/** Real ms; a busy machine takes a few lines a second, and the file is sent three times. */
const TIMEOUT = 300_000 + LINES * 1_000;

jest.setTimeout(TIMEOUT);

let ground: SendContext;
let service: PaymentService;
let env: Readonly<Record<string, string>>;
let db: ReturnType<typeof createPool>;

beforeAll(async () => {
  ground = await openGround();
  const { url } = await ground.openSandbox();
  service = createPaymentService({
    baseUrl: url,
    timeoutMs: 30_000,
    clock: ground.clock,
    logger: silentLog(),
    ...CREDENTIALS,
  });
  env = { PAYMENT_SERVICE_BASE_URL: url, LOG_LEVEL: 'info' };
  db = createPool({ databaseUrl: ground.database.url, max: 2 });
});
afterAll(async () => {
  await db.end();
  await service.close();
  await ground.close();
});

interface File {
  readonly text: string;
  /** Line numbers. */
  readonly bad: readonly number[];
}

/** Mandates that payers granted without this program, every hundredth line bad in one way or another. */
async function writeFile(): Promise<File> {
  const lines: string[] = Array.from({ length: LINES });
  const bad: number[] = [];
  const firstPaymentAt = toIso(ground.clock.now() + 1000 * DAY);
  let next = 0;
  const write = async () => {
    for (let index = next++; index < LINES; index = next++) {
      const isBad = index % BAD_ONE_IN === BAD_ONE_IN / 2;
      if (isBad) bad.push(index + 1);
      lines[index] = isBad
        ? spoiled(mandateOf(index, 'pay_unknown', firstPaymentAt), bad.length)
        : JSON.stringify(mandateOf(index, await grantedPayment(firstPaymentAt), firstPaymentAt));
    }
  };
  await Promise.all(Array.from({ length: 32 }, write));
  return { text: `${lines.join('\n')}\n`, bad: bad.toSorted((one, other) => one - other) };
}

async function grantedPayment(firstPaymentAt: string): Promise<string> {
  const at = Date.parse(firstPaymentAt);
  const answer = await service.requestPayment({
    useCase: 'SUBSCRIPTION',
    amount: { value: 1999, currency: 'EUR' },
    returnURL: 'https://shop.example/',
    billingAddress: { ...ADDRESS, email: 'wallet+approves+auto@example.test' },
    repetition: 'MONTHLY',
    startAt: at,
    firstPaymentAt: at,
  });
  if (answer.kind !== 'accepted') throw new Error(JSON.stringify(answer));
  return answer.value.paymentId;
}

const ADDRESS = { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };

function mandateOf(index: number, paymentId: string, firstPaymentAt: string): Record<string, unknown> {
  return {
    paymentId,
    amount: { value: 1999, currency: 'EUR' },
    repetition: 'MONTHLY',
    startAt: firstPaymentAt,
    firstPaymentAt,
    billingAddress: ADDRESS,
    payer: { reference: `customer ${index}` },
    ...(index % 2 === 0 ? { subscriptionId: `old-${index}` } : {}),
  };
}

function spoiled(mandate: Record<string, unknown>, kind: number): string {
  const ways = [
    () => JSON.stringify(mandate),
    () => JSON.stringify({ ...mandate, amount: 1999 }),
    () => JSON.stringify({ ...mandate, colour: 'red' }),
    () => JSON.stringify(mandate).slice(0, -9),
    () => JSON.stringify({ ...mandate, payer: { reference: 'x'.repeat(70_000) } }),
  ];
  return ways[kind % ways.length]!();
}

/** The most memory that a process has used, sampled often. */
function watchMemory({ pid }: DuedayProcess): { readonly most: () => number; readonly stop: () => void } {
  let most = 0;
  const look = async () => {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
    most = Math.max(most, Number(stdout.trim()) * 1024);
  };
  const timer = setInterval(() => void look(), 200);
  return { most: () => most, stop: () => clearInterval(timer) };
}

async function countOf(what: string): Promise<number> {
  return (await db.query<{ n: number }>(`select count(*) as n from ${what}`)).rows[0]!.n;
}

/** Those of these workflows that run. */
async function runningOf(workflowIds: readonly string[]): Promise<readonly string[]> {
  const runs = await inLanes(workflowIds, 16, (each) => isRunning(ground.temporal, each));
  return workflowIds.filter((_, index) => runs[index]);
}

/** What the ledger holds, without what time makes different. */
async function ledgerRows() {
  const { rows: subscriptions } = await db.query(
    `select subscription_id, payment_id, status, amount, consent_amount, next_due_at, collected_elsewhere
     from subscriptions order by subscription_id`,
  );
  // What comes of no line: of the daily work, and of the key that the API lists.
  const { rows: others } = await db.query<{ type: string }>(
    `select type from events
     where type not in ('subscription.imported', 'audit.head', 'key.created') and type not like 'reconciliation.%'`,
  );
  return {
    subscriptions,
    payers: await countOf('payers'),
    imported: await countOf(`events where type = 'subscription.imported'`),
    otherEvents: others.map(({ type }) => type),
  };
}

async function killedInTheMiddle(url: string, api: DuedayProcess, { text }: File): Promise<LineAnswer[]> {
  const call = openImport(url, ADMIN_KEY);
  call.write(text);
  call.end();
  const answers: LineAnswer[] = [];
  for (let read = 0; read < LINES * 0.4; read += 1) answers.push((await call.next())!);
  process.kill(api.pid, 'SIGKILL');
  await expect(call.rest()).rejects.toThrow();
  return answers;
}

/** A repeated line says that it added nothing; apart from that its answer is the same. */
function withoutDuplicate(answers: readonly LineAnswer[]): LineAnswer[] {
  return answers.map(({ duplicate: _, ...answer }) => answer);
}

test(`${LINES} lines, one in a hundred bad: killed in the middle, repeated, and repeated again, without a worker`, async () => {
  const file = await writeFile();
  const killed = ground.startToBeKilled('api', env);
  const before = await killedInTheMiddle((await killed.says('admin API on ')).url!, killed, file);

  const api = ground.start('api', env);
  const { url } = await api.says('admin API on ');
  const memory = watchMemory(api);
  const began = performance.now();
  const answers = await importFile(url!, ADMIN_KEY, file.text);
  const seconds = (performance.now() - began) / 1000;

  expect(answers.map(({ line }) => line)).toEqual(Array.from({ length: LINES }, (_, index) => index + 1));
  expect(answers.filter(({ problem }) => problem !== undefined).map(({ line }) => line)).toEqual(file.bad);
  expect(withoutDuplicate(answers.slice(0, before.length))).toEqual(before);
  const rows = await ledgerRows();
  const good = LINES - file.bad.length;
  expect(rows).toMatchObject({ payers: good, imported: good, otherEvents: [] });
  expect(rows.subscriptions).toHaveLength(good);
  expect(new Set(rows.subscriptions.map(({ status }) => status as string))).toEqual(new Set(['active']));

  expect(withoutDuplicate(await importFile(url!, ADMIN_KEY, file.text))).toEqual(withoutDuplicate(answers));
  expect(await ledgerRows()).toEqual(rows);
  await waitUntil('every workflow is started', async () => (await countOf('workflow_starts')) === 0, TIMEOUT);
  const workflows = rows.subscriptions.map(({ subscription_id: id }) => subscriptionWorkflowId(id as SubscriptionId));
  expect(await runningOf(workflows)).toEqual(workflows);
  memory.stop();
  expect(memory.most()).toBeGreaterThan(0);
  expect(memory.most()).toBeLessThan(MAX_MEMORY);
  const mib = Math.round(memory.most() / 1024 / 1024);
  process.stderr.write(`import: ${LINES} lines, ${file.bad.length} bad, ${seconds.toFixed(0)} s, ${mib} MiB at most\n`);
});
