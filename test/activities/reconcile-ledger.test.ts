import { randomUUID } from 'node:crypto';
import { createActivities, type Dependencies } from '../../activities';
import { reconcileLedger } from '../../activities/housekeeping/reconcile-ledger';
import type { ReconcileInput } from '../../src/contract/housekeeping';
import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import { DAY, MINUTE, SECOND } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { beginSend, type DifferenceRecord, listDifferences, listEvents, recordOutcome } from '../../src/ledger';
import type { PaymentService } from '../../src/payment-service';
import { AMOUNT, BOOKING, type Subscribed, useWorld, type World } from './activity-world';
import { createCollected, placeRefund, refund } from './refund-world';

const holder = useWorld();

const EVER = { from: 0, to: Date.parse('2099-01-01T00:00:00.000Z') };

function inputOf(changes: Partial<ReconcileInput> = {}): ReconcileInput {
  return { runId: randomUUID(), period: EVER, actor: 'till', timeout: 10 * SECOND, announce: false, ...changes };
}

const run = (world: World, input: ReconcileInput, deps: Partial<Dependencies> = {}) =>
  world.driver.drive(() => createActivities({ ...world.deps, ...deps }).reconcileLedger(input));

async function differences(world: World, { runId }: ReconcileInput): Promise<readonly DifferenceRecord[]> {
  return (await listDifferences(world.deps.ledger, runId, { limit: 100, cursor: null })).items;
}

/** Compares ledger and service. @returns the differences */
async function compare(world: World, changes: Partial<ReconcileInput> = {}, deps: Partial<Dependencies> = {}) {
  const input = inputOf(changes);
  const { result } = await run(world, input, deps);
  const found = await differences(world, input);
  expect(result).toMatchObject({ kind: 'compared', runId: input.runId, differences: found.length });
  return found;
}

/** Makes a debit outside dueday, as another program with the same credentials would. */
async function debitBehindOurBack(world: World, { paymentId }: Subscribed): Promise<void> {
  const made = await world.deps.service.initiate(paymentId, AMOUNT);
  expect(made.kind).toBe('accepted');
  world.clock.pass(2 * BOOKING);
}

/** Records a send in the ledger only, with a successful outcome if `won`. @returns the id of its authorization */
async function send(world: World, subscribed: Subscribed, won: boolean): Promise<AuthorizationId> {
  const { ledger, clock } = world.deps;
  const { subscriptionId, paymentId, dueAt, collectBy } = subscribed;
  const sent = await beginSend(ledger, {
    subscriptionId,
    paymentId,
    cycle: 0,
    attempt: 0,
    amount: AMOUNT,
    dueAt,
    collectBy,
    at: clock.now(),
    realAt: clock.realNow(),
    knownIds: [],
    owner: 'worker-1',
  });
  if (sent.kind !== 'started') throw new Error(`not started: ${sent.kind}`);
  const authorizationId = `aut-${randomUUID()}` as AuthorizationId;
  const captureId = `cap-${randomUUID()}` as CaptureId;
  const outcome = { state: 'successful', authorizationId, captureId, createdAt: clock.now() } as const;
  if (won) await recordOutcome(ledger, sent.send, outcome, clock.now(), { type: 'attempt.successful', data: {} });
  return authorizationId;
}

test('ledger and service agree after our own debit and refund', async () => {
  const { world } = holder;
  const subscribed = await createCollected(world);
  await refund(world, await placeRefund(world, subscribed));
  await world.due();
  const input = inputOf();
  const { result, stops } = await run(world, input);
  expect(result).toEqual({ kind: 'compared', runId: input.runId, payments: 2, differences: 0 });
  expect(stops).toEqual([]);
});

test('ledger and service differ in a debit made outside dueday', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await debitBehindOurBack(world, subscribed);
  const [debit] = world.debits(subscribed);
  expect(await compare(world)).toMatchObject([
    {
      kind: 'debit_unknown',
      subscriptionId: subscribed.subscriptionId,
      paymentId: subscribed.paymentId,
      authorizationId: debit!.authorizationId,
      captureId: debit!.captureId,
      cycle: null,
      ledger: null,
      service: { state: 'successful', amount: AMOUNT },
    },
  ]);
});

