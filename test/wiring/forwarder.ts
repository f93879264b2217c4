import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Forwarded {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Real ms. */
  readonly at: number;
}

/** A proxy in front of a service that records its requests. */
export interface Forwarder {
  readonly url: string;
  readonly seen: Forwarded[];
  close(): Promise<void>;
}

/** @param paths maps requested paths to those of the service; all others are unchanged */
export async function openForwarder(target: string, paths: Readonly<Record<string, string>> = {}): Promise<Forwarder> {
  const seen: Forwarded[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    seen.push({ method, path, headers, at: performance.now() });
    const asked = request(new URL(paths[path] ?? path, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
