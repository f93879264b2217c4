import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { API_COMMANDS } from '../../src/cli/api/commands';
import { runImport } from '../../src/cli/api/import';
import { runApiCommand } from '../../src/cli/api/run';
import { OPERATIONS } from '../../src/client';
import { CommandError } from '../../src/process/command-error';

/** An API that dies once a command has printed the first part of its answer. */

const environment = process.env;
const printed: string[] = [];
const said: string[] = [];
let folder: string;
let file: string;
let server: Server;
let opened: ServerResponse;

beforeEach(() => {
  printed.length = said.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'dueday-broken-off-'));
  file = join(folder, 'mandates.ndjson');
  writeFileSync(file, '{}\n{}\n');
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    opened.destroy();
    return true;
  });
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.env = environment;
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

async function answerWith(first: string): Promise<void> {
  await serve((request, response) => {
    opened = response;
    request.resume().once('end', () => response.write(first));
  });
}

async function serve(answer: RequestListener): Promise<void> {
  server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  process.env = { ...environment, DUEDAY_URL: `http://127.0.0.1:${port}`, DUEDAY_KEY: `dd_${'k'.repeat(20)}` };
}

const BROKEN_OFF = { code: 3, message: expect.stringMatching(/^the answer of the admin API at \S+ broke off: ./) };

test('a CSV that breaks off ends with exit code 3 after the part that arrived', async () => {
  await answerWith('transactionId,type\ntx_1,debit\n');
  const command = API_COMMANDS.transactions;
  const listed = runApiCommand(OPERATIONS[command.operation], command, {}, { csv: true });
  await expect(listed).rejects.toMatchObject(BROKEN_OFF);
  expect(printed).toEqual(['transactionId,type\ntx_1,debit\n']);
});

test('an import whose answer breaks off ends with exit code 3 and counts the completely answered lines', async () => {
  await answerWith('{"line":1,"subscriptionId":"sub_1"}\n{"line":2,');
  await expect(runImport(file, { yes: true })).rejects.toMatchObject(BROKEN_OFF);
  expect(printed).toEqual(['{"line":1,"subscriptionId":"sub_1"}\n']);
  expect(said).toEqual(['lines accepted: 1, refused: 0\n']);
});

test('a refused import of standard input does not wait for the end of the input', async () => {
  await serve((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/problem+json' }).end('{"code":"forbidden","detail":"no"}');
  });
  const stdin = new PassThrough();
  jest.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin);
  stdin.write('{}\n');
  await expect(runImport('-', { yes: true })).rejects.toBeInstanceOf(CommandError);
  expect(stdin.destroyed).toBe(true);
});

test('a job whose progress cannot be read is named, so that it is not started again', async () => {
  await serve((request, response) => {
    if (request.method === 'GET') request.socket.destroy();
    else
      response
        .setHeader('content-type', 'application/json')
        .end('{"jobId":"job_7","state":"running","done":0,"total":3}');
  });
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
  const started = runApiCommand(OPERATIONS.runBulk, API_COMMANDS.bulk, {}, { yes: true, token: 'token' });
  await expect(started).rejects.toMatchObject({
    code: 3,
    message: expect.stringMatching(
      /cannot be reached.*\. The job was started and may still be running: see dueday jobs show job_7$/,
    ),
  });
  Reflect.deleteProperty(process.stderr, 'isTTY');
});

test('a folder instead of a file to import is refused before anything is sent', async () => {
  await answerWith('');
  await expect(runImport(folder, { yes: true })).rejects.toMatchObject({
    code: 2,
    message: `<file>: ${folder} cannot be read: EISDIR`,
  });
  expect(said).toEqual([]);
});
