import {
  absent,
  captureFailed,
  collected,
  consentEnded,
  pendingUntil,
  rejected,
  rejectedFinally,
  unknownUntil,
  unresolvedUntil,
} from '../support/workflow-fates';
import type { RunningSubscription } from '../support/workflow-subscription';
import { type Order, WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };
const at = (iso: string) => Date.parse(iso);
const order = (path: Order['path'], more: Partial<Order> = {}): Order => ({ path, ...JANUARY, ...more });

/** What the trail, and the event for the merchant with it, says of the cycle that has failed. */
function failureOf({ bank }: RunningSubscription): unknown {
  return bank.changes.flatMap(({ events }) => events).find(({ type }) => type === 'cycle.failed')?.data;
}

describe('an authorization that is pending past its window', () => {
  test('is asked about beside the later cycles, over a continuation of the workflow, until it is collected', async () => {
    const subscription = await world.subscribe(
      order('pending past the window, collected', { repetition: 'WEEKLY', firstPaymentAt: '2027-02-01T10:00:00Z' }),
      (bank) => bank.attempt(2, 0, pendingUntil(at('2027-05-26T00:00:00Z'), collected)),
    );

    await subscription.advanceTo('2027-05-25T00:00:00Z');
    expect(await world.runsOf(subscription)).toHaveLength(2);
    expect(subscription.sent).toHaveLength(17);
    expect(subscription.bank.row).toMatchObject({ status: 'active', attention: ['pending_past_window:2'] });
    expect(await subscription.state()).toMatchObject({ cycle: 17, pending: [{ cycle: 2 }] });

    await subscription.advanceTo('2027-05-27T00:00:00Z');
    expect(subscription.bank.row).toMatchObject({ attention: [], pastDue: false });
    expect(subscription.bank.trail).toEqual(['consent.granted', 'attempt.pending_past_window', 'cycle.collected_late']);
    expect(subscription.sent).toHaveLength(17);
  });

  test.each([
    ['pending past the window, rejected', rejectedFinally, 'rejected', { detail: 'AUTHORIZATION_REJECTION' }, []],
    [
      'pending past the window, capture failed',
      captureFailed,
      'capture_failed',
      { detail: 'CAPTURE_FAILED', authorizationId: 'authorization-0-0', captureId: 'capture-0-0' },
      ['capture_failed:0'],
    ],
  ] as const)('fails late: %s', async (path, fate, reason, said, attention) => {
    const subscription = await world.subscribe(order(path), (bank) =>
      bank.attempt(0, 0, pendingUntil(at('2027-02-10T00:00:00Z'), fate)),
    );

    await subscription.advanceTo('2027-02-11T00:00:00Z');

    expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', reason]]);
    expect(failureOf(subscription)).toMatchObject({ cycle: 0, attempt: 0, reason, ...said });
    expect(subscription.bank.row).toMatchObject({ status: 'active', attention, pastDue: true });
  });

  test('refused as the consent has ended: its cycle fails, and the subscription ends with it', async () => {
    const subscription = await world.subscribe(order('pending past the window, consent ended'), (bank) =>
      bank.attempt(0, 0, pendingUntil(at('2027-02-10T00:00:00Z'), consentEnded)),
    );

    await subscription.advanceTo('2027-02-11T00:00:00Z');
    await subscription.ended();

    expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'rejected']]);
    expect(failureOf(subscription)).toMatchObject({ cycle: 0, attempt: 0, detail: null });
    expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'payer' });
    expect(subscription.bank.trail).toContain('subscription.cancelled');
  });

  test('refused so while the next due date waits for its spread: that one is skipped', async () => {
    const path = 'pending past the window, consent ended as another is due';
    const subscription = await world.subscribe(order(path, { spread: 6 * 3_600_000 }), (bank) =>
      bank.attempt(0, 0, pendingUntil(at('2027-02-28T12:00:00Z'), consentEnded)),
    );

    await subscription.advanceTo('2027-02-28T13:00:00Z');
    await subscription.ended();

    expect(subscription.sent).toEqual(['0/0 2027-01-31 16:00']);
    expect(subscription.bank.cycleRecords).toEqual([
      [0, 'failed', 'rejected'],
      [1, 'skipped', 'consent_ended'],
    ]);
  });

  test('in doubt once its records are lost: no failure, and followed until the service tells', async () => {
    const fate = unresolvedUntil(at('2027-02-20T00:00:00Z'), collected);
    const subscription = await world.subscribe(order('pending past the window, unresolved'), (bank) =>
      bank.attempt(0, 0, pendingUntil(at('2027-02-10T00:00:00Z'), fate)),
    );

    await subscription.advanceTo('2027-02-19T00:00:00Z');
    expect(subscription.bank.cycleRecords).toEqual([]);
    expect(await subscription.state()).toMatchObject({ pending: [{ cycle: 0 }] });

    await subscription.advanceTo('2027-02-21T00:00:00Z');
    expect(subscription.bank.trail).toContain('cycle.collected_late');
    expect(await subscription.state()).toMatchObject({ pending: [] });
  });

  test('holds back the completion until it is settled', async () => {
    const subscription = await world.subscribe(
      order('pending past the end', { endAt: '2027-02-05T00:00:00Z' }),
      (bank) => bank.attempt(0, 0, pendingUntil(at('2027-03-10T00:00:00Z'), collected)),
    );

    await subscription.advanceTo('2027-03-09T00:00:00Z');
    expect(subscription.bank.row?.status).toBe('active');

    await subscription.advanceTo('2027-03-11T00:00:00Z');
    await subscription.ended();
    expect(subscription.bank.row).toMatchObject({ status: 'completed', attention: [] });
  });

  test('within the window is only waited for', async () => {
    const subscription = await world.subscribe(order('pending within the window'), (bank) =>
      bank.attempt(0, 0, pendingUntil(at('2027-02-03T00:00:00Z'), collected)),
    );

    await subscription.advanceTo('2027-02-04T00:00:00Z');

    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
    expect(subscription.bank.trail).toEqual(['consent.granted']);
    expect(subscription.bank.row).toMatchObject({ attention: [], nextDueAt: at('2027-02-28T10:00:00Z') });
  });
});

