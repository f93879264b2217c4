import { DAY, toIso } from '../../src/domain/time';
import { importFile } from '../support/import-call';
import { waitUntil } from '../support/wait-until';
import type { Answer, ProblemBody, Subscription } from './admin-api';
import { collectedElsewhere, lineOf } from './elsewhere';
import type { Life } from './life';
import { orderOf } from './order';
import { openStage } from './scenario';
import { ADMIN_KEY, type World } from './world';

/**
 * Dates and cycles at the end of time (rule 3), sent to a real daemon: whatever is answered, all lists can be read, steering works
 * and the next due date is collected.
 */

/** Six hours a second: a month passes in two minutes, and a collection window lasts twenty seconds. */
const SPEED = 21_600;
/** Twenty real seconds, within which all requests before the first payment are made. */
const LEAD = 5 * DAY;
const LAST = '9999-12-31T23:59:59.999Z';

const { scenario } = openStage({ speed: SPEED });

interface Body extends Subscription, ProblemBody {
  readonly endAt: string | null;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

const path = ({ id }: Life, call = '') => `/v1/subscriptions/${id}${call}`;
const ask = ({ admin }: World, life: Life, call: string, body: object = {}): Promise<Answer<Body>> =>
  admin.post<Body>(path(life, call), body);

/**
 * Expects that every list about this subscription can be read, and that nothing waits for an operator, except overdue items: at
 * this speed the hour after which a due date is overdue passes in a sixth of a second, and such an item ends by itself.
 */
async function expectReadable(world: World, life: Life): Promise<void> {
  const now = world.clock.now();
  const pages = [
    ...['', '/cycles', '/schedule?count=60', '/events'].map((page) => path(life, page)),
    ...['/v1/subscriptions', `/v1/subscriptions?dueBefore=${LAST}`, '/v1/audit', '/v1/reports/deadlines'],
    `/v1/reports/forecast?from=${toIso(now)}&to=${toIso(now + 30 * DAY)}`,
  ];
  const answers = await Promise.all(pages.map((page) => world.admin.get(page)));
  expect(answers.map(({ status }, nth) => [pages[nth], status])).toEqual(pages.map((page) => [page, 200]));
  const { status, body } = await world.admin.get<{ items: { kind: string }[] }>('/v1/attention');
  expect([status, body.items.filter(({ kind }) => kind !== 'overdue')]).toEqual([200, []]);
}

/** Expects a pause and a resumption to take effect. */
async function expectSteerable(life: Life): Promise<void> {
  expect(await life.steer('pause')).toMatchObject({ status: 200, body: { status: 'paused' } });
  expect(await life.steer('resume')).toMatchObject({ status: 200, body: { status: 'active', standing: 'good' } });
}

/** Expects calls about a cycle that the calendar of the subscription does not reach to be refused. */
async function expectNoCycle(world: World, life: Life, cycle: number): Promise<void> {
  const missing = { code: 'state_conflict', detail: `cycle ${cycle} does not exist: the calendar ends before it` };
  expect(await ask(world, life, `/cycles/${cycle}/skip`)).toMatchObject({ status: 409, body: missing });
  const evidence = { outcome: 'collected', evidence: 'statement of the bank' };
  const amount = { value: 1, currency: 'EUR' };
  const others = [
    await ask(world, life, `/cycles/${cycle}/retry`, { reason: 'now' }),
    await ask(world, life, `/cycles/${cycle}/resolve`, evidence),
    await ask(world, life, `/cycles/${cycle}/refunds`, { amount }),
  ];
  expect(others.map(({ status, body }) => [status, body.code])).toEqual(others.map(() => [409, 'state_conflict']));
  for (const { body } of others) expect(body.detail).toMatch(new RegExp(`\\bcycle ${cycle}\\b`, 'i'));
}

async function expectNoChange(world: World, life: Life, fromCycle: number): Promise<void> {
  for (const dryRun of [true, false]) {
    const amount = { value: 1500, currency: 'EUR' };
    expect(await ask(world, life, '/amount-changes', { amount, fromCycle, dryRun })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', detail: `cycle ${fromCycle} does not exist: the calendar ends before it` },
    });
  }
}

