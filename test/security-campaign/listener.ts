import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A shop's endpoint that keeps what it gets. */
export interface Listener {
  readonly url: string;
  /** Every body that was posted. */
  text(): string;
  close(): Promise<void>;
}

/** @param answerTo the body of the answer to a post; an empty one is 204 */
export async function openListener(answerTo: (body: string) => string = () => ''): Promise<Listener> {
  const bodies: string[] = [];
  const server = createServer((incoming, outgoing) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
    incoming.on('end', () => {
      bodies.push(body);
      const answer = answerTo(body);
      outgoing.writeHead(answer === '' ? 204 : 200).end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    text: () => bodies.join('\n'),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
