import { collected, pendingUntil, rejected } from '../support/workflow-fates';
import { refusalOf } from '../support/workflow-subscription';
import { type Order, WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const HOUR = 3_600_000;
const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };
const at = (iso: string) => Date.parse(iso);
const order = (path: Order['path'], more: Partial<Order> = {}): Order => ({ path, ...JANUARY, ...more });

test('due dates inside a pause are skipped for good; the anchor stays', async () => {
  const subscription = await world.subscribe(order('paused over due dates'));
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  await subscription.pause();
  expect(subscription.bank.row).toMatchObject({ status: 'paused', hold: 'pause', pausedUntil: null });

  await subscription.advanceTo('2027-04-10T00:00:00Z');
  await subscription.resume();
  expect(subscription.bank.row).toMatchObject({ status: 'active', hold: null, pastDue: false });

  await subscription.advanceTo('2027-05-01T00:00:00Z');
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '3/0 2027-04-30 10:00']);
  expect(subscription.bank.cycleRecords).toEqual([
    [1, 'skipped', 'paused'],
    [2, 'skipped', 'paused'],
  ]);
});

test.each([
  ['paused until a due date', '2027-02-28T10:00:00.000Z', ['1/0 2027-02-28 10:00', '2/0 2027-03-31 10:00']],
  ['paused until a millisecond after a due date', '2027-02-28T10:00:00.001Z', ['2/0 2027-03-31 10:00']],
] as const)('%s: resumes by itself, the end is not part of the pause', async (path, until, sent) => {
  const subscription = await world.subscribe(order(path));
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  await subscription.pause(until);
  expect(subscription.bank.row).toMatchObject({ pausedUntil: at(until) });

  await subscription.advanceTo('2027-04-01T00:00:00Z');

  expect(subscription.sent.slice(1)).toEqual(sent);
  expect(subscription.bank.row).toMatchObject({ status: 'active', hold: null, pausedUntil: null });
  expect(subscription.bank.trail).toEqual(expect.arrayContaining(['subscription.paused', 'subscription.resumed']));
});

test('a cycle due before the pause and not yet tried is held, and collected where it is resumed in time', async () => {
  const subscription = await world.subscribe(order('paused after the due date, resumed', { spread: 6 * HOUR }));
  await subscription.advanceTo('2027-01-31T12:00:00Z');
  await subscription.pause();
  await subscription.advanceTo('2027-02-01T20:00:00Z');
  expect(subscription.sent).toEqual([]);

  await subscription.resume();
  await subscription.advanceTo('2027-02-01T21:00:00Z');

  expect(subscription.sent).toEqual(['0/0 2027-02-01 20:00']);
});

test('a cycle due before the pause is skipped where its window closes in the pause', async () => {
  const subscription = await world.subscribe(order('paused after the due date, not resumed', { spread: 6 * HOUR }));
  await subscription.advanceTo('2027-01-31T12:00:00Z');
  await subscription.pause();

  await subscription.advanceTo('2027-02-05T09:58:00Z');
  expect(subscription.bank.cycleRecords).toEqual([]);
  await subscription.advanceTo('2027-02-05T10:01:00Z');

  expect(subscription.bank.cycleRecords).toEqual([[0, 'skipped', 'paused']]);
  expect(subscription.bank.row).toMatchObject({ status: 'paused', pastDue: false });
});

test('in dunning: resumed in time, the retry is made', async () => {
  const subscription = await world.subscribe(order('paused in dunning, resumed'), (bank) =>
    bank.attempt(0, 0, rejected),
  );
  await subscription.advanceTo('2027-02-01T08:00:00Z');
  await subscription.pause();
  await subscription.advanceTo('2027-02-02T00:00:00Z');
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);

  await subscription.resume();
  await subscription.advanceTo('2027-02-02T01:00:00Z');

  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '0/1 2027-02-02 00:00']);
  expect(subscription.bank.row).toMatchObject({ dunning: false, pastDue: false });
});

test('in dunning: not resumed before the last moment for a retry, the cycle fails, and nothing is exhausted', async () => {
  const subscription = await world.subscribe(
    order('paused in dunning, not resumed', { onExhausted: 'cancel' }),
    (bank) => bank.attempt(0, 0, rejected),
  );
  await subscription.advanceTo('2027-02-01T08:00:00Z');
  await subscription.pause();

  await subscription.advanceTo('2027-02-04T00:00:00Z');

  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
  expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'paused']]);
  expect(subscription.bank.row).toMatchObject({ status: 'paused', dunning: false, pastDue: true });
});

