import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { CERTIFICATE_FILE, KEY_FILE } from '../wiring/tls-server';

/** The message with which a client requests TLS ("SSLRequest" of PostgreSQL's protocol). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * A PostgreSQL that accepts only TLS: a proxy, with the certificate of `localhost`, in front of the server of a URL.
 */
export interface TlsDatabase {
  readonly url: string;
  close(): Promise<void>;
}

export async function openTlsDatabase(databaseUrl: string): Promise<TlsDatabase> {
  const url = new URL(databaseUrl);
  const to = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      if (first.equals(SSL_REQUEST)) speakTls(socket, to);
      else socket.destroy();
    });
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  url.hostname = 'localhost';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function speakTls(socket: Socket, to: { readonly host: string; readonly port: number }): void {
  socket.write('S');
  const [cert, key] = [readFileSync(CERTIFICATE_FILE), readFileSync(KEY_FILE)];
  const inside = new TLSSocket(socket, { isServer: true, cert, key });
  const onward = connect(to);
  // A client that does not trust the certificate closes the connection, as any client does in the end.
  for (const [one, other] of [
    [inside, onward],
    [onward, inside],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
    one.pipe(other);
  }
}
