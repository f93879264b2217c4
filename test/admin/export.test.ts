import { listEvents } from '../../src/ledger';
import { importFile, type LineAnswer } from '../support/import-call';
import { type AdminUnderTest, startAdmin } from './admin-under-test';
import { mandate, ndjson } from './mandate';

let from: AdminUnderTest;
let to: AdminUnderTest;
let fromURL: string;
let toURL: string;

beforeAll(async () => {
  [from, to] = await Promise.all([startAdmin(), startAdmin()]);
  for (const { mandates } of [from, to]) mandates.onList = () => ({ kind: 'accepted', value: [] });
  fromURL = await from.app.listen({ port: 0, host: '127.0.0.1' });
  toURL = await to.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => Promise.all([from.stop(), to.stop()]));

type Line = Record<string, unknown>;

/** Monthly on the last day, from 31 July 2026 on: cycle 7 is due on 28 February 2027. Now is 31 January, at the due time of cycle 6. */
const line = (id: string, changes: Line = {}): Line =>
  mandate({ subscriptionId: id, paymentId: `pay_${id}`, ...changes });

const take = (url: string, key: string, text: string, type = 'application/x-ndjson') =>
  importFile(url, key, text, { 'content-type': type });
const intoFirst = (...lines: Line[]) => take(fromURL, from.keys.admin, ndjson(...lines));
const intoSecond = (text: string, type?: string) => take(toURL, to.keys.admin, text, type);

async function requestExport(
  admin: AdminUnderTest,
  query = '',
  accept = 'application/x-ndjson',
  key = admin.keys.admin,
) {
  const headers = { authorization: `Bearer ${key}`, accept };
  return admin.app.inject({ url: `/v1/subscriptions/export${query}`, headers });
}

async function linesOf(admin: AdminUnderTest): Promise<Map<unknown, Line>> {
  const { body } = await requestExport(admin);
  const lines = body.split('\n').filter((text) => text !== '');
  return new Map(lines.map((text) => JSON.parse(text) as Line).map((each) => [each['subscriptionId'], each]));
}

async function viewOf(admin: AdminUnderTest, id: string) {
  const headers = { authorization: `Bearer ${admin.keys.admin}` };
  const view = await admin.app.inject({ url: `/v1/subscriptions/${id}`, headers });
  const schedule = await admin.app.inject({ url: `/v1/subscriptions/${id}/schedule?count=12`, headers });
  return { ...view.json<Line>(), schedule: schedule.json<{ items: unknown }>().items };
}

const faultsOf = ({ problem }: LineAnswer) => problem?.errors?.map(({ path, message }) => `${path}: ${message}`);

/** A line for each kind of state, and one that combines them. */
const STATES: Readonly<Record<string, Line>> = {
  plain: { status: 'active' },
  paused: { status: 'paused', pausedSince: '2027-01-15T12:00:00.000Z' },
  pausing: { status: 'paused', pausedSince: '2027-01-15T12:00:00.000Z', pausedUntil: '2027-05-01T00:00:00.000Z' },
  skipping: { status: 'active', skippedCycles: [8, 10] },
  postponed: { status: 'active', postponements: [{ cycle: 7, until: '2027-03-02T09:00:00.000Z' }] },
  reduced: { status: 'active', pendingAmountChange: { amount: { value: 999, currency: 'EUR' }, fromCycle: 8 } },
  everything: {
    status: 'paused',
    pausedSince: '2027-01-31T11:00:00.000Z',
    pausedUntil: '2027-02-20T00:00:00.000Z',
    skippedCycles: [8],
    postponements: [{ cycle: 7, until: '2027-03-02T09:00:00.000Z' }],
    pendingAmountChange: { amount: { value: 999, currency: 'EUR' }, fromCycle: 9 },
  },
};

const COLLECT_FROM = '2027-02-28T12:00:00.000Z';

test('an export imported into an empty installation has the same state, due dates and amounts there', async () => {
  const metadata = { shop: '-a,"=b"', 'shop.order': '7' };
  const lines = Object.entries(STATES).map(([id, state]) => line(id, { state, metadata, collectFrom: COLLECT_FROM }));
  expect(await intoFirst(...lines)).toEqual(
    lines.map(({ subscriptionId }, index) => ({ line: index + 1, subscriptionId })),
  );
  const { body } = await requestExport(from);

  const answers = await intoSecond(body);

  expect(answers.map(({ problem }) => problem)).toEqual(answers.map(() => undefined));
  expect(await linesOf(to)).toEqual(await linesOf(from));
  const known = await linesOf(from);
  for (const [id, state] of Object.entries(STATES)) {
    expect(known.get(id)).toMatchObject({ state, metadata, collectFrom: COLLECT_FROM });
    const [one, other] = [await viewOf(from, id), await viewOf(to, id)];
    expect({ ...other, createdAt: null, consent: null }).toEqual({ ...one, createdAt: null, consent: null });
  }
});

test('a paused subscription is already stopped when the transaction that imports it commits', async () => {
  const { rows } = await to.db.query(
    `select subscription_id, status, stopped_by from subscriptions where subscription_id = 'paused'`,
  );
  expect(rows).toEqual([{ subscription_id: 'paused', status: 'paused', stopped_by: 'pause' }]);
});

test('an export imported into an installation that already has its mandates adds nothing, and says so for each line', async () => {
  const before = await linesOf(to);
  const answers = await intoSecond((await requestExport(from)).body);
  expect(answers.map(({ line: number, subscriptionId, duplicate }) => [number, subscriptionId, duplicate])).toEqual(
    [...before.keys()].map((id, index) => [index + 1, id, true]),
  );
  expect(await linesOf(to)).toEqual(before);
});

test('an export as CSV has the same mandates as the export as NDJSON', async () => {
  const { body, headers } = await requestExport(from, '?status=active', 'text/csv');
  expect(headers['content-type']).toContain('text/csv');
  const third = await startAdmin();
  try {
    const url = await third.app.listen({ port: 0, host: '127.0.0.1' });
    const answers = await take(url, third.keys.admin, body, 'text/csv');
    expect(answers.map(({ problem }) => problem)).toEqual(answers.map(() => undefined));
    const known = await linesOf(from);
    for (const [id, copied] of await linesOf(third)) expect(copied).toEqual(known.get(id));
    expect(answers.map(({ subscriptionId }) => subscriptionId)).toEqual(['plain', 'postponed', 'reduced', 'skipping']);
  } finally {
    await third.stop();
  }
});

test.each([
  ['cancelled', 'the subscription has ended'],
  ['completed', 'the subscription has ended'],
  ['consent_failed', 'the subscription has ended'],
  ['pending_consent', 'its payer has not consented yet'],
])('the import of a line whose state is %s is refused', async (status, why) => {
  const [answer] = await intoFirst(line(`ended ${status}`.replace(' ', '-'), { state: { status } }));
  expect(faultsOf(answer!)).toEqual([`state.status: expected active or paused; got ${status}: ${why}`]);
});

test.each([
  [{ status: 'active', pausedUntil: '2027-05-01T00:00:00Z' }, 'state.pausedUntil: expected no value'],
  [{ status: 'paused', pausedSince: '2027-01-31T12:00:00.001Z' }, 'state.pausedSince: expected a time not after now'],
  [{ status: 'paused', pausedUntil: '2027-01-31T12:00:00.000Z' }, 'state.pausedUntil: expected a time after'],
  [{ status: 'active', skippedCycles: [5_000] }, 'state.skippedCycles: cycle 5000 is too far ahead'],
  [
    { status: 'active', postponements: [{ cycle: 7, until: '2027-03-05T12:00:00Z' }] },
    'state.postponements: expected an instant',
  ],
  [
    { status: 'active', pendingAmountChange: { amount: { value: 50_001, currency: 'EUR' }, fromCycle: 7 } },
    'state.pendingAmountChange: ',
  ],
])('a state that no rule allows is refused and nothing of its line is stored: %j', async (state, fault) => {
  const [answer] = await intoFirst(line('refused', { state, collectFrom: COLLECT_FROM }));
  expect(faultsOf(answer!)?.[0]).toContain(fault);
  expect((await linesOf(from)).has('refused')).toBe(false);
});

test('a due date whose window is open when it is imported is collected, and one whose window has closed is not', async () => {
  const state = { status: 'active' };
  await intoFirst(
    line('open', {
      state,
      firstPaymentAt: '2026-07-26T12:00:00.001Z',
      startAt: '2026-07-26T12:00:00.000Z',
      collectFrom: '2027-01-26T12:00:00.001Z',
    }),
    line('closed', {
      state,
      firstPaymentAt: '2026-07-26T12:00:00.000Z',
      startAt: '2026-07-26T12:00:00.000Z',
      collectFrom: '2027-01-26T12:00:00.000Z',
    }),
  );
  const known = await linesOf(from);
  expect(known.get('open')?.['collectFrom']).toBe('2027-01-26T12:00:00.001Z');
  expect(known.get('closed')?.['collectFrom']).toBe('2027-02-26T12:00:00.000Z');
});

test('an export that is older than an interval is collected from the due date whose window is open', async () => {
  const old = (id: string, repetition: string, firstPaymentAt: string, collectFrom: string) =>
    line(id, { state: { status: 'active' }, repetition, firstPaymentAt, startAt: firstPaymentAt, collectFrom });
  await intoFirst(
    old('monthly', 'MONTHLY', '2026-07-29T12:00:00.000Z', '2026-11-29T12:00:00.000Z'),
    old('weekly', 'WEEKLY', '2026-12-01T12:00:00.001Z', '2027-01-12T12:00:00.001Z'),
    old('closed-weekly', 'WEEKLY', '2026-12-01T12:00:00.000Z', '2027-01-12T12:00:00.000Z'),
  );
  const known = await linesOf(from);
  const collectFromOf = (id: string) => known.get(id)?.['collectFrom'];
  expect(collectFromOf('monthly')).toBe('2027-01-29T12:00:00.000Z');
  expect(collectFromOf('weekly')).toBe('2027-01-26T12:00:00.001Z');
  expect(collectFromOf('closed-weekly')).toBe('2027-02-02T12:00:00.000Z');
});

test('a cycle that has been tried stays with the exporting installation: collectFrom is the due date after it', async () => {
  await intoFirst(line('tried', { collectFrom: COLLECT_FROM }));
  await from.db.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status)
     values ('tried', 7, $1::timestamptz, $1::timestamptz + interval '5 days', 1999, 'collecting')`,
    [COLLECT_FROM],
  );
  expect((await linesOf(from)).get('tried')?.['collectFrom']).toBe('2027-03-31T12:00:00.000Z');
});

test('the amount that an open cycle has frozen is exported, and the importing installation collects it until the pending change takes effect', async () => {
  const amount = (value: number) => ({ value, currency: 'EUR' });
  const pendingAmountChange = { amount: amount(999), fromCycle: 7 };
  await intoFirst(line('frozen', { state: { status: 'active', pendingAmountChange }, collectFrom: COLLECT_FROM }));
  await from.db.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status)
     values ('frozen', 7, $1::timestamptz, $1::timestamptz + interval '5 days', 999, 'collecting')`,
    [COLLECT_FROM],
  );
  await from.db.query(
    `update subscriptions set pending_change = pending_change || jsonb_build_object(
       'amount', $1::jsonb, 'fromCycle', 9, 'effectiveAt', $2::bigint, 'kind', 'increase', 'earlier', pending_change
     ) where subscription_id = 'frozen'`,
    [JSON.stringify(amount(1500)), Date.parse('2027-04-30T12:00:00.000Z')],
  );
  const exportedLine = (await linesOf(from)).get('frozen');
  expect(exportedLine).toMatchObject({
    amount: amount(999),
    collectFrom: '2027-03-31T12:00:00.000Z',
    state: { pendingAmountChange: { amount: amount(1500), fromCycle: 9 } },
  });
  expect((await intoSecond(JSON.stringify(exportedLine)))[0]?.problem).toBeUndefined();
  expect((await viewOf(to, 'frozen')).schedule).toMatchObject([
    { cycle: 8, amount: amount(999) },
    { cycle: 9, amount: amount(1500) },
    { cycle: 10, amount: amount(1500) },
    ...Array.from({ length: 9 }, () => ({ amount: amount(1500) })),
  ]);
});

