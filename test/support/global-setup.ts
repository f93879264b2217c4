import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { Client } from 'pg';
import { makeTemporaryFolder } from '../../src/embedded/folders';
import { startPostgres } from '../../src/embedded/postgres/postgres';
import { startTemporal } from '../../src/embedded/temporal/temporal';
import { createPool } from '../../src/ledger/sql/database';
import { grantProgram } from '../../src/ledger/sql/grants';
import { migrate } from '../../src/ledger/sql/migrate';
import { createProgressLog } from '../../src/platform/log';
import { createProgramRole, PROGRAM_ROLE } from './program-role';
import { stopAfterRun } from './run-resources';
import { silentLog } from './silent-log';
import { publishTestRun, type TestRun } from './test-run';
import { provideTimeSkippingServer } from './time-skipping/program';

/** Shows the progress of a first run, in which Temporal is built. */
const log = createProgressLog();

/** One PostgreSQL, one Temporal and one bundle of the workflows for the whole run; test files take what they need of them. */
export default async function setUp(): Promise<void> {
  const folder = await makeTemporaryFolder('test');
  stopAfterRun(() => rm(folder, { recursive: true, force: true }));
  const [database, workflowBundle, temporal, timeSkippingServer] = await Promise.all([
    outcomeOf(bringUpDatabase(folder)),
    outcomeOf(bundleWorkflows(folder)),
    outcomeOf(bringUpTemporal()),
    outcomeOf(provideTimeSkippingServer(log).then((path) => ({ path }))),
  ]);
  publishTestRun({ database, workflowBundle, temporal, timeSkippingServer });
}

async function outcomeOf<Ready>(part: Promise<Ready>): Promise<{ ready: Ready } | { fault: string }> {
  return part.then(
    (ready) => ({ ready }),
    (fault: unknown) => ({ fault: fault instanceof Error ? fault.message : String(fault) }),
  );
}

async function bringUpDatabase(folder: string): Promise<TestRun['database']> {
  const dataDir = join(folder, 'postgres');
  // The mutation tests keep the databases of many test files open, in two processes.
  const server = await startPostgres({ dataDir, log: silentLog(), port: 0, durable: false, maxConnections: 600 });
  stopAfterRun(server.stop);
  const templateDatabase = 'ledger_template';
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${templateDatabase}`);
  await client.end();
  const template = new URL(server.url);
  template.pathname = templateDatabase;
  await migrate({ databaseUrl: template.href });
  await createProgramRole(server.url);
  const owner = createPool({ databaseUrl: template.href, max: 1 });
  const { kind } = await grantProgram(owner, PROGRAM_ROLE);
  await owner.end();
  if (kind !== 'granted') throw new Error(`the program's role did not get its grants: ${kind}`);
  return { serverUrl: server.url, templateDatabase };
}

/** Each program of a test has its own task queue and therefore its own deployment: more than the usual 100 per namespace. */
const MANY_DEPLOYMENTS = { 'matching.maxDeployments': 100_000 };

async function bringUpTemporal(): Promise<TestRun['temporal']> {
  const server = await startTemporal({ log, port: 0, uiPort: false, settings: MANY_DEPLOYMENTS });
  stopAfterRun(server.stop);
  return { address: server.address };
}

async function bundleWorkflows(folder: string): Promise<TestRun['workflowBundle']> {
  const workflowsPath = require.resolve('../../workflows');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    preloadModules: [workflowsPath],
    logger: new DefaultLogger('ERROR'),
  });
  const codePath = join(folder, 'workflows.js');
  await writeFile(codePath, code);
  return { codePath };
}
