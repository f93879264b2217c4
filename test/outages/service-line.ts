import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy before the payment service, which records each request on its arrival and can be cut. */
export interface ServiceLine {
  readonly url: string;
  /** When each request arrived, by the monotonic clock: ms. */
  readonly arrivals: readonly number[];
  /** Connections are refused, or closed as soon as they are open, until it is repaired. */
  cut(): void;
  repair(): void;
  close(): Promise<void>;
}

/** The beginning of a request; a connection has one request at a time. */
const REQUEST = /^(GET|POST|DELETE) \//;

/** @param serviceUrl `http://host:port` of the service */
export async function openServiceLine(serviceUrl: string): Promise<ServiceLine> {
  const { hostname, port } = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  const arrivals: number[] = [];
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect({ host: hostname, port: Number(port) });
    near.on('data', (bytes) => {
      if (REQUEST.test(bytes.subarray(0, 8).toString('latin1'))) arrivals.push(performance.now());
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  // Listens at every address that `localhost` may have.
  server.listen(0);
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${own}`,
    arrivals,
    cut() {
      isCut = true;
      sockets.forEach((socket) => socket.destroy());
    },
    repair() {
      isCut = false;
    },
    async close() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}

/** The most arrivals within any second from an instant on. */
export function mostInASecond(arrivals: readonly number[], since: number): number {
  const counted = arrivals.filter((at) => at >= since).toSorted((one, other) => one - other);
  return counted.reduce((most, at, index) => {
    const end = counted.findIndex((each) => each >= at + 1000);
    return Math.max(most, (end === -1 ? counted.length : end) - index);
  }, 0);
}