test('a cancellation in progress is exported as cancelled', async () => {
  await intoFirst(line('ending'));
  await from.db.query(`update subscriptions set stopped_by = 'cancel' where subscription_id = 'ending'`);
  expect((await linesOf(from)).get('ending')?.['state']).toEqual({ status: 'cancelled' });
});

test('an export imported into its own installation adds nothing: each line is a duplicate, even of a subscription that has ended', async () => {
  const before = await linesOf(from);
  expect(before.get('ending')?.['state']).toEqual({ status: 'cancelled' });
  const answers = await take(fromURL, from.keys.admin, (await requestExport(from)).body);
  expect(answers.map(({ subscriptionId, duplicate }) => [subscriptionId, duplicate])).toEqual(
    [...before.keys()].map((id) => [id, true]),
  );
  expect(await linesOf(from)).toEqual(before);
});

test('only admins receive the payer’s data, and each export is in the audit log', async () => {
  const { body } = await requestExport(from, '?status=paused', 'application/x-ndjson', from.keys.operator);
  expect(body).not.toMatch(/Ada|Berlin|example\.com/);
  expect(JSON.parse(body.split('\n')[0]!)).toMatchObject({
    subscriptionId: 'everything',
    payer: { reference: expect.any(String) },
  });
  const type = 'subscriptions.exported';
  const [entry] = (await listEvents(from.db, { type }, { limit: 1, cursor: null })).items;
  expect(entry?.data).toMatchObject({ status: 'paused', filters: ['status'], withPayers: false });
});
