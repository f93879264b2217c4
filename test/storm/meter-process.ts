/**
 * A process in front of the payment service that reports every request that arrives: `meter-process.ts <url>`. It is a separate
 * process, because a busy one may see two requests at once that arrived a quarter of a second apart.
 */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arrival } from './meter';

const { hostname: host, port } = new URL(process.argv[2] ?? '');
/** A new connection for each request: a kept connection may close as it is used, which would be an unplanned fault. */
const agent = new Agent({ keepAlive: false });

const server = createServer((incoming, outgoing) => {
  const { method = '', url: path = '', headers } = incoming;
  process.send?.({ at: performance.timeOrigin + performance.now(), method, path } satisfies Arrival);
  const forwarded = request({ host, port, method, path, headers, agent }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  incoming.pipe(forwarded);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit(0));
