import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import Fastify from 'fastify';
import { pino } from 'pino';
import { listen } from '../../src/process/observation/observation';

const HOST = '127.0.0.1';

let taken: Server;
let port: number;
beforeAll(async () => {
  taken = createServer();
  await once(taken.listen(0, HOST), 'listening');
  ({ port } = taken.address() as AddressInfo);
});
afterAll(() => {
  taken.close();
});

function logged() {
  const lines: { msg: string; url?: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as { msg: string }) });
  return { lines, log };
}

test('a worker whose default metrics port is taken logs the port that it uses instead', async () => {
  const { lines, log } = logged();
  const { app, url } = await listen(() => Fastify(), { host: HOST, port, mayMove: true }, log);
  await app.close();
  expect(url).not.toContain(`:${port}`);
  expect(lines).toMatchObject([{ url, msg: expect.stringContaining(`port ${port} is taken: metrics are on ${url}`) }]);
});

test('a worker whose configured metrics port is taken does not start', async () => {
  const { lines, log } = logged();
  const asked = { host: HOST, port, mayMove: false };
  await expect(listen(() => Fastify(), asked, log)).rejects.toThrow(
    `the metrics cannot listen on ${HOST}:${port} (METRICS_HOST, METRICS_PORT): listen EADDRINUSE`,
  );
  expect(lines).toEqual([]);
});
