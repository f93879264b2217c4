import {
  type ClientHttp2Session,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

/** A proxy between a worker and Temporal that counts the calls. */
export interface CountingProxy {
  readonly address: string;
  /** Calls of a method so far, such as `RecordActivityTaskHeartbeat`. */
  count(method: string): number;
  close(): void;
}

const ENDS_WITH_ITS_HEAD = 1;

/** @param target host:port of Temporal */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const counts = new Map<string, number>();
  let upstream = connectAgain();
  const server = createServer();
  server.on('stream', (stream, headers) => {
    const method = headers[':path']?.split('/').at(-1) ?? '';
    counts.set(method, (counts.get(method) ?? 0) + 1);
    forward(stream, headers);
  });

  /** Temporal closes connections after some minutes: calls in progress end on the old one, new calls use the next. */
  function connectAgain(): ClientHttp2Session {
    const session = connect(`http://${target}`);
    session.once('goaway', () => (upstream = connectAgain()));
    return session;
  }

  function forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const request = upstream.request(Object.fromEntries(Object.entries(headers)));
    let trailers: IncomingHttpHeaders = {};
    request.on('response', (head, flags) => {
      const isAll = (flags & ENDS_WITH_ITS_HEAD) !== 0;
      const answer = Object.fromEntries(Object.entries(head));
      if (!stream.destroyed) stream.respond(answer, isAll ? { endStream: true } : { waitForTrailers: true });
    });
    request.on('trailers', (sent) => (trailers = Object.fromEntries(Object.entries(sent as IncomingHttpHeaders))));
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    request.on('error', () => stream.destroy());
    stream.on('error', () => request.destroy());
    stream.on('aborted', () => request.close());
    stream.pipe(request);
    request.pipe(stream);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (method) => counts.get(method) ?? 0,
    close() {
      upstream.destroy();
      server.close();
    },
  };
}
