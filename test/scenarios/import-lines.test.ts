import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import { isRunning } from '../../src/temporal';
import { inLanes } from '../../src/jobs/repeated-work';
import { createPool } from '../../src/ledger';
import { createPaymentService, type PaymentService } from '../../src/payment-service';
import type { DuedayProcess } from '../cli/dueday-process';
import { importFile, type LineAnswer, openImport } from '../support/import-call';
import { watchMemory } from '../support/memory';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';
import { type MandateFile, writeMandateFile } from './mandate-file';
import { ADMIN_KEY, CREDENTIALS, type Ground, openGround } from './world';

/** `npm run import-test -- --lines 10000` sets it. */
const LINES = Number(process.env['IMPORT_LINES'] ?? 200);
const MAX_MEMORY = 300 * 1024 * 1024;
/** Real ms; a busy machine takes a few lines a second, and the file is sent three times. */
const TIMEOUT = 300_000 + LINES * 1_000;

jest.setTimeout(TIMEOUT);

let ground: Ground;
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

async function countOf(what: string): Promise<number> {
  return (await db.query<{ n: number }>(`select count(*) as n from ${what}`)).rows[0]!.n;
}

/** The workflows of these that are running. */
async function runningOf(workflowIds: readonly string[]): Promise<readonly string[]> {
  const runs = await inLanes(workflowIds, 16, (each) => isRunning(ground.temporal, each));
  return workflowIds.filter((_, index) => runs[index]);
}

/** The contents of the ledger, without values that depend on time. */
async function ledgerRows() {
  const { rows: subscriptions } = await db.query(
    `select subscription_id, payment_id, status, amount, consent_amount, next_due_at, collected_elsewhere
     from subscriptions order by subscription_id`,
  );
  // Rows that come from no line: from the daily work, and from the use of the API's key.
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

async function killedInTheMiddle(url: string, api: DuedayProcess, { text }: MandateFile): Promise<LineAnswer[]> {
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

test(`${LINES} lines, one in a hundred bad, are imported without a worker: the import is killed in the middle and then repeated twice`, async () => {
  const file = await writeMandateFile(service, { lines: LINES, firstPaymentAt: ground.clock.now() + 1000 * DAY });
  const killed = ground.startToBeKilled('api', env);
  const before = await killedInTheMiddle((await killed.says('admin API on ')).url!, killed, file);

  const api = ground.start('api', env);
  const { url } = await api.says('admin API on ');
  const memory = watchMemory(api.pid);
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
