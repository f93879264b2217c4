import { DAY, HOUR, type Instant, toIso } from '../../src/domain/time';
import { importFile } from '../support/import-call';
import { waitUntil } from '../support/wait-until';
import { plusMonths } from '../lives/calendar';
import type { Attempt, Cycle, ProblemBody } from './admin-api';
import type { Life } from './life';
import { openStage } from './scenario';
import { ADMIN_KEY, type World } from './world';

/**
 * What the service has said counts (rules 36 to 41), through the API of a real daemon and by the simulator's own record. A quarter
 * of a day a second: the file takes as long as the month of its longest scenario, two minutes and a half.
 */

const SPEED = 21_600;
/** Twenty seconds: all requests before the first payment leave in them. */
const LEAD = 5 * DAY;
const AMOUNT = { value: 1999, currency: 'EUR' } as const;
const ADDRESS = { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };

const { scenario } = openStage({ speed: SPEED });

interface Item {
  readonly kind: string;
  readonly subscriptionId: string;
  readonly cycle: number | null;
}

async function openItems({ admin }: World, id: string): Promise<string[]> {
  const { body } = await admin.get<{ items: Item[] }>('/v1/attention?limit=200');
  return body.items.filter(({ subscriptionId }) => subscriptionId === id).map(({ kind, cycle }) => `${kind}:${cycle}`);
}