test('while an attempt waits to be sent: the hold in the ledger stops it, the resume lets it go', async () => {
  const subscription = await world.subscribe(order('paused while an attempt waits'), (bank) =>
    bank.delayNext('collectPayment', 2 * HOUR),
  );
  await subscription.advanceTo('2027-01-31T11:00:00Z');
  await subscription.pause();
  await subscription.advanceTo('2027-01-31T13:00:00Z');
  expect(subscription.sent).toEqual([]);
  expect(subscription.bank.callsOf('collectPayment')).toHaveLength(2);

  await subscription.resume();
  await subscription.advanceTo('2027-01-31T14:00:00Z');
  expect(subscription.sent).toEqual(['0/0 2027-01-31 13:00']);
});

test('while an attempt is pending: it is collected, and the ledger shows the due date after the pause', async () => {
  const subscription = await world.subscribe(order('paused while an attempt is pending'), (bank) =>
    bank.attempt(0, 0, pendingUntil(at('2027-02-02T00:00:00Z'), collected)),
  );
  await subscription.advanceTo('2027-02-01T00:00:00Z');
  await subscription.pause('2027-03-10T00:00:00Z');

  await subscription.advanceTo('2027-02-03T00:00:00Z');

  expect(subscription.bank.row).toMatchObject({ status: 'paused', nextDueAt: at('2027-03-31T10:00:00Z') });
  expect(subscription.bank.callsOf('collectPayment').length).toBeGreaterThan(1);
});

test('a hold in the ledger that the workflow has not heard of is taken over from there, without a pause between', async () => {
  const subscription = await world.subscribe(order('held by the ledger alone'));
  const pauses = [{ since: at('2027-01-31T09:00:00Z'), until: null }];
  await subscription.advanceTo('2027-01-31T09:00:00Z');
  await subscription.steerBeside({ status: 'paused', hold: 'pause', pauses }, false);

  await subscription.advanceTo('2027-01-31T12:00:00Z');
  expect(subscription.sent).toEqual([]);
  expect(subscription.bank.callsOf('collectPayment')).toHaveLength(1);
  // Once as the attempt was held, and once more before the cycle is skipped.
  expect(subscription.bank.callsOf('readLedger')).toHaveLength(2);
  expect(await subscription.state()).toMatchObject({ status: 'paused', pauses, revision: 1 });
  expect(subscription.bank.cycleRecords).toEqual([[0, 'skipped', 'paused']]);
});

test('a workflow that is told of a pause in the ledger knows it before the due date', async () => {
  const subscription = await world.subscribe(order('told of a pause in the ledger'));
  const pauses = [{ since: at('2027-01-20T00:00:00Z'), until: null }];
  await subscription.advanceTo('2027-01-20T00:00:00Z');
  await subscription.steerBeside({ status: 'paused', hold: 'pause', pauses });
  await subscription.until('the workflow has heard of it', (bank) => bank.callsOf('readLedger').length === 1);
  await subscription.advanceTo('2027-02-02T00:00:00Z');
  expect(subscription.bank.callsOf('collectPayment')).toEqual([]);
  expect(subscription.bank.cycleRecords).toEqual([[0, 'skipped', 'paused']]);

  await subscription.resume();
  await subscription.advanceTo('2027-03-01T00:00:00Z');
  expect(subscription.sent).toEqual(['1/0 2027-02-28 10:00']);
});

test('a resume by a caller that knows of a pause which the workflow has not read is judged once it has', async () => {
  const subscription = await world.subscribe(order('resumed before the pause was heard of'));
  const pauses = [{ since: at('2027-01-20T00:00:00Z'), until: null }];
  await subscription.advanceTo('2027-01-20T00:00:00Z');
  await subscription.steerBeside({ status: 'paused', hold: 'pause', pauses }, false);

  await subscription.resumeKnowing(1);

  expect(subscription.bank.row).toMatchObject({ status: 'active', hold: null });
  expect(await subscription.state()).toMatchObject({ status: 'active', revision: 2 });
});

