import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { postgresAccount } from '../../src/embedded/postgres/account';
import { startPostgres, type EmbeddedPostgres } from '../../src/embedded/postgres/postgres';
import { identifyProcess, programOf } from '../../src/embedded/process-identity';
import { startProgram } from '../support/child-program';
import { recordingLog, silentLog } from '../support/silent-log';
import { logThatTakesThePortTold } from '../support/taken-port';
import { waitUntil } from '../support/wait-until';

const running: EmbeddedPostgres[] = [];
const folders: string[] = [];

/** A cluster that is created once, as that takes a second. Tests leave it unchanged except for tables of their own. */
let folder: string;

function emptyFolder(): string {
  const empty = mkdtempSync(join(tmpdir(), 'dueday-postgres-'));
  chmodSync(empty, 0o755);
  folders.push(empty);
  return empty;
}

beforeAll(async () => {
  folder = emptyFolder();
  const server = await startPostgres({ dataDir: folder, log: silentLog(), port: 0, durable: false });
  await server.stop();
});

afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

async function start(dataDir: string, log = silentLog(), port = 0): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ dataDir, log, port, durable: false });
  running.push(server);
  return server;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

function serverPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8'), 10);
}

async function occupyFreePort(): Promise<{ port: number; server: Server }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as { port: number }).port, server };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

test('the embedded PostgreSQL keeps its data in the folder between runs', async () => {
  const first = await start(folder);
  await query(first.url, 'create table kept (word text)');
  await query(first.url, `insert into kept values ('still here')`);
  await first.stop();

  const second = await start(folder);

  expect(await query(second.url, 'select word from kept')).toEqual([{ word: 'still here' }]);
});

test('the embedded PostgreSQL uses another port if one is taken between the check and the bind', async () => {
  const { port: taken, server } = await occupyFreePort();
  const { log, occupied } = logThatTakesThePortTold();

  const started = await start(folder, log, taken);

  expect(started.port).toBeGreaterThan((await occupied).port);
  (await occupied).release();
  server.close();
});

test('the embedded PostgreSQL leaves no server process once stop has resolved', async () => {
  const server = await start(folder);
  const pid = serverPid(folder);
  expect(programOf(pid)).toBe('postgres');

  await server.stop();

  expect(identifyProcess(pid)).toBeNull();
  expect(existsSync(join(folder, 'cluster', 'postmaster.pid'))).toBe(false);
});

test('the embedded PostgreSQL may be stopped repeatedly', async () => {
  const server = await start(folder);
  await Promise.all([server.stop(), server.stop()]);
  await expect(server.stop()).resolves.toBeUndefined();
});

test('the embedded PostgreSQL refuses a second run on the folder and names the folder and the process', async () => {
  const program = startProgram('embedded/programs/postgres.ts', [folder]);
  await program.report;

  const second = start(folder);

  await expect(second).rejects.toThrow(`The folder ${folder} is in use by another run (process ${program.pid})`);
  program.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  await expect(start(folder)).resolves.toBeDefined();
});

test('the embedded PostgreSQL refuses a folder that is used by a server of another program', async () => {
  const server = await start(folder);
  const pid = serverPid(folder);
  rmSync(join(folder, 'in-use.json'));

  await expect(start(folder)).rejects.toThrow(
    `The folder ${join(folder, 'cluster')} is in use by a PostgreSQL server (process ${pid})`,
  );
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the embedded PostgreSQL ends when its run is killed, and the next run starts at once', async () => {
  const program = startProgram('embedded/programs/postgres.ts', [folder]);
  const { url } = (await program.report) as { url: string };
  await query(url, 'create table survived (word text)');
  const pid = serverPid(folder);

  program.kill('SIGKILL');
  await program.ended;
  const next = await start(folder);

  expect(identifyProcess(pid)).toBeNull();
  expect(await query(next.url, 'select * from survived')).toEqual([]);
});

test('the embedded PostgreSQL starts over the postmaster.pid of a killed server', async () => {
  const server = await start(folder);
  const pid = serverPid(folder);
  process.kill(pid, 'SIGKILL');
  expect(await server.failed).toContain('PostgreSQL ended by itself');
  await server.stop();
  expect(existsSync(join(folder, 'cluster', 'postmaster.pid'))).toBe(true);

  // The process id now belongs to another program, which is this test.
  const file = join(folder, 'cluster', 'postmaster.pid');
  writeFileSync(file, readFileSync(file, 'utf8').replace(String(pid), String(process.pid)));

  await waitUntil('the killed server has let go of its memory', () => identifyProcess(pid) === null);
  await expect(start(folder)).resolves.toBeDefined();
});

test('the embedded PostgreSQL uses the next free port if the preferred one is taken, and says so', async () => {
  const { port, server: occupant } = await occupyFreePort();
  const { log, messages } = recordingLog();

  const postgres = await start(folder, log, port);

  expect(postgres.port).toBeGreaterThan(port);
  expect(messages).toContain(`port ${port} is taken: PostgreSQL listens on ${postgres.port} instead`);
  await new Promise((resolve) => occupant.close(resolve));
});

test('the embedded PostgreSQL starts over after an earlier run was killed while creating the cluster', async () => {
  const halfMade = emptyFolder();
  mkdirSync(join(halfMade, 'cluster.draft', 'base'), { recursive: true });
  writeFileSync(join(halfMade, 'password'), 'of the half-made cluster');

  const server = await start(halfMade);

  expect(await query(server.url, 'select current_database() as name')).toEqual([{ name: 'dueday' }]);
});

test('the embedded PostgreSQL refuses data of another PostgreSQL version, and names that version', async () => {
  writeFileSync(join(folder, 'cluster', 'PG_VERSION'), '15\n');

  await expect(start(folder)).rejects.toThrow(`The data in ${join(folder, 'cluster')} is from PostgreSQL 15`);
  writeFileSync(join(folder, 'cluster', 'PG_VERSION'), '18\n');
});

test("the embedded PostgreSQL refuses connections without the folder's password", async () => {
  const { url } = await start(folder);
  const guessed = new URL(url);
  guessed.password = 'guessed';

  await expect(query(guessed.href, 'select 1')).rejects.toThrow('password authentication failed');
});

(postgresAccount() === null ? test.skip : test)(
  'the embedded PostgreSQL, started by root, refuses a folder inside a private one and says why',
  async () => {
    const privateFolder = emptyFolder();
    chmodSync(privateFolder, 0o700);

    await expect(start(join(privateFolder, 'data'))).rejects.toThrow(
      /its account \(uid \d+\) may not enter .*Choose a folder that is not inside a private one/,
    );
  },
);
