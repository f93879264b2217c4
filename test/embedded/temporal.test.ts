import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { startTemporal, type EmbeddedTemporal, type TemporalOptions } from '../../src/embedded/temporal/temporal';
import { startProgram } from '../support/child-program';
import { recordingLog, silentLog } from '../support/silent-log';
import { logThatTakesThePortTold } from '../support/taken-port';
import { waitUntil } from '../support/wait-until';

// Each test starts and stops one or more servers, two seconds each on an idle machine.

const running: EmbeddedTemporal[] = [];
const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dueday-temporal-'));
  folders.push(folder);
  return folder;
}

async function start(options: Partial<TemporalOptions>): Promise<EmbeddedTemporal> {
  const server = await startTemporal({ log: silentLog(), port: 0, uiPort: false, ...options });
  running.push(server);
  return server;
}

async function withClient<Result>(address: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

async function isListening(address: string): Promise<boolean> {
  const [host, port] = address.split(':') as [string, string];
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test('the embedded Temporal stops completely, and keeps workflows in the folder between runs', async () => {
  const dataDir = newFolder();
  const first = await start({ dataDir });
  await withClient(first.address, (client) =>
    client.workflow.start('waiting', { workflowId: 'kept', taskQueue: 'nobody-polls' }),
  );
  await first.stop();
  expect(await isListening(first.address)).toBe(false);

  const second = await start({ dataDir });

  const kept = await withClient(second.address, (client) => client.workflow.getHandle('kept').describe());
  expect(kept.status.name).toBe('RUNNING');
});

test('the embedded Temporal serves the Web UI at the reported address, and uses other ports if its own are taken', async () => {
  const first = await start({ uiPort: 0 });
  const taken = Number(first.address.split(':')[1]);
  const { log, messages } = recordingLog();

  const second = await start({ port: taken, log });

  const page = await fetch(first.uiUrl ?? '');
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('sveltekit');
  const port = Number(second.address.split(':')[1]);
  expect(port).toBeGreaterThan(taken);
  expect(second.uiUrl).toBeNull();
  expect(messages).toContain(`port ${taken} is taken: Temporal listens on ${port} instead`);
});

test('the embedded Temporal uses another port if one is taken between the check and the bind', async () => {
  const first = await start({});
  const taken = Number(first.address.split(':')[1]);
  const { log, occupied } = logThatTakesThePortTold();

  const second = await start({ port: taken, log });

  const port = Number(second.address.split(':')[1]);
  expect(port).toBeGreaterThan((await occupied).port);
  (await occupied).release();
});

test('the embedded Temporal refuses a second run on the folder and names the folder and the process', async () => {
  const dataDir = newFolder();
  const program = startProgram('embedded/programs/temporal.ts', [dataDir]);
  await program.report;

  await expect(start({ dataDir })).rejects.toThrow(
    `The folder ${dataDir} is in use by another run (process ${program.pid})`,
  );
  program.kill('SIGTERM');
  expect(await program.ended).toBe(0);
});

test('the embedded Temporal ends when its run is killed, and the next run starts at once', async () => {
  const dataDir = newFolder();
  const program = startProgram('embedded/programs/temporal.ts', [dataDir]);
  const { address } = (await program.report) as { address: string };
  expect(await isListening(address)).toBe(true);

  program.kill('SIGKILL');
  await program.ended;

  await expect(start({ dataDir })).resolves.toBeDefined();
  await waitUntil('the server of the killed run has gone', async () => !(await isListening(address)));
});