test('ledger and service differ in a debit that only the ledger has, whether the service has the payment or not', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const sentAt = world.clock.now();
  const authorizationId = await send(world, subscribed, true);
  const [found, ...more] = await compare(world);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ kind: 'debit_missing', cycle: 0, authorizationId, service: null });
  expect(found?.ledger).toEqual({ state: 'successful', amount: AMOUNT, at: sentAt });
  const service = world.service({
    listAuthorizations: (id) => world.deps.service.listAuthorizations(`other-${id}`),
    listCaptures: (id) => world.deps.service.listCaptures(`other-${id}`),
  });
  expect(await compare(world, {}, { service })).toMatchObject([{ kind: 'debit_missing' }]);
});

test('ledger and service differ in a refund made outside dueday', async () => {
  const { world } = holder;
  const subscribed = await createCollected(world);
  const made = await world.deps.service.refund(subscribed.paymentId, { amount: euros(333) });
  expect(made.kind).toBe('accepted');
  world.clock.pass(2 * BOOKING);
  expect(await compare(world)).toMatchObject([
    { kind: 'refund_unknown', cycle: 0, service: { state: 'successful', amount: euros(333) } },
  ]);
});

test('ledger and service do not differ in a send whose outcome is unknown, nor in one that starts while they are read', async () => {
  const { world } = holder;
  const doubtful = await world.due();
  await send(world, doubtful, false);
  await debitBehindOurBack(world, doubtful);
  const racing = await world.due();
  let raced = false;
  const service = world.service({
    async listAuthorizations(id) {
      if (id === racing.paymentId && !raced) {
        raced = true;
        await send(world, racing, false);
        await debitBehindOurBack(world, racing);
      }
      return world.deps.service.listAuthorizations(id);
    },
  });
  expect(await compare(world, {}, { service })).toEqual([]);
  expect(raced).toBe(true);
});

test('ledger and service are compared only within the period', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await debitBehindOurBack(world, subscribed);
  const captures = await world.deps.service.listCaptures(subscribed.paymentId);
  const at = captures.kind === 'accepted' ? captures.value[0]!.createdAt : NaN;
  expect(await compare(world, { period: { from: at, to: at + 1 } })).toHaveLength(1);
  expect(await compare(world, { period: { from: at - DAY, to: at } })).toEqual([]);
  expect(await compare(world, { period: { from: at + 1, to: at + DAY } })).toEqual([]);
});

test('findings of the daily run are written to the audit log once, those of other runs not at all', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await debitBehindOurBack(world, subscribed);
  const events = async () => {
    const filter = { subscriptionId: subscribed.subscriptionId, type: 'reconciliation.difference' };
    return (await listEvents(world.deps.ledger, filter, { limit: 10, cursor: null })).items;
  };
  await compare(world, { announce: false });
  expect(await events()).toEqual([]);
  const at = world.clock.now();
  await compare(world, { announce: true });
  world.clock.pass(DAY);
  await compare(world, { announce: true });
  expect((await events()).map((event) => [event.at, event.data['kind']])).toEqual([[at, 'debit_unknown']]);
});

const away = { kind: 'not_sent', reason: 'connection refused' } as const;

/** A service that refuses this many lists of authorizations, and answers from then on. */
function refusing(world: World, times: number, retryAfterMs?: number): { service: PaymentService; refused: number } {
  const door = {
    refused: 0,
    service: world.service({
      async listAuthorizations(id) {
        if (door.refused === times) return world.deps.service.listAuthorizations(id);
        door.refused += 1;
        return retryAfterMs === undefined ? away : { ...away, retryAfterMs };
      },
    }),
  };
  return door;
}

test('a comparison while the service is unavailable is retried, and the run succeeds', async () => {
  const { world } = holder;
  await createCollected(world);
  const { result, stops } = await run(world, inputOf(), { service: refusing(world, 3).service });
  expect(stops.map(({ type, message }) => [type, message])).toEqual(
    Array(3).fill(['service_unreadable', 'reconciliation: connection refused']),
  );
  expect(result).toMatchObject({ kind: 'compared', payments: 1, differences: 0 });
});

