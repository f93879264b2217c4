import { euros } from '../../src/domain/money';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import {
  applyChange,
  openUnrecordableItem,
  recordDelivery,
  steer,
  type SteeringRequests,
  type SteerResult,
} from '../../src/ledger';
import { deciding, windowOf } from './deciding-fixture';
import {
  DUE,
  NOW,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
} from './ledger-fixture';
import { since, type Written, written } from './written';

const ledger = useLedger();
const { stepAt, refuse } = deciding(ledger);
const KEY = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const BY = { actor: 'ada', keyId: KEY, reason: 'asked' };

type Verb = keyof SteeringRequests;

/** A request that is carried out, and what it writes. No other column of the row changes. */
interface Case {
  readonly given: () => Promise<Subscribed>;
  readonly request: object;
  readonly at: number;
  readonly row: object;
  readonly cycle: object | null;
  readonly entries: readonly (readonly [string, object])[];
  readonly notices: readonly string[];
  /** The result of the same request if another caller made it first. */
  readonly second: SteerResult['kind'];
}

function ask(verb: Verb, { subscriptionId }: Subscribed, request: object, requestId?: string, at = NOW) {
  const asked = { ...BY, ...request, ...(requestId === undefined ? {} : { requestId }) };
  return steer(ledger.pool, verb, subscriptionId, asked as never, { at, realAt: REAL_NOW });
}

const active = () => subscribe(ledger.pool);

async function createPaused() {
  const given = await active();
  await ask('pause', given, { until: null }, undefined, NOW - HOUR);
  return given;
}

async function createInDunning() {
  const given = await active();
  await refuse(given);
  await stepAt(given, NOW + HOUR);
  const { notices } = await written(ledger.pool, given);
  const channel = { channel: 'webhook', evidence: { status: 200 } };
  await recordDelivery(ledger.pool, notices[0]!.notice_id, {
    kind: 'delivered',
    at: NOW + HOUR,
    realAt: REAL_NOW,
    ...channel,
  });
  return given;
}

async function createCollected() {
  const given = await active();
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'successful');
  await stepAt(given, NOW);
  return given;
}

const CHEAPER = { amount: euros(1500), fromCycle: 1, announceAhead: DAY };

async function createChanged() {
  const given = await createCollected();
  await ask('change_amount', given, CHEAPER);
  return given;
}

async function needsAttention() {
  const given = await active();
  const change = {
    ...given,
    key: 'item',
    at: NOW,
    actor: 'dueday',
    events: [],
    subscription: { attention: ['missed:0'] },
  };
  await applyChange(ledger.pool, change);
  return given;
}

async function createUnresolved() {
  const given = await active();
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'unresolved');
  const cycle = { cycle: 0, ...windowOf(0), amount: euros(1999), status: 'unresolved' as const };
  const change = { ...given, key: 'unresolved', at: NOW, actor: 'dueday', events: [], cycle };
  await applyChange(ledger.pool, { ...change, subscription: { attention: ['unresolved:0'] } });
  return given;
}

const FOUND = { cycle: 0, evidence: 'the bank statement', authorizationId: 'aut-7', captureId: 'cap-7' };
const until = DUE + DAY;

