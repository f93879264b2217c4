import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createDuedayClient } from 'dueday/client';
import { Webhook } from 'standardwebhooks';

const { SHOP_URL = 'http://127.0.0.1:3000', DUEDAY_URL = 'http://127.0.0.1:8080', DUEDAY_KEY = '' } = process.env;
const dueday = createDuedayClient({ url: DUEDAY_URL, key: DUEDAY_KEY });

/** 19.99 EUR. */
const PRICE = { value: 1999, currency: 'EUR' } as const;

interface Order {
  status: string;
  attempt: number;
  cyclesPaid: number;
  refunded: boolean;
}

/** These stand in for the shop's database: the state of each order, the events already handled, and how far they were read. */
const orders = new Map<string, Order>();
const seen = new Set<string>();
let readUpTo: string | null = null;

async function openEndpoint(): Promise<Webhook> {
  const { data, error } = await dueday.POST('/v1/webhook-endpoints', {
    body: { url: `${SHOP_URL}/events`, types: ['subscription.*', 'consent.failed', 'cycle.*', 'refund.*'] },
  });
  if (error !== undefined) throw new Error(error.detail);
  return new Webhook(data.secret);
}

/** @returns the address where the payer approves; after a declined try, that of a new subscription with its own id */
async function subscribe(orderId: string, from: string): Promise<string> {
  const order = orders.get(orderId) ?? { status: 'new', attempt: 1, cyclesPaid: 0, refunded: false };
  orders.set(orderId, order);
  if (order.status === 'declined') order.attempt += 1;
  const subscriptionId = `${orderId}-${order.attempt}`;
  const { data, error } = await dueday.POST('/v1/subscriptions', {
    headers: { 'idempotency-key': `subscribe/${subscriptionId}` },
    body: {
      subscriptionId,
      amount: PRICE,
      repetition: 'MONTHLY',
      startAt: from,
      firstPaymentAt: from,
      returnURL: `${SHOP_URL}/order?id=${orderId}`,
      billingAddress: { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
      payer: { email: 'ada@example.com', reference: 'customer 7' },
      metadata: { order: orderId },
    },
  });
  if (error !== undefined) throw new Error(error.detail);
  if (data.consent.redirectURL === undefined) throw new Error(`the order ${orderId} is already ${data.status}`);
  order.status = 'waiting for the payer';
  return data.consent.redirectURL;
}

interface DuedayEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly metadata?: { readonly order?: string } };
}

async function receive(request: IncomingMessage, response: ServerResponse, webhook: Webhook): Promise<void> {
  const body = await text(request);
  let event: DuedayEvent;
  try {
    event = webhook.verify(body, request.headers as Record<string, string>) as DuedayEvent;
  } catch {
    response.writeHead(400).end();
    return;
  }
  handle(event);
  response.writeHead(204).end();
}

function handle({ id, type, data }: DuedayEvent): void {
  const order = orders.get(data.metadata?.order ?? '');
  if (order === undefined || seen.has(id)) return;
  seen.add(id);
  if (order.status !== 'ended') order.status = STATUSES[type] ?? order.status;
  if (type === 'cycle.collected') order.cyclesPaid += 1;
  if (type === 'refund.successful') order.refunded = true;
}

/** The status that an event gives an order that has not ended. */
const STATUSES: Readonly<Record<string, string>> = {
  'subscription.activated': 'active',
  'consent.failed': 'declined',
  'cycle.dunning': 'in retry',
  'cycle.failed': 'past due',
  'cycle.missed': 'past due',
  'cycle.collected': 'active',
  'subscription.cancelled': 'ended',
};

/** Reads every event since the last call. @returns how many there were */
async function pull(): Promise<number> {
  for (let count = 0; ;) {
    const query = { limit: 200, ...(readUpTo === null ? {} : { after: readUpTo }) };
    const { data, error } = await dueday.GET('/v1/events', { params: { query } });
    if (error !== undefined) throw new Error(error.detail);
    for (const event of data.items) handle(event);
    readUpTo = data.nextCursor;
    count += data.items.length;
    if (data.items.length === 0) return count;
  }
}

async function refund(orderId: string, cycle: number): Promise<void> {
  const id = `${orderId}-${orders.get(orderId)?.attempt ?? 1}`;
  const { error } = await dueday.POST('/v1/subscriptions/{id}/cycles/{n}/refunds', {
    params: { path: { id, n: cycle }, header: { 'Idempotency-Key': `refund/${id}/${cycle}` } },
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
    case '/pull':
      response.end(String(await pull()));
      return;
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
