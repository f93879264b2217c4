import { subscriptionWorkflowId } from '../../src/contract/workflows';
import { RECORDED } from '../support/workflow-bank';
import { refusalOf } from '../support/workflow-subscription';
import { type Order, WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };
const at = (iso: string) => Date.parse(iso);
const order = (path: Order['path']): Order => ({ path, ...JANUARY });

test('answers the request with the payment, and becomes active with the payer’s grant', async () => {
  const subscription = await world.subscribe(order('consent granted'), (bank) =>
    bank.consentAnsweredAt(at('2027-01-15T08:05:00Z'), { kind: 'granted' }),
  );
  expect(subscription.requested).toMatchObject({ kind: 'requested', paymentId: expect.stringMatching(/^payment-of-/) });

  await subscription.advanceTo('2027-01-15T08:04:00Z');
  expect(subscription.bank.row?.status).toBe('pending_consent');
  await subscription.advanceTo('2027-01-15T08:06:00Z');
  expect(subscription.bank.row?.status).toBe('active');
});

test('collects at once where the grant comes after the first due date, in its window', async () => {
  const subscription = await world.subscribe(
    { path: 'consent granted late', now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-15T08:01:00Z' },
    (bank) => bank.consentAnsweredAt(at('2027-01-15T08:09:00Z'), { kind: 'granted' }),
  );

  await subscription.advanceTo('2027-01-15T08:30:00Z');

  expect(subscription.sent).toEqual(['0/0 2027-01-15 08:09']);
});

test('ends where the payer declines: nothing is collected, the merchant is told', async () => {
  const subscription = await world.subscribe(order('consent declined'), (bank) =>
    bank.consentAnsweredAt(at('2027-01-15T08:05:00Z'), { kind: 'failed', reason: 'declined' }),
  );

  await subscription.advanceTo('2027-01-15T08:06:00Z');
  await subscription.ended();

  expect(subscription.bank.row).toMatchObject({ status: 'consent_failed', nextDueAt: null });
  expect(subscription.bank.trail).toEqual(['consent.failed']);
  expect(subscription.bank.noticesOrdered).toEqual(['consent.failed']);
  expect(subscription.sent).toEqual([]);
});

test('ends with the session where the payer does not answer', async () => {
  const subscription = await world.subscribe(order('consent timed out'), (bank) =>
    bank.consentAnsweredAt(Infinity, { kind: 'granted' }),
  );

  await subscription.advanceTo('2027-01-15T08:09:58Z');
  expect(subscription.bank.row?.status).toBe('pending_consent');
  await subscription.advanceTo('2027-01-15T08:11:00Z');
  await subscription.ended();
  expect(subscription.bank.row?.status).toBe('consent_failed');
});

test('ends as cancelled by the payer who withdraws in the session', async () => {
  const subscription = await world.subscribe(order('consent cancelled in the session'), (bank) =>
    bank.consentAnsweredAt(at('2027-01-15T08:05:00Z'), {
      kind: 'cancelled',
      by: 'payer',
      reason: 'cancelled_by_payer',
    }),
  );

  await subscription.advanceTo('2027-01-15T08:06:00Z');
  await subscription.ended();

  expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'payer' });
});

test('asks the service at once where the payer has returned', async () => {
  const subscription = await world.subscribe(order('consent check grants'), (bank) =>
    bank.consentAnsweredAt(Infinity, { kind: 'granted' }),
  );
  await subscription.checkConsent();
  expect(subscription.bank.row?.status).toBe('pending_consent');

  subscription.bank.consentAnsweredAt(0, { kind: 'granted' });
  await subscription.checkConsent();
  expect(subscription.bank.row?.status).toBe('active');

  await subscription.advanceTo('2027-02-01T00:00:00Z');
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
});

test('ends where a check finds the consent cancelled by the payer', async () => {
  const subscription = await world.subscribe(order('consent check finds a cancellation'));
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  subscription.bank.consentEndsAt(0);

  await subscription.checkConsent();
  await subscription.ended();

  expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'payer', nextDueAt: null });
  expect(subscription.bank.noticesOrdered).toEqual(['subscription.cancelled']);
});