test('a resume is kept where the attempt that the pause held comes back while the resume hears of the pause', async () => {
  const subscription = await world.subscribe(order('resumed while a held attempt comes back'), (bank) =>
    bank.delayNext('collectPayment', 0.5 * HOUR),
  );
  const pauses = [{ since: at('2027-01-31T10:10:00Z'), until: null }];
  await subscription.advanceTo('2027-01-31T10:10:00Z');
  await subscription.steerBeside({ status: 'paused', hold: 'pause', pauses }, false);
  subscription.bank.delayNext('readLedger', HOUR);

  const resumed = subscription.resumeKnowing(1);
  await subscription.until('the ledger is asked', (bank) => !bank.isDelayed('readLedger'));
  await subscription.advanceTo('2027-01-31T14:00:00Z');
  await resumed;

  expect(await subscription.state()).toMatchObject({ status: 'active', revision: 2 });
  expect(subscription.bank.row).toMatchObject({ status: 'active', hold: null });
  expect(subscription.sent).toHaveLength(1);
});

test('a request that was judged by an older row than the ledger has is judged anew by that', async () => {
  const subscription = await world.subscribe(order('resumed while somebody cancels'));
  await subscription.advanceTo('2027-01-20T00:00:00Z');
  await subscription.pause();
  const cancellation = { at: at('2027-01-20T00:00:00Z'), actor: 'ops', reason: null };
  await subscription.steerBeside({ hold: 'cancel', cancellation }, false);

  expect(await refusalOf(subscription.resume())).toMatchObject({
    type: 'state_conflict',
    message: 'the subscription is being cancelled',
  });
  await subscription.ended();
  expect(subscription.bank.row).toMatchObject({ status: 'cancelled', hold: 'cancel' });
});

test('resumed 30 s before a due date while the ledger takes a minute, the cycle is collected', async () => {
  const subscription = await world.subscribe(order('resumed while the ledger is slow'));
  await subscription.advanceTo('2027-01-20T00:00:00Z');
  await subscription.pause();
  await subscription.advanceTo('2027-01-31T09:59:30Z');
  subscription.bank.delayNext('record', 60_000);

  const resumed = subscription.resume();
  await subscription.until('the ledger is asked', (bank) => !bank.isDelayed('record'));
  await subscription.advanceTo('2027-01-31T10:05:00Z');
  await resumed;

  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
  expect(subscription.bank.cycleRecords).toEqual([]);
});

describe('refuses, as an update that failed with a type and a message for people', () => {
  test('a pause until now or before, a second pause, and a resume of what is active', async () => {
    const subscription = await world.subscribe(order('pause refused'));
    await subscription.advanceTo('2027-01-16T00:00:00Z');

    expect(await refusalOf(subscription.pause('2027-01-15T23:00:00Z'))).toMatchObject({
      type: 'invalid_request',
      message: expect.stringMatching(/^until must be in the future; got 2027-01-15T23:00:00.000Z/),
    });
    expect(await refusalOf(subscription.resume())).toMatchObject({
      type: 'state_conflict',
      message: 'only a paused subscription can be resumed; it is active',
    });
    await subscription.pause();
    expect(await refusalOf(subscription.pause())).toMatchObject({
      type: 'state_conflict',
      message: 'only an active subscription can be paused; it is paused',
    });
    expect(subscription.bank.trail).toEqual(['consent.granted', 'subscription.paused']);
  });

  test('a pause before the payer’s consent, and an acknowledgement of nothing', async () => {
    const subscription = await world.subscribe(order('pause refused before the consent'), (bank) =>
      bank.consentAnsweredAt(Infinity, { kind: 'granted' }),
    );

    expect(await refusalOf(subscription.pause())).toMatchObject({ type: 'state_conflict' });
    expect(await refusalOf(subscription.acknowledge())).toMatchObject({ type: 'state_conflict' });
    expect(subscription.bank.changes).toEqual([]);
  });

  test('the second of two pauses that arrive together', async () => {
    const subscription = await world.subscribe(order('two pauses together'));
    await subscription.advanceTo('2027-01-16T00:00:00Z');

    const answers = await Promise.allSettled([subscription.pause(), subscription.pause()]);

    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(subscription.bank.trail).toEqual(['consent.granted', 'subscription.paused']);
  });
});