const CASES: Readonly<Record<Verb, Case>> = {
  pause: {
    given: active,
    request: { until },
    at: NOW - HOUR,
    row: {
      status: 'paused',
      stopped_by: 'pause',
      paused_until: toIso(until),
      pauses: [{ since: NOW - HOUR, until }],
      next_due_at: toIso(windowOf(1).dueAt),
    },
    cycle: null,
    entries: [['subscription.paused', { reason: 'asked', until: toIso(until) }]],
    notices: ['subscription.paused'],
    second: 'unchanged',
  },
  resume: {
    given: createPaused,
    request: {},
    at: NOW - 1,
    row: { status: 'active', stopped_by: null, pauses: [] },
    cycle: null,
    entries: [['subscription.resumed', { reason: 'asked', since: toIso(NOW - HOUR), at: toIso(NOW - 1) }]],
    notices: ['subscription.resumed'],
    second: 'refused',
  },
  cancel: {
    given: active,
    request: {},
    at: NOW - HOUR,
    row: { stopped_by: 'cancel', cancellation: { at: NOW - HOUR, actor: 'ada', keyId: KEY, reason: 'asked' } },
    cycle: null,
    entries: [['subscription.cancel_requested', { reason: 'asked' }]],
    notices: [],
    second: 'unchanged',
  },
  skip: {
    given: active,
    request: { cycle: 0 },
    at: NOW - HOUR,
    row: { skips: [], next_due_at: toIso(windowOf(1).dueAt) },
    cycle: { cycle: 0, status: 'skipped', reason: 'skipped_by_request', amount: 1999, collected_at: null },
    entries: [
      ['cycle.skip_requested', { cycle: 0, dueAt: toIso(DUE), amount: euros(1999), reason: 'asked' }],
      ['cycle.skipped', { cycle: 0, reason: 'skipped_by_request' }],
    ],
    notices: [],
    second: 'refused',
  },
  postpone: {
    given: active,
    request: { cycle: 0, until: DUE + 2 * DAY },
    at: DUE - HOUR,
    row: { next_due_at: toIso(DUE) },
    cycle: {
      cycle: 0,
      status: 'scheduled',
      postponed_until: toIso(DUE + 2 * DAY),
      next_attempt_at: toIso(DUE + 2 * DAY),
    },
    entries: [
      [
        'cycle.postponed',
        { cycle: 0, dueAt: toIso(DUE), amount: euros(1999), postponedUntil: toIso(DUE + 2 * DAY), reason: 'asked' },
      ],
    ],
    notices: [],
    second: 'steered',
  },
  retry: {
    given: createInDunning,
    request: { cycle: 0, retryAt: null },
    at: NOW + 2 * HOUR,
    row: {},
    cycle: {
      cycle: 0,
      status: 'dunning',
      amount: 1999,
      retry_from: toIso(NOW + 2 * HOUR),
      // The notice about its refusal was delivered an hour before.
      next_attempt_at: toIso(NOW + 2 * HOUR),
      retries_left: 3,
    },
    entries: [['cycle.retry_requested', { cycle: 0, reason: 'asked' }]],
    notices: [],
    second: 'steered',
  },
  change_amount: {
    given: createCollected,
    request: CHEAPER,
    at: NOW + HOUR,
    row: {
      amount: 1500,
      pending_change: expect.objectContaining({ amount: euros(1500), fromCycle: 1, kind: 'reduction' }),
    },
    cycle: null,
    entries: [
      ['amount_change.accepted', { amount: euros(1500), previousAmount: euros(1999), fromCycle: 1, reason: 'asked' }],
    ],
    notices: [],
    second: 'steered',
  },
  withdraw_change: {
    given: createChanged,
    request: {},
    at: NOW + HOUR,
    row: { amount: 1999, pending_change: null },
    cycle: null,
    entries: [['amount_change.withdrawn', { amount: euros(1500), fromCycle: 1, reason: 'asked' }]],
    notices: [],
    second: 'refused',
  },
  acknowledge: {
    given: needsAttention,
    request: {},
    at: NOW - HOUR,
    row: { attention: [], standing: 'good' },
    cycle: null,
    entries: [['attention.acknowledged', { items: ['missed:0'], reason: 'asked' }]],
    notices: [],
    second: 'refused',
  },
  resolve: {
    given: createUnresolved,
    request: { ...FOUND, outcome: 'collected' },
    at: NOW + HOUR,
    row: {
      attention: [],
      standing: 'good',
      amount: 1999,
      current_amount: 1999,
      cycles_collected: 1,
      next_due_at: toIso(windowOf(1).dueAt),
    },
    cycle: { cycle: 0, status: 'collected', amount: 1999, reason: null, collected_at: toIso(NOW) },
    entries: [
      ['cycle.resolved', { cycle: 0, attempt: 0, amount: euros(1999), outcome: 'collected', evidence: FOUND.evidence }],
      ['cycle.collected', { cycle: 0, attempt: 0, amount: euros(1999), late: false }],
      ['attention.changed', { was: ['unresolved:0'], is: [] }],
    ],
    notices: [],
    second: 'unchanged',
  },
};
const VERBS = Object.entries(CASES) as [Verb, Case][];

/** The columns of the row that differ. */
function changedColumns(before: Written, after: Written): string[] {
  return Object.keys(after.row).filter((name) => JSON.stringify(after.row[name]) !== JSON.stringify(before.row[name]));
}

