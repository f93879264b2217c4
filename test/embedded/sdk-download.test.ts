import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadBySdk } from '../../src/embedded/temporal/sdk-download';

let folder: string;
let proxy: Server;
const sockets: Socket[] = [];

/** A proxy that accepts every call and never answers, like a firewall that drops packets. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dueday-download-'));
  proxy = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  process.env['HTTPS_PROXY'] = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
});

afterEach(async () => {
  delete process.env['HTTPS_PROXY'];
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => proxy.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

test('the download gives up on a host that never answers, in bounded time', async () => {
  const attempt = downloadBySdk('createLocal', 'v1.5.1', folder, 'temporal', 15_000);

  await expect(attempt).rejects.toThrow('no answer from its download host in 15 seconds');
  expect(sockets.length).toBeGreaterThan(0);
  expect(readdirSync(folder)).toEqual([]);
});
