import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SECOND } from '../../src/domain/time';

/** A process behind the proxy. */
export interface Upstream {
  /** Its address: `http://127.0.0.1:8081`. */
  readonly url: string;
  /** Requests that it has answered. */
  readonly answered: number;
  /** Requests that it has taken and not answered yet. */
  readonly underWay: number;
  /** Requests that it had taken, and whose answer never came: the caller got a 502, or a connection that broke off. */
  readonly lost: number;
}

export interface RoundRobinProxy {
  readonly url: string;
  readonly upstreams: readonly Upstream[];
  close(): Promise<void>;
}

interface Kept extends Upstream {
  answered: number;
  underWay: number;
  lost: number;
  /** Real ms, monotonic. */
  outUntil: number;
}

type Fate = 'answered' | 'not taken' | 'lost';

const HOST = '127.0.0.1';
/** Real ms for which a process gets no requests after a failure, as is common for proxies. */
const OUT = 10 * SECOND;

/**
 * A round-robin proxy in front of API processes, as operators use one. A process that refuses a connection gets no
 * requests for a while, and the next one gets the refused request. A request that a process has taken is never sent
 * again: whether it was carried out is unknown, so the answer is 502. `X-Forwarded-For` names the caller's address.
 * @param port to listen on; 0: any
 */
export async function startRoundRobinProxy(port: number, urls: readonly string[]): Promise<RoundRobinProxy> {
  const upstreams = urls.map((url): Kept => ({ url, answered: 0, underWay: 0, lost: 0, outUntil: 0 }));
  let turn = 0;
  const nextOf = (tried: ReadonlySet<Kept>): Kept | undefined => {
    turn += 1;
    const order = upstreams.map((_, index) => upstreams[(turn + index) % upstreams.length]!);
    const left = order.filter((each) => !tried.has(each));
    // If all are out, the proxy tries one of them, which may be back.
    return left.find(({ outUntil }) => outUntil <= performance.now()) ?? left[0];
  };

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    const tried = new Set<Kept>();
    for (let to = nextOf(tried); to !== undefined; to = nextOf(tried)) {
      tried.add(to);
      const fate = await forward(to, incoming, body, outgoing);
      if (fate === 'answered') to.answered += 1;
      else to.outUntil = performance.now() + OUT;
      if (fate === 'lost') to.lost += 1;
      if (fate !== 'not taken') break;
    }
    if (!outgoing.headersSent) refuse(outgoing);
    else outgoing.destroy();
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = 60 * SECOND;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    upstreams,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Resolves once the whole answer has been passed on, or it is clear that there is none. */
function forward(
  upstream: Kept,
  { method, url: path, headers, socket }: IncomingMessage,
  body: Buffer,
  to: ServerResponse,
): Promise<Fate> {
  const { hostname: host, port } = new URL(upstream.url);
  const forwarded = { ...headers, 'x-forwarded-for': socket.remoteAddress };
  return new Promise<Fate>((resolve) => {
    // A new connection: a kept one might turn out to be closed only after the request has left.
    const sent = request({ host, port, method, path, headers: forwarded, agent: false }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
      answer.once('error', () => resolve('lost'));
      // The whole answer was passed on, or the caller has disconnected.
      to.once('close', () => resolve('answered'));
    });
    sent.once('finish', () => {
      upstream.underWay += 1;
      sent.once('close', () => (upstream.underWay -= 1));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'not taken' : 'lost'));
    sent.end(body);
  });
}

function refuse(outgoing: ServerResponse): void {
  outgoing.writeHead(502, { 'content-type': 'application/problem+json' });
  outgoing.end(JSON.stringify({ status: 502, detail: 'no answer from the API' }));
}
