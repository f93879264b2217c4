import { Agent, get } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { endConnectionsOnClose } from '../../src/admin/http/protection';

/** A server whose responses are in progress until `ended` resolves. */
function serve(ended: Promise<void>): FastifyInstance {
  const app = Fastify({ forceCloseConnections: 'idle' });
  endConnectionsOnClose(app);
  async function* lines() {
    yield 'started, ';
    await ended;
    yield 'ended';
  }
  app.get('/whole', async () => {
    await ended;
    return 'started, ended';
  });
  app.get('/stream', (_request, reply) => reply.send(Readable.from(lines())));
  app.get('/hijacked', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200);
    Readable.from(lines()).pipe(reply.raw);
  });
  return app;
}

test.each(['/whole', '/stream', '/hijacked'])(
  'closing a server ends once the response to %s has ended, even if a client keeps the connection',
  async (path) => {
    let end = () => undefined as void;
    const app = serve(new Promise((resolve) => (end = resolve)));
    const taken = new Promise((resolve) => app.addHook('onRequest', async () => resolve(null)));
    const agent = new Agent({ keepAlive: true });
    const url = await app.listen({ port: 0 });
    const answer = new Promise<string>((resolve, reject) => {
      get(`${url}${path}`, { agent }, (response) => resolve(text(response))).once('error', reject);
    });
    await taken;
    const closed = app.close();
    await pause(50);

    end();

    expect(await answer).toBe('started, ended');
    await closed;
    agent.destroy();
  },
  60_000,
);
