import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HOUR, toIso } from '../../src/domain/time';
import type { Sandbox } from '../../src/sandbox';
import { startWebhookReceiver } from '../notices/webhook-receiver';
import { waitUntil } from '../support/wait-until';
import { openShop, paymentAt, playShop } from './example-shop';
import { ADMIN_KEY, type Ground, openGround } from './world';

const ROOT = join(__dirname, '../..');
const exampleOf = (extension: string) => join(ROOT, `examples/shop.${extension}`);
const SECRETS_KEYS = `shop:${Buffer.alloc(32, 7).toString('base64')}`;

let ground: Ground;
let sandbox: Sandbox;
let adminUrl: string;
const closings: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  ground = await openGround();
  const opened = await ground.openSandbox();
  sandbox = opened.sandbox;
  const daemon = ground.start('daemon', { PAYMENT_SERVICE_BASE_URL: opened.url, SECRETS_KEYS });
  ({ url: adminUrl = '' } = await daemon.says('admin API on '));
});
afterAll(async () => {
  for (const close of closings.toReversed()) await close();
  await ground.close();
});

const variables = () => ({ ...process.env, DUEDAY_URL: adminUrl, DUEDAY_KEY: ADMIN_KEY });
/** A first payment that is still ahead when its order reaches the service, also on a busy machine. */
const soon = () => toIso(ground.clock.now() + 36 * HOUR);

async function sell(orderId: string, command: string, args: readonly string[]): Promise<void> {
  const shop = await openShop(command, args, variables());
  closings.push(shop.close);
  await playShop(shop, orderId, { sandbox, soon });
}

test('the example shop in TypeScript sells after a declined try, learns of every payment and refunds one', async () => {
  const typescript = ['-r', join(ROOT, 'test/support/typescript.cjs'), exampleOf('ts')];
  await sell('coffee', process.execPath, typescript);
});

const lacks = (...programs: string[]) => programs.filter((each) => spawnSync(each, ['--help']).error !== undefined);

/** A test that needs programs which a machine may lack; then its title says so. */
function testWith(programs: readonly string[], title: string, play: () => Promise<void>): void {
  const missing = lacks(...programs);
  if (missing.length === 0) test(title, play);
  else test.skip(`${title} (not run: ${missing.join(', ')} is not on the PATH)`, play);
}

testWith(['python3'], 'the example shop in Python sells and refunds as in TypeScript, without a library', async () => {
  await sell('tea', 'python3', [exampleOf('py')]);
});

testWith(
  ['bash', 'curl', 'openssl'],
  'the example functions in curl sell after a declined try, refund, and verify what an endpoint gets',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dueday-shop-'));
    const receiver = await startWebhookReceiver();
    closings.push(
      () => receiver.close(),
      () => rm(folder, { recursive: true }),
    );
    const run = async (...words: string[]) => {
      const script = `. ${exampleOf('sh')}; "$@"`;
      const { stdout } = await promisify(execFile)('bash', ['-c', script, 'shop', ...words], { env: variables() });
      return stdout;
    };
    const ask = async <Answer>(...words: string[]) => JSON.parse(await run(...words)) as Answer;
    const read = async () => (await ask<{ items: { type: string; data: object }[] }>('events')).items;
    const happens = (type: string, id: string) =>
      waitUntil(`${type} of ${id}`, async () => {
        const events = await read();
        return events.some((each) => each.type === type && JSON.stringify(each.data).includes(`"${id}"`));
      });

    const { secret } = await ask<{ secret: string }>('open_endpoint', receiver.url);
    const declined = await ask<{ consent: { redirectURL: string } }>('subscribe', 'cocoa', '1', soon());
    sandbox.payer(paymentAt(declined.consent.redirectURL)).decline();
    await happens('consent.failed', 'cocoa-1');
    const { consent } = await ask<{ consent: { redirectURL: string } }>('subscribe', 'cocoa', '2', soon());
    sandbox.payer(paymentAt(consent.redirectURL)).approve();
    await happens('cycle.collected', 'cocoa-2');
    await run('refund', 'cocoa', '2', '0');
    await happens('refund.successful', 'cocoa-2');

    await waitUntil('the endpoint got an event', () => receiver.received.length > 0);
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]];
    const file = join(folder, 'body');
    await writeFile(file, body);
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const signed = names.map((name) => String(headers[name]));
    await run('verify', secret, ...signed, file);
    await writeFile(file, `${body} `);
    await expect(run('verify', secret, ...signed, file)).rejects.toThrow();
  },
);

test.each([
  ['ts', 'ts', /^\nasync function answer\(/],
  ['py', 'python', /^\n\nclass Shop\(/],
  ['sh', 'bash', /^$/],
])('integrate.md shows examples/shop.%s in order, all of it except its web server', (extension, language, rest) => {
  const page = readFileSync(join(ROOT, 'docs/guides/integrate.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, code]) =>
    name === language ? [code] : [],
  );
  const separator = language === 'python' ? '\n\n' : '\n';
  const [shown, whole] = [blocks.join(separator), readFileSync(exampleOf(extension), 'utf8')];
  expect(shown).toBe(whole.slice(0, shown.length));
  expect(whole.slice(shown.length)).toMatch(rest);
});