test('a comparison while the service is unavailable is given up for good if the outage lasts longer than the run waits', async () => {
  const { world } = holder;
  await createCollected(world);
  const input = inputOf({ timeout: MINUTE });
  const startedAt = world.clock.realNow();
  const { service } = refusing(world, Infinity);
  const given = await run(world, input, { service });
  expect(given.result).toEqual({
    kind: 'service_unavailable',
    runId: input.runId,
    reason: 'connection refused',
  });
  expect(given.stops.length).toBeGreaterThan(3);
  expect(world.clock.realNow() - startedAt).toBeLessThanOrEqual(MINUTE);
  expect((await run(world, input)).result).toEqual(given.result);
});

test('a comparison while the service is unavailable is given up at once if the service asks for a longer wait than the run has left', async () => {
  const { world } = holder;
  await createCollected(world);
  const { result, stops } = await run(world, inputOf(), { service: refusing(world, 1, 10 * SECOND).service });
  expect([result.kind, stops]).toEqual(['service_unavailable', []]);
  const soon = await run(world, inputOf(), { service: refusing(world, 1, 9 * SECOND).service });
  expect(soon.result.kind).toBe('compared');
  expect(soon.stops).toMatchObject([{ wait: 9 * SECOND }]);
});

test('a comparison while the service is unavailable waits for each outage separately, once some payments were compared in between', async () => {
  const { world } = holder;
  const due = [await world.due(), await world.due(), await world.due()];
  const inOrder = due.sort((one, other) => (one.subscriptionId < other.subscriptionId ? -1 : 1));
  const input = inputOf({ timeout: MINUTE });
  const opensAt = world.clock.realNow();
  const service = world.service({
    // The list of each payment is answered only 40 seconds after that of the payment before it.
    async listAuthorizations(id) {
      const place = inOrder.findIndex(({ paymentId }) => paymentId === id);
      const isOpen = world.clock.realNow() - opensAt >= (place + 1) * 40 * SECOND;
      return isOpen ? world.deps.service.listAuthorizations(id) : away;
    },
  });
  expect((await run(world, input, { service })).result).toMatchObject({ kind: 'compared', payments: 3 });
  expect(world.clock.realNow() - opensAt).toBeGreaterThanOrEqual(2 * MINUTE);
});

test('a comparison while the service is unavailable continues from the payment at which it stopped, without reading earlier ones again', async () => {
  const { world } = holder;
  const all = [await world.due(), await world.due(), await world.due()];
  const [first, second, third] = all
    .sort((one, other) => (one.subscriptionId < other.subscriptionId ? -1 : 1))
    .map(({ paymentId }) => paymentId);
  const asked: string[] = [];
  const service = world.service({
    async listAuthorizations(id) {
      asked.push(id);
      const isRefused = id === second && asked.filter((each) => each === id).length === 1;
      return isRefused ? away : world.deps.service.listAuthorizations(id);
    },
  });
  const { result } = await run(world, inputOf(), { service });
  expect(result).toMatchObject({ payments: 3 });
  expect(asked.slice(0, 3).toSorted()).toEqual([first, second, third].toSorted());
  expect(asked.slice(3).toSorted()).toEqual([second, third].toSorted());
});

function unreadable(world: World, isIt: (paymentId: string) => boolean): PaymentService {
  return world.service({
    listAuthorizations: async (id) =>
      isIt(id) ? { kind: 'unknown', reason: 'HTTP 500' } : world.deps.service.listAuthorizations(id),
  });
}

test('a comparison with a payment that cannot be read retries it for a time, then reports it as not compared, with all others compared', async () => {
  const { world } = holder;
  const [broken, stolen] = [await world.due(), await world.due()];
  await debitBehindOurBack(world, stolen);
  const service = unreadable(world, (id) => id === broken.paymentId);
  const input = inputOf();
  const { result, stops } = await run(world, input, { service });
  expect(stops.length).toBeGreaterThan(2);
  expect(result).toMatchObject({ kind: 'compared', payments: 2, differences: 2 });
  const found = await differences(world, input);
  expect(found.find(({ paymentId }) => paymentId === broken.paymentId)).toMatchObject({
    kind: 'not_compared',
    reason: 'HTTP 500',
    ledger: null,
    service: null,
  });
  expect(found.find(({ paymentId }) => paymentId === stolen.paymentId)).toMatchObject({ kind: 'debit_unknown' });
});