scenario('a yearly subscription refuses cycle 8000, and its first payment is collected', async (world) => {
  const life = await world.order({ name: 'far-yearly', cents: 1999, repetition: 'YEARLY', lead: LEAD });
  await life.approvedWith();
  await expectNoCycle(world, life, 8_000);
  await expectReadable(world, life);
  await expectSteerable(life);
  await life.collected(1);
  await expectNoCycle(world, life, 8_000);
  await expectNoChange(world, life, 8_000);
  expect(await ask(world, life, '/cycles/60/skip')).toMatchObject({ status: 200, body: { status: 'skipped' } });
  expect(await ask(world, life, '/cycles/61/skip')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  await expectReadable(world, life);
  await expectSteerable(life);
  await life.agrees();
});

scenario(
  'a monthly subscription refuses a change from cycle 100000, and its next due date is collected',
  async (world) => {
    const life = await world.order({ name: 'far-monthly', cents: 1999, repetition: 'MONTHLY', lead: LEAD });
    await life.approvedWith();
    await life.collected(1);
    await expectNoCycle(world, life, 100_000);
    await expectNoChange(world, life, 100_000);
    await expectNoChange(world, life, 100_001);
    await expectReadable(world, life);
    await expectSteerable(life);
    await life.collected(2);
    expect((await life.cycles()).map(({ amount }) => amount.value)).toEqual([1999, 1999]);
    await expectReadable(world, life);
    await life.agrees();
  },
);

for (const [what, until, pausedUntil] of [
  ['the last instant lasts until it is resumed', LAST, undefined],
  ['the instant before the last one names its end', '9999-12-31T23:59:59.998Z', '9999-12-31T23:59:59.998Z'],
] as const) {
  scenario(`a pause until ${what}, and the due date after it is collected`, async (world) => {
    const life = await world.order({ name: 'far-pause', cents: 1999, lead: LEAD });
    await life.approvedWith();
    const paused = await ask(world, life, '/pause', { until });
    expect(paused).toMatchObject({ status: 200, body: { status: 'paused' } });
    expect(paused.body.pausedUntil).toBe(pausedUntil);
    await expectReadable(world, life);
    expect(await life.steer('resume')).toMatchObject({ status: 200, body: { status: 'active' } });
    await life.collected(1);
    await life.agrees();
  });
}

scenario('a pause until a later instant is refused, and the due date is collected', async (world) => {
  const life = await world.order({ name: 'far-no-pause', cents: 1999, lead: LEAD });
  await life.approvedWith();
  for (const until of ['9999-12-31T23:59:59.999-00:01', '10000-01-01T00:00:00.000Z', '+010000-01-01T00:00:00Z']) {
    const { status, body } = await ask(world, life, '/pause', { until });
    expect([status, body.errors?.map((each) => each.path)]).toEqual([400, ['until']]);
    expect(body.errors?.[0]?.message).toMatch(/^expected a time .* from 1970 to 9999; got /);
  }
  await expectReadable(world, life);
  await life.collected(1);
  await life.agrees();
});

/** Dates too late for any cycle, the field at fault, and what is expected of it. */
const IMPOSSIBLE: [object, string, RegExp][] = [
  [
    { firstPaymentAt: LAST },
    'firstPaymentAt',
    /^expected a time at least 120 hours before 9999-12-31T23:59:59\.999Z; got /,
  ],
  [{ firstPaymentAt: '10000-01-01T00:00:00Z' }, 'firstPaymentAt', /from 1970 to 9999; got /],
  [{ firstPaymentAt: '9999-12-31T23:59:59.999-00:01' }, 'firstPaymentAt', /from 1970 to 9999; got /],
  [{ endAt: '9999-12-31T23:59:59.999-00:01' }, 'endAt', /from 1970 to 9999; got /],
];

scenario(
  'an order with dates too late for any cycle is refused, naming the field, and creates nothing',
  async ({ admin, clock }) => {
    for (const [dates, field, message] of IMPOSSIBLE) {
      const order = { ...orderOf({ name: 'far-order', cents: 1999 }, clock.now()), ...dates };
      const { status, body } = await admin.post<Body>('/v1/subscriptions', order);
      expect([dates, status, body.errors?.map((each) => each.path)]).toEqual([dates, 400, [field]]);
      expect(body.errors?.[0]?.message).toMatch(message);
      expect((await admin.get(`/v1/subscriptions/${order.subscriptionId}`)).status).toBe(404);
    }
  },
);

scenario('an agreement until the last instant is collected on its due dates', async (world) => {
  const order = { ...orderOf({ name: 'far-end', cents: 1999, lead: LEAD }, world.clock.now()), endAt: LAST };
  const { status, body } = await world.admin.post<Body>('/v1/subscriptions', order);
  expect([status, body.endAt]).toEqual([201, LAST]);
  world.sandbox.payer(body.paymentId).approve('approves');
  await world.admin.post(`/v1/subscriptions/${order.subscriptionId}/consent-check`);
  const view = async () => (await world.admin.get<Subscription>(`/v1/subscriptions/${order.subscriptionId}`)).body;
  await waitUntil('its second due date is collected', async () => (await view()).cyclesCollected >= 2);
});

scenario(
  'import lines with dates too late for any cycle are refused, naming the field, and the line after them is collected',
  async (world) => {
    const elsewhere = await collectedElsewhere(world);
    const line = lineOf(elsewhere, 'far-import');
    const { url } = await world.daemon.says('admin API on ');
    const faulty = [
      ...IMPOSSIBLE.map(([dates, field]) => [dates, field] as const),
      [{ collectFrom: LAST }, 'collectFrom'] as const,
      [{ collectFrom: '10000-01-01T00:00:00Z' }, 'collectFrom'] as const,
      [{ lastIncreaseAt: LAST }, 'lastIncreaseAt'] as const,
    ];
    const lines = [...faulty.map(([dates]) => ({ ...line, ...dates })), { ...line, endAt: LAST }];
    const answers = await importFile(url!, ADMIN_KEY, lines.map((each) => JSON.stringify(each)).join('\n'));
    const refused = answers.slice(0, -1).map(({ problem }) => problem?.errors?.map((each) => each.path));
    expect(refused).toEqual(faulty.map(([, field]) => [field]));
    expect(answers.at(-1)).toMatchObject({ subscriptionId: 'far-import' });
    const view = async () => (await world.admin.get<Subscription>('/v1/subscriptions/far-import')).body;
    await waitUntil('its next due date is collected', async () => (await view()).cyclesCollected === 1);
  },
);
