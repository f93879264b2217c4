import { type ChildProcess, spawn } from 'node:child_process';
import type { Sandbox } from '../../src/sandbox';
import { portToKeep } from '../processes/servers';
import { waitUntil } from '../support/wait-until';

/** The example shops of docs/guides/integrate.md, each as a program that runs. */

export interface Shop {
  readonly url: string;
  /** What the shop wrote to standard error. */
  readonly complaints: () => string;
  readonly close: () => Promise<void>;
}

interface Order {
  readonly status: string;
  readonly attempt: number;
  readonly cyclesPaid: number;
  readonly refunded: boolean;
}

interface Around {
  readonly sandbox: Sandbox;
  /** A first payment that is still ahead when its order reaches the service. */
  readonly soon: () => string;
}

/** Starts an example of a shop, which finds the API by these variables. */
export async function openShop(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Shop> {
  const url = `http://127.0.0.1:${await portToKeep('the shop')}`;
  let complaints = '';
  const shop: ChildProcess = spawn(command, args, { env: { ...env, SHOP_URL: url } });
  const ended = new Promise((done) => shop.once('close', done));
  shop.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const close = async () => {
    shop.kill();
    await ended;
  };
  const isOpen = () => fetch(url).then(Boolean, () => false);
  await waitUntil('the shop is open', isOpen).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { url, complaints: () => complaints, close };
}

/** The id of the payment that a redirectURL is about. */
export const paymentAt = (redirectURL: string) => new URL(redirectURL).pathname.split('/').at(-1) ?? '';

/** A whole life: a declined try, a second one that is approved and paid, and a refund. */
export async function playShop({ url, complaints }: Shop, orderId: string, { sandbox, soon }: Around): Promise<void> {
  const order = async () => (await (await fetch(`${url}/order?id=${orderId}`)).json()) as Order;
  const becomes = (what: string, holds: (order: Order) => boolean) => waitUntil(what, async () => holds(await order()));
  const subscribe = async () => {
    const path = `/subscribe?id=${orderId}&from=${encodeURIComponent(soon())}`;
    const { status, headers } = await fetch(`${url}${path}`, { redirect: 'manual' });
    expect({ status, complaints: complaints() }).toEqual({ status: 303, complaints: '' });
    return paymentAt(headers.get('location') ?? '');
  };
  sandbox.payer(await subscribe()).decline();
  await becomes('the shop knows that the payer has declined', ({ status }) => status === 'declined');
  const paymentId = await subscribe();
  sandbox.payer(paymentId).approve();
  await becomes('the shop knows that the payer has approved', ({ status }) => status === 'active');
  await becomes('the shop knows that it was paid', ({ cyclesPaid }) => cyclesPaid === 1);

  expect((await fetch(`${url}/refund?id=${orderId}&cycle=0`)).status).toBe(202);
  await becomes('the shop knows that the money is back', ({ refunded }) => refunded);
  expect(Number(await (await fetch(`${url}/pull`)).text())).toBeGreaterThanOrEqual(5);
  expect(await order()).toEqual({ status: 'active', attempt: 2, cyclesPaid: 1, refunded: true });

  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
  expect((await fetch(`${url}/events`, { method: 'POST', headers, body: '{}' })).status).toBe(400);
  const debits = sandbox.debits().filter((each) => each.paymentId === paymentId);
  expect(debits).toMatchObject([{ cycle: 0, status: 'successful', refunded: 1999 }]);
  expect(complaints()).toBe('');
}
