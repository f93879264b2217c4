import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { forwardEvents, tailEvents } from '../../src/cli/api/listen';
import { insertEvent, placeEvents } from '../../src/ledger';
import { type AdminUnderTest, NOW, startAdmin } from '../admin/admin-under-test';
import { subscribe } from '../ledger/ledger-fixture';
import { startWebhookReceiver, type WebhookReceiver } from '../notices/webhook-receiver';
import { waitUntil } from '../support/wait-until';

const environment = process.env;
const printed: string[] = [];
const said: string[] = [];

beforeEach(() => {
  printed.length = said.length = 0;
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.env = environment;
});

/** How the command ended: its error, or a text if it had none. */
function endOf(command: Promise<void>): Promise<unknown> {
  return command.then(
    () => 'it ended well',
    (error: unknown) => error,
  );
}

describe('with the admin API', () => {
  let admin: AdminUnderTest;
  let receiver: WebhookReceiver;
  let keyId: string;

  beforeEach(async () => {
    admin = await startAdmin();
    receiver = await startWebhookReceiver();
    const url = await admin.app.listen({ host: '127.0.0.1', port: 0 });
    const made = await admin.call('POST', '/v1/keys', { body: { name: 'a listener', role: 'viewer' } });
    const { key, keyId: id } = made.json<{ key: string; keyId: string }>();
    keyId = id;
    process.env = { ...environment, DUEDAY_URL: url, DUEDAY_KEY: key };
  });
  afterEach(async () => {
    await admin.stop();
    await receiver.close();
  });

  /** Records missed cycles of a subscription until the condition holds. */
  async function happens(until: () => boolean): Promise<void> {
    const { subscriptionId } = await subscribe(admin.db);
    let cycle = 0;
    const miss = async () => {
      cycle += 1;
      await insertEvent(admin.db, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle } });
      await placeEvents(admin.db);
      return until();
    };
    await waitUntil('the command has received it', miss);
  }

  /** Revokes the key of the command's stream, which ends the stream and prevents a new one. @returns how the command ended */
  async function revoked(command: Promise<void>): Promise<unknown> {
    const ended = endOf(command);
    await admin.call('DELETE', `/v1/keys/${keyId}`);
    return ended;
  }

  test('events are posted to a program as an endpoint gets them, signed with the printed secret', async () => {
    const command = forwardEvents({ forwardTo: receiver.url, types: 'cycle.*' });
    await happens(() => receiver.received.length > 0);
    const { headers, body } = receiver.received[0]!;
    const [secret = ''] = /whsec_\S+/.exec(said.join('')) ?? [];
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'cycle.missed' });
    await waitUntil('it says so', () => printed.length > 0);
    expect(printed[0]).toMatch(/^204 cycle\.missed evt_\S+ \d+ ms\n$/);
    expect(await revoked(command)).toMatchObject({ code: 1, message: expect.stringMatching(/^unauthenticated: /) });
  });

  test('events listen prints its results as one JSON object per line with --json', async () => {
    const command = forwardEvents({ forwardTo: receiver.url, types: 'cycle.*', json: true });
    await happens(() => printed.length > 0);
    const { id, ms, ...rest } = JSON.parse(printed[0]!) as Record<string, unknown>;
    expect(rest).toEqual({ type: 'cycle.missed', status: 204, error: null });
    expect([id, ms]).toEqual([expect.stringMatching(/^evt_/), expect.any(Number)]);
    expect(printed[0]).toMatch(/^\{.*\}\n$/);
    await revoked(command);
  });

  test('events listen reports an unreachable program, and posts the next event all the same', async () => {
    const command = forwardEvents({ forwardTo: 'http://127.0.0.1:1/', types: 'cycle.*' });
    await happens(() => printed.length > 1);
    expect(printed[1]).toMatch(/^ECONNREFUSED cycle\.missed evt_/);
    await revoked(command);
  });

  test('events tail prints only events of the requested types', async () => {
    const command = tailEvents({ types: 'cycle.missed' });
    await happens(() => printed.length > 0);
    expect(JSON.parse(printed[0]!)).toMatchObject({ type: 'cycle.missed', schema: 1 });
    await revoked(command);
  });
});

