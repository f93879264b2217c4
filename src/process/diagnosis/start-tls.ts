/** Connects to servers that speak plain text before they switch to TLS. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** The protocol that a server speaks before TLS. */
export type BeforeTls = 'postgresql' | 'smtp';

/** PostgreSQL's SSLRequest: its length, and a number that no protocol version uses. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * @returns a socket on which the server expects TLS next
 * @throws Error if the server offers no TLS
 */
export async function openBeforeTls(before: BeforeTls, host: string, port: number, timeoutMs: number): Promise<Socket> {
  const socket = connect({ host, port });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer within ${timeoutMs / 1000} seconds`)));
  try {
    await once(socket, 'connect');
    await (before === 'postgresql' ? requestTlsOfPostgres(socket) : requestTlsOfMailServer(socket));
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function requestTlsOfPostgres(socket: Socket): Promise<void> {
  socket.write(SSL_REQUEST);
  // A server may close the connection without an answer. That is no `error` event, and it ends the socket's time-out, too.
  const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'end')])) as [Buffer?];
  if (answer === undefined) throw new Error('the server closed the connection');
  if (answer.toString('latin1') !== 'S') throw new Error('the server offers no TLS');
}

async function requestTlsOfMailServer(socket: Socket): Promise<void> {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const expectReply = async (code: string) => {
    for (;;) {
      const next: IteratorResult<string, undefined> = await lines.next();
      const line = next.value ?? '';
      if (!line.startsWith(code)) throw new Error('the server offers no STARTTLS');
      if (line[code.length] !== '-') return;
    }
  };
  await expectReply('220');
  socket.write('EHLO dueday\r\n');
  await expectReply('250');
  socket.write('STARTTLS\r\n');
  await expectReply('220');
}
