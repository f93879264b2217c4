import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openShop } from '../scenarios/example-shop';

const ROOT = join(__dirname, '../..');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The events that the shop can read so far. */
let feed: readonly object[] = [];
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const after = Number(searchParams.get('after') ?? 0);
    const answers: Record<string, object> = {
      '/v1/webhook-endpoints': { secret: SECRET },
      '/v1/subscriptions': { status: 'pending_consent', consent: { redirectURL: 'http://127.0.0.1/pay' } },
      '/v1/events': { items: feed.slice(after), nextCursor: String(feed.length) },
    };
    request.resume();
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[pathname]));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((done) => server.close(done)));

/** The status of an order in the shop after each of these events. */
async function statusesAfter(command: string, args: readonly string[], types: readonly string[]): Promise<string[]> {
  feed = [];
  const shop = await openShop(command, args, { ...process.env, DUEDAY_URL: url, DUEDAY_KEY: 'key' });
  try {
    await fetch(`${shop.url}/subscribe?id=tea&from=2030-01-31T09:00:00Z`, { redirect: 'manual' });
    const statuses: string[] = [];
    for (const type of types) {
      feed = [...feed, { id: `evt_${feed.length}`, type, data: { metadata: { order: 'tea' } } }];
      await fetch(`${shop.url}/pull`);
      statuses.push(((await (await fetch(`${shop.url}/order?id=tea`)).json()) as { status: string }).status);
    }
    expect(shop.complaints()).toBe('');
    return statuses;
  } finally {
    await shop.close();
  }
}

const STEPS = [
  ['subscription.activated', 'active'],
  ['cycle.dunning', 'in retry'],
  ['cycle.collected', 'active'],
  ['cycle.dunning', 'in retry'],
  ['cycle.failed', 'past due'],
  ['cycle.collected', 'active'],
  ['cycle.missed', 'past due'],
  ['subscription.cancelled', 'ended'],
  ['cycle.failed', 'ended'],
  ['cycle.collected', 'ended'],
] as const;

const typescript = ['-r', join(ROOT, 'test/support/typescript.cjs'), join(ROOT, 'examples/shop.ts')];
const lacksPython = spawnSync('python3', ['--help']).error !== undefined;

describe.each([
  ['TypeScript', process.execPath, typescript, false],
  ['Python', 'python3', [join(ROOT, 'examples/shop.py')], lacksPython],
] as const)('%s', (language, command, args, isMissing) => {
  (isMissing ? test.skip : test)(
    `an order in the example shop in ${language} is past due only once no retry is left, and no longer after a later payment`,
    async () => {
      const statuses = await statusesAfter(
        command,
        args,
        STEPS.map(([type]) => type),
      );
      expect(statuses).toEqual(STEPS.map(([, status]) => status));
    },
  );
});