test('a comparison with a payment that cannot be read waits a shorter time than for an unavailable service, and separately for each such payment', async () => {
  const { world } = holder;
  const broken = [await world.due(), await world.due()].map(({ paymentId }) => paymentId as string);
  await world.due();
  const startedAt = world.clock.realNow();
  const service = unreadable(world, (id) => broken.includes(id));
  const { result } = await run(world, inputOf({ timeout: DAY }), { service });
  expect(result).toMatchObject({ kind: 'compared', payments: 3, differences: 2 });
  expect(world.clock.realNow() - startedAt).toBeLessThanOrEqual(MINUTE);
});

test('a comparison with a payment that cannot be read reports the service as unavailable if no payment could be read', async () => {
  const { world } = holder;
  for (let n = 0; n < 4; n += 1) await world.due();
  const service = unreadable(world, () => true);
  expect((await run(world, inputOf(), { service })).result).toMatchObject({
    kind: 'service_unavailable',
    reason: 'no payment could be read',
  });
});

test('a comparison is given up after the fifth payment in a row that cannot be read, instead of reporting all five', async () => {
  const { world } = holder;
  const all: Subscribed[] = [];
  for (let n = 0; n < 6; n += 1) all.push(await world.due());
  const inOrder = all.sort((one, other) => (one.subscriptionId < other.subscriptionId ? -1 : 1));
  const allBut = (place: number) => unreadable(world, (id) => id !== inOrder[place]?.paymentId);
  const four = await run(world, inputOf(), { service: allBut(4) });
  expect(four.result).toMatchObject({ kind: 'compared', payments: 6, differences: 5 });
  const five = await run(world, inputOf(), { service: allBut(5) });
  expect(five.result).toMatchObject({ kind: 'service_unavailable', reason: 'HTTP 500' });
});

test('a comparison does not continue with the next payment when its worker stops, and another worker continues', async () => {
  const { world } = holder;
  const more = 20;
  for (let n = 0; n < more; n += 1) await world.due();
  const stopping = new AbortController();
  const service = world.service({
    listAuthorizations(id) {
      stopping.abort(new Error('stopping'));
      return world.deps.service.listAuthorizations(id);
    },
  });
  const input = inputOf();
  const running = reconcileLedger({
    deps: { ...world.deps, service },
    input,
    progress: () => undefined,
    hasTimedOut: () => false,
    onCompared: () => undefined,
    signal: stopping.signal,
  });
  await expect(running).rejects.toThrow('stopping');
  expect(world.requests.filter((each) => each.startsWith('GET /authorizations')).length).toBeLessThan(more);
  expect((await run(world, input)).result).toMatchObject({ kind: 'compared', payments: more });
});

test('leftovers are removed: drafts older than two days with their payers, runs older than ninety days with their findings', async () => {
  const { world } = holder;
  const left = await world.draft();
  const startedAt = world.clock.realNow();
  const passUntil = (real: number) => world.clock.pass(real - world.clock.realNow());
  await compare(world);
  const remove = async () => (await world.driver.drive(() => createActivities(world.deps).removeLeftovers())).result;
  passUntil(startedAt + 2 * DAY);
  expect(await remove()).toEqual({ kind: 'done', words: '0 drafts and 0 old reconciliations removed' });
  world.clock.pass(1);
  expect(await remove()).toEqual({ kind: 'done', words: '1 drafts and 0 old reconciliations removed' });
  const { rows } = await world.deps.ledger.query('select from subscriptions where subscription_id = $1', [left]);
  expect(rows).toEqual([]);
  passUntil(startedAt + 90 * DAY);
  expect(await remove()).toEqual({ kind: 'done', words: '0 drafts and 0 old reconciliations removed' });
  world.clock.pass(1);
  expect(await remove()).toEqual({ kind: 'done', words: '0 drafts and 1 old reconciliations removed' });
});
