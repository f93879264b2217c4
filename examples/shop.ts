import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createDuedayClient } from 'dueday/client';
import { Webhook } from 'standardwebhooks';

const { SHOP_URL = 'http://127.0.0.1:3000', DUEDAY_URL = 'http://127.0.0.1:8080', DUEDAY_KEY = '' } = process.env;
const dueday = createDuedayClient({ url: DUEDAY_URL, key: DUEDAY_KEY });

/** 19.99 EUR. */
const PRICE = { value: 1999, currency: 'EUR' } as const;

/** Stands in for the shop's database: the state of each order, and the events already handled. */
const orders = new Map<string, { status: string; cyclesPaid: number; refunded: boolean }>();
const seen = new Set<string>();

async function openEndpoint(): Promise<Webhook> {
  const { data, error } = await dueday.POST('/v1/webhook-endpoints', {
    body: { url: `${SHOP_URL}/events`, types: ['subscription.*', 'consent.failed', 'cycle.*', 'refund.*'] },
  });
  if (error !== undefined) throw new Error(error.detail);
  return new Webhook(data.secret);
}

/** @returns the address at which the payer approves */
async function subscribe(orderId: string, from: string): Promise<string> {
  const { data, error } = await dueday.POST('/v1/subscriptions', {
    headers: { 'idempotency-key': `subscribe/${orderId}` },
    body: {
      subscriptionId: orderId,
      amount: PRICE,
      repetition: 'MONTHLY',
      startAt: from,
      firstPaymentAt: from,
      returnURL: `${SHOP_URL}/order?id=${orderId}`,
      billingAddress: { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
      payer: { email: 'ada@example.com', reference: 'customer 7' },
      metadata: { product: 'coffee every month' },
    },
  });
  if (error !== undefined) throw new Error(error.detail);
  if (data.consent.redirectURL === undefined) throw new Error(`the order ${orderId} is already ${data.status}`);
  orders.set(orderId, { status: 'waiting for the payer', cyclesPaid: 0, refunded: false });
  return data.consent.redirectURL;
}

interface DuedayEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly subscriptionId: string | null };
}

async function receive(request: IncomingMessage, response: ServerResponse, webhook: Webhook): Promise<void> {
  const body = await text(request);
  const event = webhook.verify(body, request.headers as Record<string, string>) as DuedayEvent;
  response.writeHead(204).end();
  handle(event);
}

function handle({ id, type, data }: DuedayEvent): void {
  const order = orders.get(data.subscriptionId ?? '');
  if (order === undefined || seen.has(id)) return;
  seen.add(id);
  if (type === 'subscription.activated') order.status = 'active';
  if (type === 'cycle.collected') order.cyclesPaid += 1;
  if (type === 'cycle.dunning') order.status = 'past due';
  if (type === 'subscription.cancelled' || type === 'consent.failed') order.status = 'ended';
  if (type === 'refund.successful') order.refunded = true;
}

async function refund(orderId: string, cycle: number): Promise<void> {
  const { error } = await dueday.POST('/v1/subscriptions/{id}/cycles/{n}/refunds', {
    params: { path: { id: orderId, n: cycle }, header: { 'Idempotency-Key': `refund/${orderId}/${cycle}` } },
    body: { amount: PRICE, reason: 'the coffee arrived cold' },
  });
  if (error !== undefined) throw new Error(error.detail);
}

async function answer(request: IncomingMessage, response: ServerResponse, webhook: Webhook): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', SHOP_URL);
  const id = searchParams.get('id') ?? '';
  switch (pathname) {
    case '/subscribe':
      response.writeHead(303, { location: await subscribe(id, searchParams.get('from') ?? '') }).end();
      return;
    case '/order':
      response.end(JSON.stringify(orders.get(id) ?? null));
      return;
    case '/events':
      return receive(request, response, webhook);
    case '/refund':
      await refund(id, Number(searchParams.get('cycle')));
      response.writeHead(202).end();
      return;
    default:
      response.writeHead(404).end();
  }
}

async function main(): Promise<void> {
  const webhook = await openEndpoint();
  const server = createServer((request, response) => {
    answer(request, response, webhook).catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.listen(Number(new URL(SHOP_URL).port));
}

void main();
