import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Script = (request: SeenRequest, response: ServerResponse, socket: Socket) => void;

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  /** Calls except those to the token endpoint, in order of arrival. */
  readonly calls: SeenRequest[];
  readonly tokenCalls: SeenRequest[];
  readonly connections: () => number;
  answer(script: Script): void;
  answerToken(script: Script): void;
  close(): Promise<void>;
}

/** A scripted payment service, over real sockets. Its tokens are test-token-1, test-token-2, … */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const calls: SeenRequest[] = [];
  const tokenCalls: SeenRequest[] = [];
  let connections = 0;
  let script: Script = (_request, response) => json(response, 500, {});
  let tokenScript: Script = (_request, response) => {
    const token = { access_token: `test-token-${tokenCalls.length}`, token_type: 'Bearer', expires_in: 300 };
    json(response, 200, token);
  };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString(),
      };
      // No Date header, because the client's clock is not the machine's: tests of clocks set the header themselves.
      response.sendDate = false;
      const isToken = request.path.endsWith('/oauth/token');
      (isToken ? tokenCalls : calls).push(request);
      (isToken ? tokenScript : script)(request, response, incoming.socket);
    });
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    calls,
    tokenCalls,
    connections: () => connections,
    answer: (next) => (script = next),
    answerToken: (next) => (tokenScript = next),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
