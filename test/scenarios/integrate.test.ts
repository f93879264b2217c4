import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR, toIso } from '../../src/domain/time';
import type { Sandbox } from '../../src/sandbox';
import { portToKeep } from '../processes/servers';
import { waitUntil } from '../support/wait-until';
import { ADMIN_KEY, type SendContext, openGround } from './world';

const ROOT = join(__dirname, '../..');
const SHOP = join(ROOT, 'examples/shop.ts');

let ground: SendContext;
let sandbox: Sandbox;
let shop: ChildProcess;
let shopUrl: string;
let complaints = '';

beforeAll(async () => {
  ground = await openGround();
  const opened = await ground.openSandbox();
  sandbox = opened.sandbox;
  const daemon = ground.start('daemon', { PAYMENT_SERVICE_BASE_URL: opened.url, SECRETS_KEYS });
  const { url } = await daemon.says('admin API on ');
  shopUrl = `http://127.0.0.1:${await portToKeep('the shop')}`;
  const env = { ...process.env, SHOP_URL: shopUrl, DUEDAY_URL: url, DUEDAY_KEY: ADMIN_KEY };
  shop = spawn(process.execPath, ['-r', join(ROOT, 'test/support/typescript.cjs'), SHOP], { env });
  shop.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  await waitUntil('the shop is open', () => fetch(shopUrl).then(Boolean, () => false));
});
afterAll(async () => {
  const ended = once(shop, 'close');
  shop.kill();
  await ended;
  await ground.close();
});

const SECRETS_KEYS = `shop:${Buffer.alloc(32, 7).toString('base64')}`;

interface Order {
  readonly status: string;
  readonly cyclesPaid: number;
  readonly refunded: boolean;
}

async function becomes(what: string, holds: (order: Order) => boolean): Promise<void> {
  const order = async () => (await (await fetch(`${shopUrl}/order?id=coffee-1`)).json()) as Order;
  await waitUntil(what, async () => holds(await order()));
}

test('the shop of docs/guides/integrate.md sells, is notified of every payment and gives money back', async () => {
  // The first order of a daemon that has just started: the date must be ahead when it comes to the service.
  const from = encodeURIComponent(toIso(ground.clock.now() + 24 * HOUR));
  const ordered = await fetch(`${shopUrl}/subscribe?id=coffee-1&from=${from}`, { redirect: 'manual' });
  expect({ status: ordered.status, complaints }).toEqual({ status: 303, complaints: '' });
  const [paymentId = ''] = new URL(ordered.headers.get('location') ?? '').pathname.split('/').slice(-1);
  sandbox.payer(paymentId).approve();
  await becomes('the shop knows that the payer has approved', ({ status }) => status === 'active');
  await becomes('the shop knows that it was paid', ({ cyclesPaid }) => cyclesPaid === 1);

  expect((await fetch(`${shopUrl}/refund?id=coffee-1&cycle=0`)).status).toBe(202);
  await becomes('the shop knows that the money is back', ({ refunded }) => refunded);
  expect(sandbox.debits()).toMatchObject([{ cycle: 0, status: 'successful', refunded: 1999 }]);
  expect(complaints).toBe('');
});

test('the page shows that program, all of it, in order', () => {
  const page = readFileSync(join(ROOT, 'docs/guides/integrate.md'), 'utf8');
  const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  expect(blocks.join('\n')).toBe(readFileSync(SHOP, 'utf8'));
});
