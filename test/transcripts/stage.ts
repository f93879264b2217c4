import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, MINUTE, toIso } from '../../src/domain/time';
import { createPaymentService, type PaymentService } from '../../src/payment-service';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import type { Subscription } from '../scenarios/admin-api';
import { silentLog } from '../support/silent-log';
import { untilInstant } from '../support/wait-until';
import type { Anchors } from './stable';
import { Terminal } from './terminal';

/** A minute takes three seconds: a consent session lasts thirty, and the whole run ends long before a retry is due. */
const SPEED = 20;
const BEGIN = Date.parse('2027-01-31T08:00:00.000Z');
/** Late enough for all creations and consents, and for the commands that need no subscription. */
export const DUE = BEGIN + 60 * MINUTE;
export const ANCHORS: Anchors = { begin: BEGIN, due: DUE };

const ADDRESS = {
  name: 'Ada Byron',
  street: 'Analytical Way 12',
  postalCode: '10115',
  city: 'Berlin',
  country: 'DE',
};
const PAGE = 'https://shop.example/thanks';

/** Everything that an operator at a terminal works with, and what others do meanwhile. */
export interface Stage {
  readonly stack: ProcessStack;
  readonly terminal: Terminal;
  /** The payment service as another program of the merchant would call it. */
  readonly service: PaymentService;
  /** Takes every event that is posted to it. */
  readonly shopUrl: string;
  /** Creates a monthly subscription, which the payer approves with a wallet. */
  subscribe(subscriptionId: string, cents: number, wallet: string): Promise<Subscription>;
  /** Requests a one-time payment, which the payer approves. */
  pay(order: { readonly plan: string; readonly cents: number; readonly inParts?: true }): Promise<string>;
  /** Has a payer grant a mandate without dueday. @returns its payment id */
  grantElsewhere(cents: number): Promise<string>;
  /** Has the payer approve, and waits until the ledger has that. */
  approve(paymentId: string, path: string, wallet?: string): Promise<void>;
  reach(at: number): Promise<void>;
  /** A file in the folder of the terminal. */
  write(name: string, text: string): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(commands: readonly string[]): Promise<Stage> {
  const stack = await openProcessStack({
    startAt: BEGIN,
    speed: SPEED,
    sandbox: { numberedIds: false },
    env: { LOG_LEVEL: 'info', SECRETS_KEYS: `shop:${Buffer.alloc(32, 7).toString('base64')}` },
  });
  const folder = await mkdtemp(join(tmpdir(), 'dueday-terminal-'));
  const shop = createServer((_request, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  const { env, clock, sandbox, admin } = stack;
  const service = createPaymentService({
    baseUrl: stack.sandboxUrl,
    clientId: env['PAYMENT_SERVICE_CLIENT_ID'] ?? '',
    clientSecret: env['PAYMENT_SERVICE_CLIENT_SECRET'] ?? '',
    timeoutMs: 10_000,
    clock,
    logger: silentLog(),
  });
  const close = async () => {
    shop.closeAllConnections();
    shop.close();
    await service.close();
    await stack.close();
    await rm(folder, { recursive: true, force: true });
  };
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write('address.json', JSON.stringify(ADDRESS));
  await startDaemon(stack).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const approve: Stage['approve'] = async (paymentId, path, wallet = 'approves') => {
    sandbox.payer(paymentId).approve(wallet);
    await admin.post(`${path}/consent-check`);
  };
  const agreed = { startAt: toIso(BEGIN), firstPaymentAt: toIso(DUE), returnURL: PAGE, billingAddress: ADDRESS };
  return {
    stack,
    service,
    write,
    close,
    approve,
    shopUrl: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/events`,
    terminal: new Terminal(commands, folder, {
      ...env,
      DUEDAY_URL: `http://127.0.0.1:${env['ADMIN_PORT'] ?? ''}`,
      DUEDAY_KEY: env['ADMIN_BOOTSTRAP_KEY'] ?? '',
    }),
    async subscribe(subscriptionId, cents, wallet) {
      const amount = { value: cents, currency: 'EUR' };
      const order = { ...agreed, subscriptionId, amount, repetition: 'MONTHLY', payer: { reference: subscriptionId } };
      const { body } = await admin.post<Subscription>('/v1/subscriptions', order);
      await approve(body.paymentId, `/v1/subscriptions/${subscriptionId}`, wallet);
      return body;
    },
    async pay({ plan, cents, inParts }) {
      const amount = { value: cents, currency: 'EUR' };
      const flags = inParts === true ? { partialCapture: true, multipleCapture: true } : {};
      const order = { plan, amount, ...flags, returnURL: PAGE, billingAddress: ADDRESS };
      const { body } = await admin.post<{ paymentId: string }>('/v1/payments', order);
      await approve(body.paymentId, `/v1/payments/${body.paymentId}`);
      return body.paymentId;
    },
    async grantElsewhere(cents) {
      const answer = await service.requestPayment({
        useCase: 'SUBSCRIPTION',
        amount: { value: cents, currency: 'EUR' },
        returnURL: PAGE,
        billingAddress: ADDRESS,
        repetition: 'MONTHLY',
        startAt: DUE + 14 * DAY,
        firstPaymentAt: DUE + 14 * DAY,
      });
      if (answer.kind !== 'accepted') throw new Error(JSON.stringify(answer));
      sandbox.payer(answer.value.paymentId).approve('approves');
      return answer.value.paymentId;
    },
    reach: (at) => untilInstant(clock, at),
  };
}

/** A busy machine may take longer than one time-out to start it. */
async function startDaemon(stack: ProcessStack): Promise<void> {
  const process = stack.program('daemon').launch();
  for (let tries = 1; ; tries += 1) {
    const isUp = await process.says('worker started').then(
      () => true,
      () => false,
    );
    if (isUp) return;
    if (process.hasEnded() || tries === 3) throw new Error(`the daemon does not come up: ${process.stderr()}`);
  }
}