describe('an attempt whose outcome is not known past its window', () => {
  test('blocks the later cycles; found, its cycle is collected and the next follows in its window', async () => {
    const subscription = await world.subscribe(order('unknown past the window, collected'), (bank) =>
      bank.attempt(0, 0, unknownUntil(at('2027-03-02T00:00:00Z'), collected)),
    );

    await subscription.advanceTo('2027-03-01T23:00:00Z');
    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
    expect(subscription.bank.trail).toEqual(['consent.granted', 'attempt.unknown_past_window']);

    await subscription.advanceTo('2027-03-03T00:00:00Z');
    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-03-02 00:00']);
    expect(subscription.bank.cycleRecords).toEqual([]);
    expect(subscription.bank.row).toMatchObject({ attention: [], pastDue: false });
  });

  test('refused as the consent has ended: the next, whose window has closed meanwhile, is missed', async () => {
    const subscription = await world.subscribe(order('unknown past the window, consent ended'), (bank) =>
      bank.attempt(0, 0, unknownUntil(at('2027-03-10T00:00:00Z'), consentEnded)),
    );

    await subscription.advanceTo('2027-03-11T00:00:00Z');
    await subscription.ended();

    expect(subscription.bank.cycleRecords).toEqual([
      [0, 'skipped', 'consent_ended'],
      [1, 'missed', 'window_closed'],
    ]);
    expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'payer' });
  });

  test('settled as absent: the cycle is missed, and so is the next whose window has closed meanwhile', async () => {
    const subscription = await world.subscribe(order('unknown past the window, absent'), (bank) =>
      bank.attempt(0, 0, unknownUntil(at('2027-03-10T00:00:00Z'), absent)),
    );

    await subscription.advanceTo('2027-04-01T00:00:00Z');

    expect(subscription.bank.cycleRecords).toEqual([
      [0, 'missed', 'window_closed'],
      [1, 'missed', 'window_closed'],
    ]);
    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '2/0 2027-03-31 10:00']);
  });

  test('of a retry, settled as absent: the cycle fails, out of time', async () => {
    const subscription = await world.subscribe(
      order('unknown retry past the window, absent', { onExhausted: 'cancel' }),
      (bank) => {
        bank.attempt(0, 0, rejected);
        bank.attempt(0, 1, unknownUntil(at('2027-02-20T00:00:00Z'), absent));
      },
    );

    await subscription.advanceTo('2027-02-21T00:00:00Z');

    expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'out_of_time']]);
    expect(subscription.bank.row).toMatchObject({ status: 'active', dunning: false, pastDue: true });
  });

  test('that cannot be settled needs a person, and is settled in the end', async () => {
    const subscription = await world.subscribe(order('unknown, unresolved, collected'), (bank) =>
      bank.attempt(
        0,
        0,
        unknownUntil(at('2027-02-06T00:00:00Z'), unresolvedUntil(at('2027-03-20T00:00:00Z'), collected)),
      ),
    );

    await subscription.advanceTo('2027-03-19T00:00:00Z');
    expect(subscription.bank.row).toMatchObject({ attention: ['unresolved:0'] });
    expect(subscription.bank.cycleRecords).toEqual([[0, 'unresolved', 'outcome_not_known']]);
    expect(subscription.bank.noticesOrdered).toEqual(['cycle.unresolved']);
    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);

    await subscription.advanceTo('2027-04-01T00:00:00Z');
    expect(subscription.bank.row).toMatchObject({ attention: [], pastDue: false });
    expect(subscription.bank.cycleRecords.slice(1)).toEqual([[1, 'missed', 'window_closed']]);
    expect(subscription.sent.slice(1)).toEqual(['2/0 2027-03-31 10:00']);
  });
});

test('an authorization that fits nothing stops the cycle; gone in time, the attempt is made', async () => {
  const subscription = await world.subscribe(order('unresolved in the window, absent'), (bank) =>
    bank.attempt(
      0,
      0,
      unresolvedUntil(Infinity, absent),
      unresolvedUntil(at('2027-02-01T00:00:00Z'), absent),
      collected,
    ),
  );

  await subscription.advanceTo('2027-02-02T00:00:00Z');

  expect(subscription.bank.trail).toEqual(['consent.granted', 'cycle.unresolved', 'attempt.settled_absent']);
  expect(subscription.bank.cycleRecords.map(([, status]) => status)).toEqual(['unresolved', 'collecting']);
  expect(subscription.bank.row).toMatchObject({ attention: [], nextDueAt: at('2027-02-28T10:00:00Z') });
});