describe('with a server that breaks the stream', () => {
  type Turn = (response: ServerResponse) => void;
  let server: Server;
  const asked: IncomingMessage[] = [];

  /** One handler per connection, in order. */
  async function serve(...turns: Turn[]): Promise<void> {
    asked.length = 0;
    server = createServer((request, response) => {
      asked.push(request);
      (turns[asked.length - 1] ?? refuse)(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    process.env = { ...environment, DUEDAY_URL: `http://127.0.0.1:${port}`, DUEDAY_KEY: `dd_${'k'.repeat(20)}` };
  }
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const event = (id: string, name: string) => `id: ${id}\nevent: cycle.missed\ndata: {"id":"${name}"}\n\n`;
  const says = (response: ServerResponse, text: string, then: () => void) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => setTimeout(then, 50));
  };
  const problem = (response: ServerResponse, status: number, code: string) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ code, detail: '…' }));
  const refuse: Turn = (response) => problem(response, 401, 'unauthenticated');

  const places = () => asked.map(({ headers }) => headers['last-event-id']);

  test('a broken stream continues after the last complete event, at growing intervals, and says so', async () => {
    await serve(
      (response) =>
        says(response, `id: p0\n\n${event('p1', 'a')}id: p2\nevent: cycle.missed\ndata: {"id"`, () =>
          response.destroy(),
        ),
      (response) => problem(response, 503, 'not_ready'),
      (response) => says(response, event('p2', 'b'), () => response.end()),
    );
    const began = performance.now();
    expect(await endOf(tailEvents({}))).toMatchObject({ code: 1, message: 'unauthenticated: …' });
    expect(performance.now() - began).toBeGreaterThan(3_900);
    expect(printed).toEqual(['{"id":"a"}\n', '{"id":"b"}\n']);
    expect(places()).toEqual([undefined, 'p1', 'p1', 'p2']);
    expect(said.map((line) => line.replace(/^the answer of the admin API at \S+ broke off: .*?;/, 'broken;'))).toEqual([
      'broken; reconnecting in 1 s, after the last event\n',
      'not_ready: …; reconnecting in 2 s, after the last event\n',
      'the stream of events has ended; reconnecting in 1 s, after the last event\n',
    ]);
  });

  test('a stream cut off before the first event continues from its start', async () => {
    await serve(
      (response) => says(response, 'id: p0\n\n', () => response.destroy()),
      (response) => problem(response, 429, 'rate_limited'),
    );
    await endOf(tailEvents({ types: 'cycle.*' }));
    expect(places()).toEqual([undefined, 'p0', 'p0']);
    expect(asked.map(({ url }) => url)).toEqual(Array(3).fill('/v1/stream?types=cycle.*'));
  });

  test('an expired cursor ends the command, as events are missing', async () => {
    await serve(
      (response) => says(response, 'id: p0\n\n', () => response.end()),
      (response) => problem(response, 410, 'cursor_expired'),
    );
    expect(await endOf(tailEvents({}))).toMatchObject({ code: 1, message: 'cursor_expired: …' });
  });

  test('an API that is unavailable at first is not waited for', async () => {
    await serve((response) => problem(response, 503, 'not_ready'));
    expect(await endOf(tailEvents({}))).toMatchObject({ code: 3, message: 'not_ready: …' });
    expect(said).toEqual([]);
  });
});

test.each(['localhost:3000', 'ftp://localhost', ''])('%j is not a valid URL to post to', async (forwardTo) => {
  await expect(forwardEvents({ forwardTo })).rejects.toMatchObject({
    code: 2,
    message: `--forward-to: expected an http or https URL; got ${forwardTo}`,
  });
});
