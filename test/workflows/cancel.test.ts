import { WorkflowNotFoundError } from '@temporalio/client';
import { MINUTE } from '../../src/domain/time';
import {
  absent,
  collected,
  deliveredAt,
  pendingUntil,
  rejected,
  unknownUntil,
  unresolvedUntil,
} from '../support/workflow-fates';
import { BY_A_PERSON, refusalOf } from '../support/workflow-subscription';
import { type Order, WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };
const at = (iso: string) => Date.parse(iso);
const order = (path: Order['path'], more: Partial<Order> = {}): Order => ({ path, ...JANUARY, ...more });
const CANCELLED = { status: 'cancelled', cancelledBy: 'merchant', hold: 'cancel', nextDueAt: null };

test('in a wait: the consent is ended at the service, then the workflow ends', async () => {
  const subscription = await world.subscribe(order('cancelled in a wait'));
  await subscription.advanceTo('2027-02-10T00:00:00Z');

  await subscription.cancel();
  await subscription.ended();

  expect(subscription.bank.callsOf('cancelConsent')).toHaveLength(1);
  expect(subscription.bank.row).toMatchObject(CANCELLED);
  expect(subscription.bank.trail.slice(1)).toEqual(['subscription.cancel_requested', 'subscription.cancelled']);
  expect(subscription.bank.noticesOrdered).toEqual(['subscription.cancelled']);
  const { actor, keyId } = BY_A_PERSON;
  expect(subscription.bank.changes.slice(1)).toMatchObject([
    { actor, keyId },
    { actor, keyId },
  ]);
  await expect(subscription.cancel()).rejects.toThrow(WorkflowNotFoundError);
});

test('in the ledger: told of it, the workflow ends the consent and then itself', async () => {
  const subscription = await world.subscribe(order('cancelled in the ledger'));
  await subscription.advanceTo('2027-02-10T00:00:00Z');

  const cancellation = { ...BY_A_PERSON, at: at('2027-02-10T00:00:00Z') };
  await subscription.steerBeside({ hold: 'cancel', cancellation });
  await subscription.ended();

  expect(subscription.bank.callsOf('cancelConsent')).toHaveLength(1);
  expect(subscription.bank.row).toMatchObject(CANCELLED);
  expect(subscription.bank.trail.slice(1)).toEqual(['subscription.cancelled']);
  expect(subscription.bank.changes.at(-1)).toMatchObject({ actor: 'ops', keyId: BY_A_PERSON.keyId });
});

/**
 *   10:00 due ─────────── 10:30 held, asks the ledger ──────── 10:50 as it was
 *         10:10 ◼ in the ledger ─ 10:40 heard ─ 10:45 ended
 */
test('what the ledger had before the end was written takes nothing back: the workflow ends', async () => {
  const subscription = await world.subscribe(order('cancelled while a held attempt comes back'), (bank) => {
    bank.delayNext('collectPayment', 30 * MINUTE);
    bank.cancelIsConfirmedAt(at('2027-01-31T10:45:00Z'));
  });
  await subscription.advanceTo('2027-01-31T10:10:00Z');
  subscription.bank.delayNext('readLedger', 30 * MINUTE, 0, 10 * MINUTE);
  const cancellation = { at: at('2027-01-31T10:10:00Z'), actor: 'ops', reason: null };
  await subscription.steerBeside({ hold: 'cancel', cancellation });
  await subscription.advanceTo('2027-01-31T12:00:00Z');

  await subscription.ended();
  expect(subscription.bank.callsOf('readLedger').length).toBeGreaterThanOrEqual(4);
  expect(subscription.bank.callsOf('cancelConsent')).toHaveLength(2);
  expect(subscription.bank.row).toMatchObject(CANCELLED);
  expect(subscription.sent).toEqual([]);
});

test('before the payer has answered: nothing can be approved any more', async () => {
  const subscription = await world.subscribe(order('cancelled before the consent'), (bank) => {
    bank.consentAnsweredAt(Infinity, { kind: 'granted' });
    bank.endsConsentOnceAskedFor();
  });

  await subscription.cancel();
  await subscription.ended();

  expect(subscription.bank.row).toMatchObject(CANCELLED);
  expect(subscription.bank.trail).toEqual(['subscription.cancel_requested', 'subscription.cancelled']);
});

