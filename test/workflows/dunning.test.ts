import type { CycleFacts, NoticeFacts } from '../../src/domain/subscription/state-from-ledger';
import { LONGEST_REQUEST_TIMEOUT } from '../../src/domain/send';
import { SECOND } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { LedgerRow } from '../support/workflow-bank';
import {
  captureFailed,
  collected,
  consentEnded,
  deliveredAt,
  rejected,
  rejectedFinally,
  undeliverable,
} from '../support/workflow-fates';
import { minuteOf, type RunningSubscription } from '../support/workflow-subscription';
import { type Order, WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };
const at = (iso: string) => Date.parse(iso);
const order = (path: Order['path'], more: Partial<Order> = {}): Order => ({ path, ...JANUARY, ...more });
const GOOD: Partial<LedgerRow> = { status: 'active', attention: [], dunning: false, pastDue: false };

function callTimes({ bank }: RunningSubscription, name: 'notifyPayer' | 'collectPayment'): string[] {
  return bank.callsOf(name).map((call) => minuteOf(call.at));
}

/*
 * due 31 Jan 10:00    +24 h              +48 h              +71 h       window closes 5 Feb 10:00
 *  |------------------|------------------|------------------|----------------|
 *  first attempt      retry 1            retry 2            retry 3
 */
