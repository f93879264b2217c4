import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection to a server that can be cut, as if a cable were pulled: nothing passes, and neither side sees an error. */
export interface CuttableLine {
  /** The address to connect to: `host:port`. */
  readonly address: string;
  cut(): void;
  /** Lets everything that was held back pass. */
  repair(): void;
  close(): Promise<void>;
}

/**
 * @param address of the server, `host:port`
 * @param overhear called with what the near side sends
 */
export async function openLine(address: string, overhear?: (bytes: Buffer) => void): Promise<CuttableLine> {
  const [host, port] = address.split(':');
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect({ host: host!, port: Number(port) });
    if (overhear !== undefined) near.on('data', overhear);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      // If one side closes or resets the connection, the other side is closed, too.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isCut) from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${own}`,
    cut() {
      isCut = true;
      sockets.forEach((socket) => socket.pause());
    },
    repair() {
      isCut = false;
      sockets.forEach((socket) => socket.resume());
    },
    async close() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}