describe.each(VERBS)('%s', (verb, { given: prepare, request, at, ...expected }) => {
  const carriedOut = async (requestId?: string) => {
    const given = await prepare();
    const before = await written(ledger.pool, given);
    const result = await ask(verb, given, request, requestId, at);
    return { given, before, result, after: await written(ledger.pool, given) };
  };

  test('a steering request writes row, cycle, entries and notices, and raises the revision by one', async () => {
    const { before, after, result } = await carriedOut('r-1');
    const { entries, notices, revisions } = since(before, after);

    expect(result).toMatchObject({ kind: 'steered', revision: after.row['revision'] });
    expect(revisions).toBe(1);
    expect(after.row).toMatchObject(expected.row);
    const named = ['revision', ...Object.keys(expected.row)];
    expect(changedColumns(before, after).filter((name) => !named.includes(name))).toEqual([]);
    if (expected.cycle === null) expect(after.cycles).toEqual(before.cycles);
    else expect(after.cycles).toMatchObject([expected.cycle]);
    expect(entries.map(({ type, data }) => [type, data])).toMatchObject(expected.entries);
    expect(entries[0]).toMatchObject({ actor: 'ada', key_id: KEY, at });
    expect(notices.map(({ type }) => type)).toEqual(expected.notices);
    expect(after.requests.filter((key) => !before.requests.includes(key))).toEqual([`steered/${verb}/r-1`]);
  });

  test('a steering request that is repeated with its id gets the same answer and writes nothing', async () => {
    const { given, result, after } = await carriedOut('r-1');
    const again = await ask(verb, given, request, 'r-1', at + 1);
    expect(again).toEqual({ kind: 'steered', revision: (result as { revision: number }).revision });
    expect(await written(ledger.pool, given)).toEqual(after);
  });

  test('a steering request that is sent ten times at once with one id is carried out once', async () => {
    const given = await prepare();
    const before = await written(ledger.pool, given);
    const all = await Promise.all(Array.from({ length: 10 }, () => ask(verb, given, request, 'r-1', at)));
    const { types, notices, revisions } = since(before, await written(ledger.pool, given));
    expect(new Set(all.map((each) => (each.kind === 'steered' ? each.revision : each.kind))).size).toBe(1);
    expect(types).toEqual(expected.entries.map(([type]) => type));
    expect([notices.length, revisions]).toEqual([expected.notices.length, 1]);
  });

  test(`of two simultaneous callers with the same steering request, the second is ${expected.second}`, async () => {
    const given = await prepare();
    const before = await written(ledger.pool, given);
    const kinds = await Promise.all(['r-1', 'r-2'].map((id) => ask(verb, given, request, id, at)));
    const after = await written(ledger.pool, given);
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(['steered', expected.second].sort());
    const carried = expected.second === 'steered' ? 2 : 1;
    const { types, notices, revisions } = since(before, after);
    expect(types).toHaveLength(carried * expected.entries.length);
    expect([notices.length, revisions]).toEqual([carried * expected.notices.length, carried]);
    expect(after.row).toMatchObject(expected.row);
    expect(after.requests.length - before.requests.length).toBe(carried);
  });

  test.each(['cancelled', 'completed', 'consent_failed'] as const)(
    'a steering request writes nothing for a subscription that is %s',
    async (status) => {
      const given = await active();
      const change = { ...given, key: 'over', at: NOW, actor: 'dueday', events: [] };
      await applyChange(ledger.pool, { ...change, subscription: { status } });
      const before = await written(ledger.pool, given);
      const isSo = verb === 'cancel' && status === 'cancelled';
      expect((await ask(verb, given, request, 'r-1', at)).kind).toBe(isSo ? 'unchanged' : 'refused');
      expect(await written(ledger.pool, given)).toEqual(before);
    },
  );

  test('a steering request for a subscription that does not exist throws', async () => {
    const missing = { subscriptionId: 'sub_missing' as SubscriptionId } as Subscribed;
    await expect(ask(verb, missing, request)).rejects.toThrow('the ledger has no subscription sub_missing');
  });
});

test('a subscription that needs attention only for a refused write can be acknowledged (rules 25, 43)', async () => {
  const given = await subscribe(ledger.pool);
  const { subscriptionId } = given;
  const work = { activity: 'decide', id: subscriptionId, about: { subscriptionId } };
  await openUnrecordableItem(ledger.pool, work, 'SQLSTATE 22021', NOW - HOUR);
  const before = await written(ledger.pool, given);
  expect(before.row['standing']).toBe('needs_attention');
  expect(await ask('acknowledge', given, {}, 'r-1', NOW)).toMatchObject({ kind: 'steered' });
  const after = await written(ledger.pool, given);
  expect(after.row['standing']).toBe('good');
  expect(since(before, after).entries).toMatchObject([
    { type: 'attention.acknowledged', data: { items: ['unrecordable'], reason: 'asked' } },
  ]);
  expect(await ask('acknowledge', given, {}, 'r-2', NOW)).toMatchObject({ kind: 'refused' });
});