async function itemsAre(world: World, id: string, items: readonly string[]): Promise<void> {
  const expected = JSON.stringify(items);
  let seen = '';
  const areSo = async () => (seen = JSON.stringify(await openItems(world, id))) === expected;
  await waitUntil(`${id}: items ${expected}`, areSo).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}; they are ${seen}`);
  });
}

async function cycleOf({ admin }: World, id: string, cycle: number): Promise<Cycle | undefined> {
  const { body } = await admin.get<{ items: Cycle[] }>(`/v1/subscriptions/${id}/cycles?limit=200`);
  return body.items.find((each) => each.cycle === cycle);
}

async function becomes(world: World, id: string, cycle: number, status: string): Promise<Cycle> {
  let seen: Cycle | undefined;
  await waitUntil(`${id}: cycle ${cycle} is ${status}`, async () => {
    seen = await cycleOf(world, id, cycle);
    return seen?.status === status;
  });
  return seen!;
}

function resolve({ admin }: World, id: string, cycle: number, body: object) {
  const said = { evidence: 'statement of the bank', ...body };
  return admin.post<Cycle & ProblemBody>(`/v1/subscriptions/${id}/cycles/${cycle}/resolve`, said);
}

/** The service's own authorizations of each cycle, failed ones too. */
function madeFor({ sandbox }: World, paymentId: string, cycle: number): number {
  return sandbox.payment(paymentId).authorizations.filter((each) => each.cycle === cycle).length;
}

function debitsOf({ sandbox }: World, paymentId: string, cycle: number): number {
  const { debits } = sandbox.payment(paymentId);
  return debits.filter((each) => each.cycle === cycle && each.status === 'successful').length;
}

/** Its first cycle is pending at the service, and then no longer listed. */
async function vanishing(world: World, name: string): Promise<Life> {
  const life = await world.order({ name, cents: 1999, lead: LEAD, lasts: 8 * DAY });
  const match = { on: 'authorizations', paymentId: life.paymentId, cycle: 0 } as const;
  world.sandbox.faults.contradict({ kind: 'vanishing', delayMs: 200, match });
  await life.approvedWith('approves');
  await itemsAre(world, life.id, ['unlisted:0']);
  return life;
}

/**
 *   D0                            D7         D8
 *   pending, then not listed      ●          resolved as failed
 */
scenario(
  'an authorization that is no longer listed is for an operator, holds up no later cycle, and is resolved',
  async (world) => {
    const life = await vanishing(world, 'vanished');
    expect(await cycleOf(world, life.id, 0)).toMatchObject({
      status: 'collecting',
      attempts: [{ outcome: 'pending' }],
    });
    expect(await life.view()).toMatchObject({ standing: 'needs_attention' });

    await becomes(world, life.id, 1, 'collected');
    expect(await cycleOf(world, life.id, 0)).toMatchObject({ status: 'collecting' });
    expect(await openItems(world, life.id)).toEqual(['unlisted:0']);
    expect(await resolve(world, life.id, 1, { outcome: 'failed' })).toMatchObject({ status: 409 });

    expect(await resolve(world, life.id, 0, { outcome: 'failed' })).toMatchObject({ status: 200, body: { cycle: 0 } });
    const failed = await becomes(world, life.id, 0, 'failed');
    expect(failed.attempts).toHaveLength(1);
    await itemsAre(world, life.id, []);
    await life.until('completed', ({ status }) => status === 'completed');
    expect([madeFor(world, life.paymentId, 0), madeFor(world, life.paymentId, 1)]).toEqual([1, 1]);
  },
);

/**
 *   D0                            D0                       D7
 *   pending, then not listed      resolved as collected    ●
 */
scenario(
  'an authorization that is no longer listed is resolved as collected, by no id of another cycle',
  async (world) => {
    const life = await vanishing(world, 'vanished-paid');
    await becomes(world, life.id, 1, 'collected');
    const other = (await cycleOf(world, life.id, 1))!.attempts[0]!;
    const taken = await resolve(world, life.id, 0, { outcome: 'collected', authorizationId: other.authorizationId });
    expect(taken.status).toBe(409);
    expect(taken.body.detail).toContain(other.authorizationId);

    expect(await resolve(world, life.id, 0, { outcome: 'collected' })).toMatchObject({ status: 200 });
    await becomes(world, life.id, 0, 'collected');
    await itemsAre(world, life.id, []);
    expect(madeFor(world, life.paymentId, 0)).toBe(1);
  },
);

/** A mandate that another system has had until now, imported as it is. */
async function imported(world: World, subscriptionId: string, terms: Terms): Promise<string> {
  const { anchor, repetition, collected } = terms;
  const { paymentId } = world.sandbox.grantElsewhere(
    {
      useCase: 'SUBSCRIPTION',
      ...{ amount: AMOUNT, repetition, startAt: anchor, firstPaymentAt: anchor },
      ...{ returnURL: 'https://shop.example/return', billingAddress: ADDRESS },
    },
    anchor - HOUR,
  );
  for (const [cycle, createdAt] of collected) elsewhere(world, paymentId, cycle, createdAt);
  const at = toIso(anchor);
  const line = {
    ...{ subscriptionId, paymentId, amount: AMOUNT, repetition, startAt: at, firstPaymentAt: at },
    ...{ billingAddress: ADDRESS, payer: { reference: subscriptionId } },
  };
  const { url } = await world.daemon.says('admin API on ');
  expect(await importFile(url!, ADMIN_KEY, JSON.stringify(line))).toMatchObject([{ subscriptionId }]);
  return paymentId;
}

interface Terms {
  readonly anchor: Instant;
  readonly repetition: 'WEEKLY' | 'MONTHLY';
  /** What the old system has collected: cycle, and when. */
  readonly collected: readonly (readonly [number, Instant])[];
}

function elsewhere({ sandbox }: World, paymentId: string, cycle: number, createdAt: Instant): void {
  sandbox.authorizeElsewhere(paymentId, { amount: AMOUNT.value, createdAt, cycle, result: 'successful' });
}

async function auditEntriesOf(
  { admin }: World,
  id: string,
): Promise<readonly { type: string; data: Record<string, unknown> }[]> {
  const path = `/v1/subscriptions/${id}/events?limit=200`;
  return (await admin.get<{ items: { type: string; data: Record<string, unknown> }[] }>(path)).body.items.toReversed();
}

/**
 *   D-66 h      D-60 h      D0           a month later
 *   ● elsewhere imported    adopted      ●
 */
scenario(
  'fault 51: a date that the old system collected 66 hours early is not collected again, and the next one is',
  async (world, started) => {
    const id = 'collected-early';
    const due = Math.ceil((world.clock.now() + 60 * HOUR) / HOUR) * HOUR;
    const anchor = plusMonths(due, -2);
    const collected = [0, 1].map((cycle) => [cycle, plusMonths(anchor, cycle)] as const);
    const early = due - 66 * HOUR;
    const terms = { anchor, repetition: 'MONTHLY', collected: [...collected, [2, early] as const] } as const;
    const paymentId = await imported(world, id, terms);
    started();

    const adopted = await becomes(world, id, 2, 'collected');
    expect(adopted.attempts).toMatchObject([{ outcome: 'successful', adopted: true, at: toIso(early) }]);
    const later = await becomes(world, id, 3, 'collected');
    expect(later.attempts.at(-1)).toMatchObject({ outcome: 'successful', adopted: false });

    const auditLog = await auditEntriesOf(world, id);
    const ended = auditLog
      .filter(({ type }) => type === 'cycle.collected')
      .map(({ data }) => [data['cycle'], data['adopted']]);
    expect(ended).toEqual([
      [2, true],
      [3, false],
    ]);
    expect(auditLog.filter(({ type }) => type.startsWith('notice'))).toEqual([]);
    expect(
      world.receiver.deliveries.filter(({ data, type }) => data.subscriptionId === id && type.startsWith('payment.')),
    ).toEqual([]);
    expect([madeFor(world, paymentId, 2), debitsOf(world, paymentId, 2), debitsOf(world, paymentId, 3)]).toEqual([
      1, 1, 1,
    ]);
    expect(await openItems(world, id)).toEqual([]);
  },
);

/**
 *   D0      D7-40 h      D7                         D7
 *   ○       ● elsewhere  adopted: which of the two  resolved, it paid D0: ●
 */
scenario(
  'fault 51: behind a failed cycle an operator says which of the two it paid, and the other collects',
  async (world, started) => {
    const id = 'paid-which';
    const due = Math.ceil((world.clock.now() + LEAD) / HOUR) * HOUR;
    const anchor = due - 7 * DAY;
    const paymentId = await imported(world, id, { anchor, repetition: 'WEEKLY', collected: [[0, anchor]] });
    started();
    world.sandbox.setWallet(paymentId, 'final-rejection');
    await becomes(world, id, 1, 'failed');

    world.sandbox.setWallet(paymentId, 'approves');
    const made = due + 7 * DAY - 40 * HOUR;
    await world.reach(made);
    // By the service's record it is that of the failed date, made late.
    elsewhere(world, paymentId, 1, made);
    await itemsAre(world, id, ['contradiction:2']);
    const adopted = await becomes(world, id, 2, 'collected');
    expect(adopted.attempts).toMatchObject([{ adopted: true }]);

    expect(await resolve(world, id, 2, { outcome: 'failed' })).toMatchObject({ status: 400 });
    expect(await resolve(world, id, 2, { outcome: 'failed', paidCycle: 0 })).toMatchObject({ status: 400 });
    expect(await resolve(world, id, 2, { outcome: 'failed', paidCycle: 1 })).toMatchObject({ status: 200 });
    await itemsAre(world, id, []);
    let own: Attempt | undefined;
    await waitUntil(`${id}: cycle 2 is collected by an attempt of its own`, async () => {
      const cycle = await cycleOf(world, id, 2);
      own = cycle?.attempts.find((each) => !(each as Attempt & { adopted: boolean }).adopted);
      return cycle?.status === 'collected' && own?.outcome === 'successful';
    });
    expect(await cycleOf(world, id, 1)).toMatchObject({ status: 'collected' });
    expect([1, 2].map((cycle) => madeFor(world, paymentId, cycle))).toEqual([2, 1]);
    expect([1, 2].map((cycle) => debitsOf(world, paymentId, cycle))).toEqual([1, 1]);
  },
);