test('before the payer has answered, who grants meanwhile: cancelled all the same, nothing is collected', async () => {
  const subscription = await world.subscribe(
    {
      path: 'cancelled while the consent is granted',
      now: '2027-01-15T08:00:00Z',
      firstPaymentAt: '2027-01-15T08:04:00Z',
    },
    (bank) => {
      bank.consentAnsweredAt(at('2027-01-15T08:05:00Z'), { kind: 'granted' });
      bank.cancelIsConfirmedAt(at('2027-01-15T08:07:00Z'));
    },
  );
  const cancelled = subscription.cancel();
  await subscription.until('the hold is in the ledger', (bank) => bank.row?.hold === 'cancel');

  await subscription.advanceTo('2027-01-15T08:08:00Z');
  await cancelled;
  await subscription.ended();

  expect(subscription.bank.trail).toEqual([
    'subscription.cancel_requested',
    'consent.granted',
    'subscription.cancelled',
  ]);
  expect(subscription.sent).toEqual([]);
  expect(subscription.bank.row).toMatchObject(CANCELLED);
});

test('in dunning: no retry is made, the open cycle fails', async () => {
  const subscription = await world.subscribe(order('cancelled in dunning'), (bank) => bank.attempt(0, 0, rejected));
  await subscription.advanceTo('2027-02-01T00:00:00Z');

  await subscription.cancel();
  await subscription.ended();

  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
  expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'consent_ended']]);
  expect(subscription.bank.row).toMatchObject({ ...CANCELLED, dunning: false });
});

test('while a notice cannot be delivered: delivering is given up', async () => {
  const subscription = await world.subscribe(order('cancelled while a notice is undelivered'), (bank) => {
    bank.attempt(0, 0, rejected);
    bank.notice(0, 0, deliveredAt(at('2027-02-02T00:00:00Z')));
  });
  await subscription.advanceTo('2027-02-01T00:00:00Z');

  await subscription.cancel();
  await subscription.ended();

  expect(subscription.bank.callsOf('notifyPayer')).toHaveLength(1);
  expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'consent_ended']]);
});

describe('while a debit may still land', () => {
  test('a pending one that is collected after the end needs a person, for a refund', async () => {
    const subscription = await world.subscribe(order('cancelled while pending, collected'), (bank) =>
      bank.attempt(0, 0, pendingUntil(at('2027-02-03T00:00:00Z'), collected)),
    );
    await subscription.advanceTo('2027-02-01T00:00:00Z');
    await subscription.cancel();
    expect(subscription.bank.row).toMatchObject({ ...CANCELLED, attention: [] });
    expect(await subscription.workflowStatus()).toBe('RUNNING');

    await subscription.advanceTo('2027-02-04T00:00:00Z');
    await subscription.ended();

    expect(subscription.bank.row).toMatchObject({ ...CANCELLED, attention: ['debit_after_cancel:0'] });
    expect(subscription.bank.trail.at(-1)).toBe('attention.changed');
  });

  test('a pending one that is refused after the end closes its cycle', async () => {
    const subscription = await world.subscribe(order('cancelled while pending, rejected'), (bank) =>
      bank.attempt(0, 0, pendingUntil(at('2027-02-03T00:00:00Z'), rejected)),
    );
    await subscription.advanceTo('2027-02-01T00:00:00Z');
    await subscription.cancel();

    await subscription.advanceTo('2027-02-04T00:00:00Z');
    await subscription.ended();

    expect(subscription.bank.cycleRecords).toEqual([[0, 'failed', 'consent_ended']]);
    expect(subscription.bank.row).toMatchObject({ ...CANCELLED, attention: [] });
  });

  test('one pending past its window is asked about beyond the end', async () => {
    const subscription = await world.subscribe(order('cancelled with one pending past its window'), (bank) =>
      bank.attempt(0, 0, pendingUntil(at('2027-03-20T00:00:00Z'), collected)),
    );
    await subscription.advanceTo('2027-02-10T00:00:00Z');
    await subscription.cancel();
    await subscription.cancel();

    await subscription.advanceTo('2027-03-21T00:00:00Z');
    await subscription.ended();

    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
    expect(subscription.bank.row).toMatchObject({ ...CANCELLED, attention: ['debit_after_cancel:0'] });
  });

  test('one that was unresolved at the end: found, its attention item changes its kind', async () => {
    const subscription = await world.subscribe(order('cancelled while unresolved, collected'), (bank) =>
      bank.attempt(
        0,
        0,
        unknownUntil(at('2027-02-06T00:00:00Z'), unresolvedUntil(at('2027-03-20T00:00:00Z'), collected)),
      ),
    );
    await subscription.advanceTo('2027-02-10T00:00:00Z');
    await subscription.cancel();
    expect(subscription.bank.row).toMatchObject({ ...CANCELLED, attention: ['unresolved:0'] });

    await subscription.advanceTo('2027-03-21T00:00:00Z');
    await subscription.ended();

    expect(subscription.bank.row).toMatchObject({ ...CANCELLED, attention: ['debit_after_cancel:0'] });
  });

  test('an unknown one that never was: its cycle is closed', async () => {
    const subscription = await world.subscribe(order('cancelled while unknown, absent'), (bank) =>
      bank.attempt(0, 0, unknownUntil(at('2027-02-10T00:00:00Z'), absent)),
    );
    await subscription.advanceTo('2027-02-06T00:00:00Z');
    await subscription.cancel();

    await subscription.advanceTo('2027-02-11T00:00:00Z');
    await subscription.ended();

    expect(subscription.bank.cycleRecords).toEqual([
      [0, expect.stringMatching(/^(skipped|missed)$/), expect.any(String)],
    ]);
    expect(subscription.bank.row).toMatchObject({ ...CANCELLED, attention: [] });
  });
});