describe('a bank that refuses for want of money', () => {
  test('the payer is told at once, and the first retry collects a day later', async () => {
    const subscription = await world.subscribe(order('first retry collects'), (bank) => bank.attempt(0, 0, rejected));

    await subscription.advanceTo('2027-02-01T09:59:00Z');
    expect(callTimes(subscription, 'notifyPayer')).toEqual(['2027-01-31 10:00']);
    expect(subscription.bank.row).toMatchObject({ dunning: true, nextDueAt: at('2027-02-28T10:00:00Z') });

    await subscription.advanceTo('2027-02-01T10:01:00Z');
    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '0/1 2027-02-01 10:00']);
    expect(subscription.bank.row).toMatchObject(GOOD);
    expect(subscription.bank.trail).toEqual(['consent.granted']);
  });

  test('each attempt outlasts its requests, however long each of them may take', async () => {
    const subscription = await world.subscribe(order('first retry collects'), (bank) => bank.attempt(0, 0, rejected));
    await subscription.advanceTo('2027-02-02T00:00:00Z');
    const history = (await world.runsOf(subscription)).flatMap(({ events }) => events ?? []);
    const scheduled = history.flatMap(({ activityTaskScheduledEventAttributes: each }) => each ?? []);
    const attempts = scheduled.filter(({ activityType }) => activityType?.name === 'collectPayment');
    expect(attempts).toHaveLength(2);
    // Token, consent, list, captures, POST, and then list and captures again.
    const least = (7 * LONGEST_REQUEST_TIMEOUT) / SECOND;
    for (const { startToCloseTimeout } of attempts) expect(Number(startToCloseTimeout?.seconds)).toBeGreaterThan(least);
  });

  test('each retry follows its own notice, at its planned time, and the third collects', async () => {
    const subscription = await world.subscribe(order('third retry collects'), (bank) => {
      [0, 1, 2].forEach((attempt) => bank.attempt(0, attempt, rejected));
    });

    await subscription.advanceTo('2027-02-04T00:00:00Z');

    const notices = subscription.bank.callsOf('notifyPayer').map(({ input }) => input);
    expect(notices).toEqual([
      expect.objectContaining({ retriesLeft: 3, rejection: expect.objectContaining({ attempt: 0 }) }),
      expect.objectContaining({ retriesLeft: 2, rejection: expect.objectContaining({ attempt: 1 }) }),
      expect.objectContaining({ retriesLeft: 1, rejection: expect.objectContaining({ attempt: 2 }) }),
    ]);
    expect(callTimes(subscription, 'notifyPayer')).toEqual([
      '2027-01-31 10:00',
      '2027-02-01 10:00',
      '2027-02-02 10:00',
    ]);
    expect(subscription.sent.slice(1)).toEqual([
      '0/1 2027-02-01 10:00',
      '0/2 2027-02-02 10:00',
      '0/3 2027-02-03 09:00',
    ]);
    expect(subscription.bank.row).toMatchObject(GOOD);
  });

  const refuseCycleZero = (bank: RunningSubscription['bank']) => {
    [0, 1, 2, 3].forEach((attempt) => bank.attempt(0, attempt, rejected));
  };

  test('exhausted, to continue: failed, past due until the next cycle is collected', async () => {
    const subscription = await world.subscribe(order('exhausted, continue'), refuseCycleZero);

    await subscription.advanceTo('2027-02-28T09:00:00Z');
    expect(subscription.sent).toHaveLength(4);
    expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'retries_used']]);
    expect(subscription.bank.noticesOrdered).toEqual(['cycle.failed', 'payment.failed']);
    expect(subscription.bank.row).toMatchObject({ ...GOOD, pastDue: true });

    await subscription.advanceTo('2027-03-01T00:00:00Z');
    expect(subscription.sent.at(-1)).toBe('1/0 2027-02-28 10:00');
    expect(subscription.bank.row).toMatchObject(GOOD);
  });

  test('exhausted, to pause: later due dates are skipped until a person resumes', async () => {
    const subscription = await world.subscribe(order('exhausted, pause', { onExhausted: 'pause' }), refuseCycleZero);

    await subscription.advanceTo('2027-03-15T00:00:00Z');
    expect(subscription.bank.row).toMatchObject({ status: 'paused', hold: 'pause', pausedUntil: null });
    expect(subscription.bank.cycleRecords).toEqual([
      [0, 'failed', 'retries_used'],
      [1, 'skipped', 'paused'],
    ]);

    await subscription.resume();
    await subscription.advanceTo('2027-04-01T00:00:00Z');
    expect(subscription.sent.at(-1)).toBe('2/0 2027-03-31 10:00');
  });

  test('exhausted, to cancel: the consent is ended and the workflow too', async () => {
    const subscription = await world.subscribe(order('exhausted, cancel', { onExhausted: 'cancel' }), refuseCycleZero);

    await subscription.advanceTo('2027-02-04T00:00:00Z');
    await subscription.ended();

    expect(subscription.bank.callsOf('cancelConsent')).toHaveLength(1);
    expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant' });
    expect(subscription.bank.trail).toEqual([
      'consent.granted',
      'cycle.failed',
      'subscription.cancel_requested',
      'subscription.cancelled',
    ]);
  });

  test('exhausted, to pause, while a person pauses: paused once, and the workflow goes on', async () => {
    const subscription = await world.subscribe(
      order('exhausted while a person pauses', { onExhausted: 'pause' }),
      (bank) => {
        bank.attempt(0, 0, captureFailed);
        [0, 1, 2, 3].forEach((attempt) => bank.attempt(1, attempt, rejected));
      },
    );
    await subscription.advanceTo('2027-03-03T08:00:00Z');
    subscription.bank.delayNext('record', 3_600_000);
    await subscription.advanceTo('2027-03-03T09:30:00Z');
    expect(subscription.bank.row).toMatchObject({ dunning: true });
    // While the cycle's end is being recorded: the acknowledgement takes its turn, the pause stands behind it.
    const asked = [subscription.acknowledge(), subscription.pause()];
    await subscription.advanceTo('2027-03-15T00:00:00Z');
    await Promise.all(asked);

    expect(await subscription.workflowStatus()).toBe('RUNNING');
    expect(subscription.bank.trail.filter((type) => type === 'subscription.paused')).toHaveLength(1);
    expect(subscription.bank.row).toMatchObject({ status: 'paused' });
  });
});