describe('a request that comes to nothing', () => {
  test('refused by the service: answered, the draft discarded, the workflow ended', async () => {
    const subscription = await world.subscribe(order('request refused'), (bank) =>
      bank.consentIsRequestedWith(() => ({ kind: 'refused', detail: 'AMOUNT_TOO_HIGH', description: 'above the cap' })),
    );

    expect(subscription.requested).toEqual({
      kind: 'refused',
      detail: 'AMOUNT_TOO_HIGH',
      description: 'above the cap',
    });
    await subscription.ended();
    expect(subscription.bank.row).toBeNull();
    expect(subscription.bank.changes).toEqual([]);
  });

  test('lost on the way: unavailable, and never asked twice', async () => {
    const subscription = await world.subscribe(order('request unavailable'), (bank) =>
      bank.consentIsRequestedWith(() => {
        throw new Error('connection lost');
      }),
    );

    expect(subscription.requested).toEqual({ kind: 'unavailable', reason: 'connection lost' });
    await subscription.ended();
    expect(subscription.bank.callsOf('requestConsent')).toHaveLength(1);
    expect(subscription.bank.row).toBeNull();
  });

  test('on record, its worker gone: answered as requested with that payment, and it goes on', async () => {
    const subscription = await world.subscribe(order('request on record'), (bank) => {
      bank.consentIsRecordedByOneWhoDies();
      bank.consentAnsweredAt(at('2027-01-15T08:05:00Z'), { kind: 'granted' });
    });

    expect(subscription.requested).toMatchObject({ kind: 'requested', paymentId: RECORDED });
    await subscription.advanceTo('2027-02-01T00:00:00Z');
    expect(subscription.bank.callsOf('requestConsent')).toHaveLength(1);
    expect(subscription.bank.row?.status).toBe('active');
    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
  });

  test('on record, its worker gone, cancelled meanwhile: the consent is ended at the service', async () => {
    const subscription = await world.prepare(order('request on record while cancelling'));
    let die: () => void = () => undefined;
    const dying = new Promise<void>((resolve) => (die = resolve));
    subscription.bank.consentIsRecordedByOneWhoDies(() => dying);
    subscription.bank.consentAnsweredAt(Infinity, { kind: 'granted' });
    subscription.bank.endsConsentOnceAskedFor();
    const requested = subscription.request();
    await subscription.until('the request is under way', (bank) => bank.calls.length > 0);
    const cancelled = subscription.cancel();
    await subscription.until('the hold is in the ledger', (bank) => bank.row?.hold === 'cancel');
    die();

    expect(await requested).toMatchObject({ kind: 'requested', paymentId: RECORDED });
    await cancelled;
    await subscription.ended();
    expect(subscription.bank.callsOf('cancelConsent')).toHaveLength(1);
    expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant', hold: 'cancel' });
  });

  test('on record, its worker gone: a cancellation that comes while the draft is to be discarded is kept', async () => {
    const subscription = await world.prepare(order('cancelled while discarding'));
    subscription.bank.consentIsRecordedByOneWhoDies();
    subscription.bank.consentAnsweredAt(Infinity, { kind: 'granted' });
    subscription.bank.endsConsentOnceAskedFor();
    let discard: () => void = () => undefined;
    subscription.bank.beforeDiscarding(new Promise<void>((resolve) => (discard = resolve)));
    const requested = subscription.request();
    await subscription.until('the draft is to be discarded', (bank) => bank.callsOf('discardDraft').length > 0);
    const cancelled = await subscription.startCancel();
    discard();

    expect(await requested).toMatchObject({ kind: 'requested', paymentId: RECORDED });
    await cancelled.result();
    await subscription.ended();
    expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant', hold: 'cancel' });
  });

  test('refused while a cancellation comes: the cancellation is refused, and nothing is written of what is gone', async () => {
    const subscription = await world.prepare(order('request refused, cancelled while discarding'));
    subscription.bank.consentIsRequestedWith(() => ({ kind: 'refused', detail: 'NO', description: 'not you' }));
    let discard: () => void = () => undefined;
    subscription.bank.beforeDiscarding(new Promise<void>((resolve) => (discard = resolve)));
    const requested = subscription.request();
    await subscription.until('the draft is to be discarded', (bank) => bank.callsOf('discardDraft').length > 0);
    const cancelled = await subscription.startCancel();
    discard();

    expect(await requested).toMatchObject({ kind: 'refused' });
    expect(await refusalOf(cancelled.result())).toMatchObject({ type: 'state_conflict' });
    await subscription.ended();
    expect(subscription.bank.changes).toEqual([]);
  });

  test('cancelled meanwhile and then refused: the workflow ends, the cancellation is refused', async () => {
    const subscription = await world.prepare(order('request refused while cancelling'));
    let refuse: () => void = () => undefined;
    const refusing = new Promise<void>((resolve) => (refuse = resolve));
    subscription.bank.consentIsRequestedWith(async () => {
      await refusing;
      return { kind: 'refused', detail: 'AMOUNT_TOO_HIGH', description: 'above the cap' };
    });
    const requested = subscription.request();
    await subscription.until('the request is under way', (bank) => bank.calls.length > 0);
    const refusal = refusalOf(subscription.cancel());
    await subscription.until('the hold is in the ledger', (bank) => bank.row?.hold === 'cancel');
    refuse();

    expect(await requested).toMatchObject({ kind: 'refused' });
    expect(await refusal).toMatchObject({ type: 'state_conflict' });
    await subscription.ended();
  });

  test('a second creation of the same id is refused while the first is alive', async () => {
    const subscription = await world.subscribe(order('created twice'));

    await expect(subscription.request()).rejects.toThrow(/already/i);
    expect(subscription.handle.workflowId).toMatch(new RegExp(`^${subscriptionWorkflowId('sub-' as never)}`));
  });
});