describe('until the service has confirmed', () => {
  test('a second cancellation joins the first; pause and resume are refused', async () => {
    const subscription = await world.subscribe(order('cancelled twice'), (bank) =>
      bank.cancelIsConfirmedAt(at('2027-02-10T06:00:00Z')),
    );
    await subscription.advanceTo('2027-02-10T00:00:00Z');
    const both = [subscription.cancel(), subscription.cancel()];
    await subscription.until('the hold is in the ledger', (bank) => bank.row?.hold === 'cancel');

    expect(subscription.bank.row).toMatchObject({ status: 'active' });
    expect(await refusalOf(subscription.pause())).toEqual({
      type: 'state_conflict',
      message: 'the subscription is being cancelled',
    });
    expect(await refusalOf(subscription.resume())).toMatchObject({ type: 'state_conflict' });

    await subscription.advanceTo('2027-02-10T07:00:00Z');
    await Promise.all(both);
    await subscription.ended();
    expect(subscription.bank.trail.slice(1)).toEqual(['subscription.cancel_requested', 'subscription.cancelled']);
  });

  test('a due date that passes is not collected', async () => {
    const subscription = await world.subscribe(order('due while cancelling'), (bank) =>
      bank.cancelIsConfirmedAt(at('2027-01-31T12:00:00Z')),
    );
    await subscription.advanceTo('2027-01-31T09:00:00Z');
    const cancelled = subscription.cancel();
    await subscription.until('the hold is in the ledger', (bank) => bank.row?.hold === 'cancel');

    await subscription.advanceTo('2027-02-01T00:00:00Z');
    await cancelled;
    await subscription.ended();

    expect(subscription.sent).toEqual([]);
  });
});

test('a resume accepted behind a cancellation never lifts its hold', async () => {
  const subscription = await world.subscribe(order('resumed behind a cancellation'), (bank) =>
    bank.cancelIsConfirmedAt(at('2027-01-16T06:00:00Z')),
  );
  await subscription.advanceTo('2027-01-16T00:00:00Z');
  // The pause keeps its turn for an hour; both stand behind it.
  subscription.bank.delayNext('record', 3_600_000);
  const paused = subscription.pause();
  await subscription.until('the pause is being recorded', (bank) => !bank.isDelayed('record'));
  const cancelled = await subscription.startCancel();
  const resumed = await subscription.startResume();
  const refusal = refusalOf(resumed.result());

  await subscription.advanceTo('2027-01-16T07:00:00Z');
  await Promise.all([paused, cancelled.result()]);
  await subscription.ended();

  expect(await refusal).toMatchObject({ type: 'state_conflict' });
  expect(subscription.bank.changes.some(({ subscription: patch }) => patch?.hold === null)).toBe(false);
  expect(subscription.bank.row).toMatchObject(CANCELLED);
});