describe('an end without a retry', () => {
  test('a final refusal fails the cycle; what was agreed for exhausted retries does not apply', async () => {
    const subscription = await world.subscribe(order('final rejection', { onExhausted: 'cancel' }), (bank) =>
      bank.attempt(0, 0, rejectedFinally),
    );

    await subscription.advanceTo('2027-03-01T00:00:00Z');

    expect(subscription.bank.callsOf('notifyPayer')).toEqual([]);
    expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'rejected']]);
    expect(subscription.bank.noticesOrdered).toEqual(['cycle.failed', 'payment.failed']);
    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
  });

  test('a failed capture needs a person and is never authorized again', async () => {
    const subscription = await world.subscribe(order('capture failed', { onExhausted: 'cancel' }), (bank) =>
      bank.attempt(0, 0, captureFailed),
    );

    await subscription.advanceTo('2027-02-27T00:00:00Z');
    expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'capture_failed']]);
    const entries = subscription.bank.changes.flatMap(({ events }) => events);
    expect(entries.find(({ type }) => type === 'cycle.failed')?.data).toMatchObject({
      attempt: 0,
      detail: 'CAPTURE_FAILED',
      authorizationId: 'authorization-0-0',
      captureId: 'capture-0-0',
    });
    expect(subscription.bank.row).toMatchObject({ status: 'active', attention: ['capture_failed:0'], pastDue: true });

    await subscription.advanceTo('2027-03-01T00:00:00Z');
    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
    expect(subscription.bank.row?.attention).toEqual(['capture_failed:0']);

    await subscription.acknowledge();
    expect(subscription.bank.row?.attention).toEqual([]);
  });

  test('no notice, no retry: undeliverable fails the cycle and needs a person', async () => {
    const subscription = await world.subscribe(order('notice undeliverable', { onExhausted: 'cancel' }), (bank) => {
      bank.attempt(0, 0, rejected);
      bank.notice(0, 0, undeliverable);
    });

    await subscription.advanceTo('2027-02-10T00:00:00Z');

    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
    expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'notice_undeliverable']]);
    expect(subscription.bank.row).toMatchObject({ status: 'active', attention: ['notice_undeliverable:0'] });
  });

  test('a retry that finds its time passed is not made; an outage of ours exhausts nothing', async () => {
    const subscription = await world.subscribe(order('retry out of time', { onExhausted: 'cancel' }), (bank) =>
      bank.attempt(0, 0, rejected),
    );
    await subscription.advanceTo('2027-02-01T09:00:00Z');
    subscription.bank.delayNext('collectPayment', 60 * 3_600_000);

    await subscription.advanceTo('2027-02-10T00:00:00Z');

    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
    expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'out_of_time']]);
    expect(subscription.bank.row?.status).toBe('active');
  });
});

test('a notice delivered late moves its retry to a minute after', async () => {
  const subscription = await world.subscribe(order('notice delivered late'), (bank) => {
    bank.attempt(0, 0, rejected);
    bank.notice(0, 0, deliveredAt(at('2027-02-01T16:00:00Z')));
  });

  await subscription.advanceTo('2027-02-02T00:00:00Z');

  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '0/1 2027-02-01 16:01']);
});

test('a person who tells the payer sets the retry going, a minute after the word', async () => {
  let toldAt: number | null = null;
  const subscription = await world.subscribe(order('notice told by a person'), (bank) => {
    bank.attempt(0, 0, rejected);
    bank.notice(0, 0, ({ input, comeBackAt }) =>
      toldAt === null ? comeBackAt(input.retryUntil) : { kind: 'delivered', at: toldAt },
    );
  });
  await subscription.advanceTo('2027-02-01T12:00:00Z');
  // News of another notice changes nothing.
  await subscription.noticeChanged();
  await subscription.until('it is looked at again', (bank) => bank.callsOf('notifyPayer').length === 2);
  await subscription.advanceTo('2027-02-01T16:00:00Z');
  toldAt = at('2027-02-01T16:00:00Z');
  await subscription.noticeChanged();

  await subscription.advanceTo('2027-02-02T00:00:00Z');

  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '0/1 2027-02-01 16:01']);
  expect(callTimes(subscription, 'notifyPayer')).toHaveLength(3);
  expect(subscription.bank.row).toMatchObject(GOOD);
});

