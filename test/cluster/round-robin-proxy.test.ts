import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RoundRobinProxy, startRoundRobinProxy } from '../support/round-robin-proxy';

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

const servers: Server[] = [];
let proxy: RoundRobinProxy;

afterEach(async () => {
  await proxy.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** @returns its address */
async function serve(answer: Answer): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const named = (name: string) =>
  serve((incoming, outgoing) => {
    let body = '';
    incoming.on('data', (text: Buffer) => (body += text.toString()));
    incoming.on('end', () => outgoing.end([name, incoming.headers['x-forwarded-for'], body].join(' ')));
  });

/** Takes the connection and breaks it once the request is there. */
const dying = () => serve((incoming) => incoming.socket.destroy());

/** An address at which nothing listens any more. */
async function dead(): Promise<string> {
  const url = await named('dead');
  await new Promise((resolve) => servers.pop()!.close(resolve));
  return url;
}

const ask = async (body = 'order') => {
  const answer = await fetch(`${proxy.url}/v1/orders`, { method: 'POST', body });
  return [answer.status, await answer.text()] as const;
};

test("the proxy passes requests to its processes in turn, with the body and the caller's address", async () => {
  proxy = await startRoundRobinProxy(0, [await named('one'), await named('two')]);
  const answers = [await ask(), await ask(), await ask(), await ask()];
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200]);
  expect(answers.map(([, text]) => text).sort()).toEqual(
    ['one', 'one', 'two', 'two'].map((name) => `${name} 127.0.0.1 order`),
  );
  expect(proxy.upstreams.map(({ answered }) => answered)).toEqual([2, 2]);
});

test('the proxy gives a request that a dead process did not accept to the next one, and then skips the dead one', async () => {
  proxy = await startRoundRobinProxy(0, [await dead(), await named('alive')]);
  for (let times = 0; times < 4; times++) expect(await ask()).toEqual([200, 'alive 127.0.0.1 order']);
  expect(proxy.upstreams).toMatchObject([
    { answered: 0, lost: 0 },
    { answered: 4, lost: 0 },
  ]);
});

test('the proxy sends nothing twice: a request that was accepted and not answered is a 502', async () => {
  let taken = 0;
  const counting = await serve((_, outgoing) => {
    taken += 1;
    outgoing.end('counted');
  });
  proxy = await startRoundRobinProxy(0, [counting, await dying()]);
  const statuses = [(await ask())[0], (await ask())[0]];
  expect([...statuses].sort()).toEqual([200, 502]);
  expect(taken).toBe(1);
  expect(proxy.upstreams.map(({ lost }) => lost)).toEqual([0, 1]);
});

test('the proxy answers 502 if no process is running', async () => {
  proxy = await startRoundRobinProxy(0, [await dead()]);
  expect(await ask()).toEqual([502, JSON.stringify({ status: 502, detail: 'no answer from the API' })]);
});
