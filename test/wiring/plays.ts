import { DAY } from '../../src/domain/time';
import type { AdminApi } from '../scenarios/admin-api';
import type { Life } from '../scenarios/life';
import { placeOrder } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';
import type { Wired } from './wired';

/** The lives that are simulated with the daemon in parallel; each test awaits the one that shows its variable. */
export interface Plays {
  /** Refused at first, payer notified, retried; ends. */
  readonly refused: Promise<Life>;
  /** Refused finally; ends. */
  readonly failed: Promise<Life>;
  /** Its first debit is made but never answered; ends. */
  readonly hanging: Promise<Life>;
  /** Its first debit never arrives; ends. */
  readonly swallowed: Promise<Life>;
  /** Collected once, then increased and collected again. */
  readonly raised: Promise<Life>;
  /** Collected again after two weeks, by a service that lists eight days. */
  readonly aged: Promise<Life>;
  /** Its payer declined; the merchant's receiver is out of order at first. */
  readonly declined: Promise<Life>;
  /** Partly captured from an authorization of ten days, and refunded. */
  readonly givenBack: Promise<OneTime>;
  /** 50.00 EUR, debited at once. */
  readonly booked: Promise<OneTime>;
}

export interface OneTime {
  readonly paymentId: string;
  readonly timeToCapture: number;
  readonly refunds: readonly { readonly amount: { readonly value: number } }[];
}

/** Business ms to create and approve everything on a busy machine. */
const LEAD = 3 * DAY;
const euros = (value: number) => ({ value, currency: 'EUR' });

/**
 * Simulates all lives in parallel, but with one POST at a time: a daemon refuses an interactive request that is not
 * answered within ten seconds, which all of them at once would exceed on a busy machine. A failure belongs to the test
 * that awaits it.
 */
export function play(all: Wired): Plays {
  const wired = { ...all, admin: oneAtATime(all.admin) };
  const plays = {
    refused: ended(wired, 'refused', 'insufficient-funds-once'),
    failed: ended(wired, 'failed', 'final-rejection'),
    hanging: ended(wired, 'hanging', 'approves', 'hang'),
    swallowed: ended(wired, 'swallowed', 'approves', 'swallowed'),
    raised: raised(wired),
    aged: aged(wired),
    declined: declined(wired),
    givenBack: givenBack(wired),
    booked: booked(wired),
  };
  for (const each of Object.values(plays)) each.catch(() => undefined);
  return plays;
}

/** Each POST waits for the answer to the previous one. */
function oneAtATime(admin: AdminApi): AdminApi {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...admin,
    post<T>(...call: Parameters<AdminApi['post']>) {
      const answer = last.then(() => admin.post<T>(...call));
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}

async function ended(wired: Wired, name: string, wallet: string, kind?: 'hang' | 'swallowed'): Promise<Life> {
  const life = await placeOrder(wired, wired.clock, { name, cents: 1000, lead: LEAD, lasts: 5 * DAY });
  const match = { method: 'POST', path: `^/${life.paymentId}/authorizations$` } as const;
  if (kind !== undefined) wired.sandbox.faults.add({ kind, match });
  await life.approvedWith(wallet);
  await life.until('completed', ({ status }) => status === 'completed');
  return life;
}

async function raised(wired: Wired): Promise<Life> {
  const life = await placeOrder(wired, wired.clock, { name: 'raised', cents: 1000, lead: LEAD, lasts: 10 * DAY });
  await life.approvedWith();
  await life.collected(1);
  const asked = await wired.admin.post(`/v1/subscriptions/${life.id}/amount-changes`, { amount: euros(1100) });
  expect(asked).toMatchObject({ status: 200, body: { fromCycle: 1 } });
  await life.collected(2);
  return life;
}

async function aged(wired: Wired): Promise<Life> {
  const life = await placeOrder(wired, wired.clock, { name: 'aged', cents: 1000, lead: LEAD, lasts: 17 * DAY });
  const { paymentId } = life;
  wired.sandbox.faults.contradict({ kind: 'list_days', days: 8, match: { paymentId } });
  await life.approvedWith();
  expect((await life.steer('cycles/1/skip')).status).toBe(200);
  await life.collected(2);
  return life;
}

async function declined(wired: Wired): Promise<Life> {
  const life = await placeOrder(wired, wired.clock, { name: 'declined', cents: 1000, lead: LEAD });
  wired.events.outOfOrder(life.id, Infinity);
  await life.payer('decline');
  const deliveries = () => wired.events.deliveries.filter(({ data }) => data.subscriptionId === life.id);
  await waitUntil('two deliveries have been tried', () => deliveries().length > 1);
  wired.events.outOfOrder(life.id, 0);
  await waitUntil('one has been accepted', () => deliveries().some(({ accepted }) => accepted));
  return life;
}

async function givenBack(wired: Wired): Promise<OneTime> {
  const { admin } = wired;
  const terms = { plan: 'EVENT_DEPENDENT', amount: euros(2000), timeToCapture: 864_000, partialCapture: true };
  const { path, view } = await approvedPayment(wired, terms);
  await waitUntil('it is authorized', async () => (await view()).status === 'authorized');
  expect(await admin.post(`${path}/captures`, { amount: euros(1500) })).toMatchObject({ status: 201 });
  const isCaptured = async () => (await view()).captures.some(({ status }) => status === 'successful');
  await waitUntil('it is captured', isCaptured);
  const { captureId } = (await view()).captures[0]!;
  expect(await admin.post(`${path}/refunds`, { amount: euros(500), captureId })).toMatchObject({ status: 201 });
  return view();
}

async function booked(wired: Wired): Promise<OneTime> {
  const { view } = await approvedPayment(wired, { plan: 'SINGLE', amount: euros(5000) });
  await waitUntil('it is booked', async () => (await view()).status === 'captured');
  return view();
}

/** A one-time payment whose payer has consented. */
async function approvedPayment({ admin, sandbox }: Wired, terms: Readonly<Record<string, unknown>>) {
  const billingAddress = { name: 'Ada Example', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };
  const order = { ...terms, returnURL: 'https://shop.example/back', billingAddress };
  const created = await admin.post<{ paymentId: string }>('/v1/payments', order);
  expect(created).toMatchObject({ status: 201 });
  const path = `/v1/payments/${created.body.paymentId}`;
  sandbox.payer(created.body.paymentId).approve();
  return { path, view: async () => (await admin.get<OneTime & Captured>(path)).body };
}

interface Captured {
  readonly status: string;
  readonly captures: readonly { readonly captureId: string; readonly status: string }[];
}
