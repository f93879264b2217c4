import { randomUUID } from 'node:crypto';
import type { LedgerChange } from '../../src/contract/activities';
import type { CycleRequest } from '../../src/contract/messages';
import { type BroughtRequest, broughtBy, type RecordedVerb } from '../../src/contract/requests';
import { applyChange, listEvents, putRequest, purgeRequests } from '../../src/ledger';
import { NOW, subscribe, type Subscribed, useLedger } from './ledger-fixture';

const ledger = useLedger();
const KEY_ID = randomUUID();
const ASKED: CycleRequest = { actor: 'till', keyId: KEY_ID, reason: 'on holiday', cycle: 3 };

function write({ subscriptionId }: Subscribed, key: string, request: BroughtRequest) {
  const change: LedgerChange = {
    subscriptionId,
    key,
    request,
    at: NOW,
    actor: 'till',
    judged: true,
    steers: true,
    knows: 0,
    events: [{ type: 'cycle.skip_requested', data: { cycle: 3 } }],
    subscription: { skips: [3] },
  };
  return applyChange(ledger.pool, change);
}

async function trailOf({ subscriptionId }: Subscribed) {
  return (await listEvents(ledger.pool, { subscriptionId }, { limit: 50, cursor: null })).items;
}

async function skipsOf({ subscriptionId }: Subscribed) {
  const { rows } = await ledger.pool.query('select skips from subscriptions where subscription_id = $1', [
    subscriptionId,
  ]);
  return (rows as { readonly skips: number[] }[])[0]?.skips;
}
const onRecord = ({ subscriptionId }: Subscribed, verb: RecordedVerb = 'skip') =>
  putRequest(ledger.pool, subscriptionId, verb, ASKED);

test('what is on record is written, and uses it up', async () => {
  const given = await subscribe(ledger.pool);
  const asked = await onRecord(given);
  expect(await write(given, 'run/1', broughtBy('skip', asked))).toMatchObject({ stale: false, revision: 1 });
  expect(await skipsOf(given)).toEqual([3]);
  const { rows } = await ledger.pool.query('select * from steering_requests where request_id = $1', [asked.onRecord]);
  expect(rows).toEqual([
    expect.objectContaining({
      verb: 'skip',
      actor: 'till',
      key_id: KEY_ID,
      used_for: 'run/1',
      used_real_at: expect.any(Number),
    }),
  ]);
});

test('a worker that died after it wrote finds it written', async () => {
  const given = await subscribe(ledger.pool);
  const brought = broughtBy('skip', await onRecord(given));
  const first = await write(given, 'run/1', brought);
  expect(await write(given, 'run/1', brought)).toEqual({ ...first, repeated: true });
});

test('what was judged by an older revision is not written, and its request is good for the next try', async () => {
  const given = await subscribe(ledger.pool);
  await ledger.pool.query('update subscriptions set revision = 1 where subscription_id = $1', [given.subscriptionId]);
  const brought = broughtBy('skip', await onRecord(given));
  expect(await write(given, 'run/1', brought)).toMatchObject({ stale: true });
  await ledger.pool.query('update subscriptions set revision = 0 where subscription_id = $1', [given.subscriptionId]);
  expect(await write(given, 'run/2', brought)).toMatchObject({ stale: false, revision: 1 });
});

test('how far the ledger was, and the order of fields, are no part of what is asked', async () => {
  const given = await subscribe(ledger.pool);
  const { cycle, reason, keyId, actor, onRecord: id } = await onRecord(given);
  const asked = { cycle, reason, revision: 7, settled: { cycle: 0, attempt: 0 }, keyId, actor, onRecord: id };
  expect(await write(given, 'run/1', broughtBy('skip', asked))).not.toHaveProperty('refused');
});

const FORGED: readonly [what: string, forge: (given: Subscribed) => Promise<BroughtRequest>, why: string][] = [
  ['no request', async () => broughtBy('skip', ASKED), 'it names no request of the admin API'],
  [
    'an unknown one',
    async () => broughtBy('skip', { ...ASKED, onRecord: "'; --" }),
    'the admin API has no such request on record',
  ],
  [
    'one of another verb',
    async (given) => broughtBy('skip', await onRecord(given, 'resume')),
    'its request is resume; got skip',
  ],
  [
    'one with another argument',
    async (given) => broughtBy('skip', Object.assign(await onRecord(given), { cycle: 4 })),
    'its request was made with another argument',
  ],
  [
    'one of another who asks',
    async (given) => broughtBy('skip', { ...(await onRecord(given)), actor: 'ada' }),
    'its request was made with another argument',
  ],
];

test.each(FORGED)('%s: refused, in the trail, and nothing else is written', async (_, forge, why) => {
  const given = await subscribe(ledger.pool);
  const before = await trailOf(given);
  expect(await write(given, 'run/1', await forge(given))).toEqual({
    noticeIds: [],
    revision: 0,
    stale: false,
    refused: why,
  });
  expect(await skipsOf(given)).toEqual([]);
  const [newest, ...others] = await trailOf(given);
  expect(newest).toMatchObject({
    type: 'request.unrecorded',
    actor: 'dueday',
    data: { request: 'skip', message: why },
  });
  expect(others).toEqual(before);
});

test('one of another subscription is refused, and stays good for its own', async () => {
  const [given, other] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  const brought = broughtBy('skip', await onRecord(other));
  expect(await write(given, 'run/1', brought)).toMatchObject({
    refused: `its request is of subscription ${other.subscriptionId}`,
  });
  expect(await write(other, 'run/1', brought)).not.toHaveProperty('refused');
});

test('a repeated one is refused; of many at once one is written', async () => {
  const given = await subscribe(ledger.pool);
  const brought = broughtBy('skip', await onRecord(given));
  const all = await Promise.all(
    Array.from({ length: 5 }, async (_, nth) => {
      const { refused, stale } = await write(given, `run/${nth}`, brought);
      return refused ?? (stale ? 'stale' : 'written');
    }),
  );
  expect(all.filter((each) => each === 'written')).toHaveLength(1);
  await ledger.pool.query('update subscriptions set revision = 0 where subscription_id = $1', [given.subscriptionId]);
  expect(await write(given, 'run/9', brought)).toMatchObject({ refused: 'its request is used up' });
});

test('what is forged and recorded again by another worker is in the trail once', async () => {
  const given = await subscribe(ledger.pool);
  for (let tries = 0; tries < 3; tries += 1) await write(given, 'run/1', broughtBy('skip', ASKED));
  expect((await trailOf(given)).filter(({ type }) => type === 'request.unrecorded')).toHaveLength(1);
});

test('old ones are removed, used up or not, so many at once', async () => {
  await ledger.pool.query('delete from steering_requests');
  const given = await subscribe(ledger.pool);
  const [used, unused, young] = [await onRecord(given), await onRecord(given), await onRecord(given)];
  await write(given, 'run/1', broughtBy('skip', used));
  const age = "update steering_requests set made_real_at = '2026-01-01T00:00:00Z' where request_id <> $1";
  await ledger.pool.query(age, [young.onRecord]);
  const before = Date.UTC(2026, 0, 1);
  expect(await purgeRequests(ledger.pool, before, 500)).toBe(0);
  expect(await purgeRequests(ledger.pool, before + 1, 1)).toBe(1);
  expect(await purgeRequests(ledger.pool, before + 1, 500)).toBe(1);
  const { rows } = await ledger.pool.query('select request_id from steering_requests');
  expect(rows).toEqual([{ request_id: young.onRecord }]);
  expect(unused.onRecord).not.toBe(young.onRecord);
});