describe('a payer who ends the consent', () => {
  test('before the first attempt: nothing is sent, the cycle is skipped, the payer told once', async () => {
    const subscription = await world.subscribe(order('consent ended before an attempt'), (bank) =>
      bank.consentEndsAt(at('2027-02-10T00:00:00Z')),
    );

    await subscription.advanceTo('2027-03-01T00:00:00Z');
    await subscription.ended();

    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
    expect(subscription.bank.cycleRecords).toEqual([[1, 'skipped', 'consent_ended']]);
    expect(subscription.bank.noticesOrdered).toEqual(['subscription.cancelled']);
    expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'payer' });
  });

  test('found by a check while a due date waits for its spread: the cycle is skipped', async () => {
    const subscription = await world.subscribe(order('consent ended as a due date waits', { spread: 6 * 3_600_000 }));
    await subscription.advanceTo('2027-02-28T12:00:00Z');
    subscription.bank.consentEndsAt(0);

    await subscription.checkConsent();
    await subscription.ended();

    expect(subscription.sent).toEqual(['0/0 2027-01-31 16:00']);
    expect(subscription.bank.cycleRecords).toEqual([[1, 'skipped', 'consent_ended']]);
    expect(subscription.bank.noticesOrdered).toEqual(['subscription.cancelled']);
    expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'payer' });
  });

  test('between failure and retry: the cycle fails', async () => {
    const subscription = await world.subscribe(order('consent ended in dunning'), (bank) => {
      bank.attempt(0, 0, rejected);
      bank.consentEndsAt(at('2027-02-01T00:00:00Z'));
    });

    await subscription.advanceTo('2027-03-01T00:00:00Z');
    await subscription.ended();

    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
    expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'consent_ended']]);
    expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'payer', dunning: false });
  });

  test('seen twice, by a person’s check and by the attempt under way: recorded and told once', async () => {
    const subscription = await world.subscribe(order('consent end seen twice'), (bank) =>
      bank.attempt(0, 0, consentEnded),
    );
    subscription.bank.duringCollect = async () => {
      subscription.bank.consentEndsAt(0);
      await subscription.checkConsent();
      subscription.bank.consentEndsAt(Infinity);
    };

    await subscription.advanceTo('2027-02-01T00:00:00Z');
    await subscription.ended();

    expect(subscription.bank.trail.filter((type) => type === 'subscription.cancelled')).toHaveLength(1);
    expect(subscription.bank.noticesOrdered).toEqual(['subscription.cancelled']);
  });
});

describe('a retry that the ledger refuses, as it has no delivered notice of the failure before it (rule 13)', () => {
  const refusedByLedger = () => ({ kind: 'held', why: 'no_notice' }) as const;

  /** Cycle 0 in the ledger: rejected once, and this notice. */
  const dunning = (notice: NoticeFacts['notice']): CycleFacts => ({
    cycle: 0,
    collectBy: at('2027-02-05T10:00:00Z'),
    amount: euros(1999),
    status: 'dunning',
    retryNow: false,
    attempts: [
      {
        attempt: 0,
        state: 'rejected_retryable',
        reopened: false,
        at: at(JANUARY.firstPaymentAt),
        authorizationId: null,
        captureId: null,
        detail: 'AUTHORIZATION_REJECTION_RETRYABLE',
        description: 'insufficient funds',
      },
    ],
    notices: [{ attempt: 0, notice }],
  });

  test('has the payer notified again, and follows then', async () => {
    const subscription = await world.subscribe(order('notice known to the workflow alone'), (bank) => {
      bank.attempt(0, 0, rejected);
      bank.attempt(0, 1, refusedByLedger, collected);
      bank.begun.push(dunning({ kind: 'due' }));
    });

    await subscription.advanceTo('2027-02-02T00:00:00Z');

    expect(callTimes(subscription, 'notifyPayer')).toEqual(['2027-01-31 10:00', '2027-02-01 10:00']);
    expect(callTimes(subscription, 'collectPayment').slice(1)).toEqual(['2027-02-01 10:00', '2027-02-01 10:01']);
    expect(subscription.bank.row).toMatchObject(GOOD);
  });

  test('is tried at most once a minute', async () => {
    const subscription = await world.subscribe(order('notice that the ledger never finds'), (bank) => {
      bank.attempt(0, 0, rejected);
      bank.attempt(0, 1, refusedByLedger);
      bank.begun.push(dunning({ kind: 'delivered', at: at(JANUARY.firstPaymentAt) }));
    });

    await subscription.advanceTo('2027-02-01T10:10:00Z');

    expect(callTimes(subscription, 'collectPayment').slice(1)).toHaveLength(10);
  });
});
