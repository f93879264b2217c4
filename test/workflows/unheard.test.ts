import type { CycleFacts } from '../../src/domain/subscription/state-from-ledger';
import { euros } from '../../src/domain/money';
import { HOUR } from '../../src/domain/time';
import { pendingUntil, collected, rejected } from '../support/workflow-fates';
import { BY_A_PERSON, refusalOf } from '../support/workflow-subscription';
import { waitUntil } from '../support/wait-until';
import { type Order, WorkflowWorld } from '../support/workflow-world';

/** What the ledger has and the workflow has not heard of: it is asked before a cycle or a subscription is closed by it. */

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };
const at = (iso: string) => Date.parse(iso);
const order = (path: Order['path'], more: Partial<Order> = {}): Order => ({ path, ...JANUARY, ...more });

const NOTHING = { authorizationId: null, captureId: null, detail: null, description: null };

/** Cycle 0, sent by a run of the workflow that was reset, or lost. */
const SENT: CycleFacts = {
  cycle: 0,
  collectBy: at('2027-02-05T10:00:00Z'),
  amount: euros(1999),
  status: 'collecting',
  retryNow: false,
  attempts: [{ attempt: 0, state: 'pending', reopened: false, at: at('2027-01-31T10:00:00Z'), ...NOTHING }],
  notices: [],
};

/** Whether each call of the collecting activity was to ask only. */
const askedOnly = (calls: readonly { readonly input: unknown }[]) =>
  calls.map(({ input }) => (input as { readonly settleOnly: boolean }).settleOnly);

describe('an attempt under way in the ledger alone is followed to its end', () => {
  test('though the subscription is paused over its due date (rule 23)', async () => {
    const subscription = await world.subscribe(order('paused with an attempt under way in the ledger'));
    await subscription.advanceTo('2027-01-31T09:00:00Z');
    const pauses = [{ since: at('2027-01-31T09:00:00Z'), until: null }];
    // There before the workflow is told, which reads the ledger then.
    subscription.bank.begun.push(SENT);
    await subscription.steerBeside({ status: 'paused', hold: 'pause', pauses });

    await subscription.advanceTo('2027-02-10T00:00:00Z');

    expect(askedOnly(subscription.bank.callsOf('collectPayment'))).toEqual([true]);
    expect(subscription.bank.cycleRecords).toEqual([]);
    expect(await subscription.state()).toMatchObject({ status: 'paused', cycle: 1, collectedOnce: true });
  });

  test('though the subscription is cancelled before its first attempt is heard of (rule 24)', async () => {
    const spread = { spread: 6 * HOUR };
    const subscription = await world.subscribe(order('cancelled with an attempt under way in the ledger', spread));
    await subscription.advanceTo('2027-01-31T11:00:00Z');
    subscription.bank.begun.push(SENT);

    await subscription.cancel();
    await subscription.ended();

    expect(askedOnly(subscription.bank.callsOf('collectPayment'))).toEqual([true]);
    expect(subscription.bank.cycleRecords).toEqual([]);
    expect(subscription.bank.row).toMatchObject({ status: 'cancelled', attention: ['debit_after_cancel:0'] });
  });
});

test('a cancellation in the ledger is heard behind a change whose answer was lost (rule 31)', async () => {
  const subscription = await world.subscribe(order('cancelled in the ledger behind a skip whose answer is lost'));
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  const cancellation = { ...BY_A_PERSON, at: at('2027-02-10T00:00:00Z') };
  subscription.bank.afterUnanswered = () => void subscription.bank.steerBeside({ hold: 'cancel', cancellation });

  await subscription.skip(2);
  await subscription.ended();

  expect(subscription.bank.callsOf('cancelConsent')).toHaveLength(1);
  expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant' });
});

test('a cancellation that the ledger took before the end is carried out: the subscription is not completed', async () => {
  const subscription = await world.subscribe(
    order('cancelled in the ledger as it completes', { endAt: '2027-02-10T00:00:00Z' }),
    (bank) => bank.attempt(0, 0, pendingUntil(at('2027-02-01T00:00:00Z'), collected)),
  );
  await subscription.advanceTo('2027-01-31T12:00:00Z');
  const cancellation = { ...BY_A_PERSON, at: at('2027-01-31T12:00:00Z') };
  await subscription.steerBeside({ hold: 'cancel', cancellation }, false);

  await subscription.advanceTo('2027-02-12T00:00:00Z');
  await subscription.ended();

  expect(subscription.bank.callsOf('cancelConsent')).toHaveLength(1);
  expect(subscription.bank.trail).not.toContain('subscription.completed');
  expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant' });
});

test('the same where it is told of it while its end is being recorded', async () => {
  const subscription = await world.subscribe(
    order('told of a cancellation as it completes', { endAt: '2027-02-10T00:00:00Z' }),
    (bank) => bank.attempt(0, 0, pendingUntil(at('2027-02-01T00:00:00Z'), collected)),
  );
  await subscription.advanceTo('2027-01-31T12:00:00Z');
  subscription.bank.delayNext('record', HOUR);
  await subscription.advanceTo('2027-02-01T00:30:00Z');
  const cancellation = { ...BY_A_PERSON, at: at('2027-02-01T00:30:00Z') };
  await subscription.steerBeside({ hold: 'cancel', cancellation });

  await subscription.advanceTo('2027-02-03T00:00:00Z');
  await subscription.ended();

  expect(subscription.bank.callsOf('cancelConsent')).toHaveLength(1);
  expect(subscription.bank.trail).not.toContain('subscription.completed');
  expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant' });
});

describe('a ledger that was set back to before what the workflow has heard (rule 31)', () => {
  const steeredTwice = async (path: Order['path']) => {
    const subscription = await world.subscribe(order(path));
    await subscription.advanceTo('2027-01-20T08:00:00Z');
    await subscription.pause();
    await subscription.resume();
    expect(subscription.bank.revision).toBe(2);
    return subscription;
  };

  test.each([
    ['lower than', 0],
    ['the same as', 1],
  ])('is heard as it cancels, by a revision %s the one known', async (_, setBackTo) => {
    const subscription = await steeredTwice('stopped in a ledger that was set back');
    subscription.bank.revision = setBackTo;
    const cancellation = { ...BY_A_PERSON, at: at('2027-01-20T08:00:00Z') };
    await subscription.steerBeside({ hold: 'cancel', cancellation });

    await subscription.ended();

    expect(subscription.bank.callsOf('cancelConsent')).toHaveLength(1);
    expect(subscription.sent).toEqual([]);
    expect(subscription.bank.row).toMatchObject({ status: 'cancelled', cancelledBy: 'merchant' });
  });

  test('is heard as it pauses, and as it resumes', async () => {
    const subscription = await steeredTwice('stopped in a ledger that was set back');
    subscription.bank.revision = 0;
    const pauses = [{ since: at('2027-01-20T08:00:00Z'), until: null }];
    await subscription.steerBeside({ status: 'paused', hold: 'pause', pauses });
    await waitUntil('it is paused', async () => (await subscription.state()).status === 'paused');
    expect(await subscription.state()).toMatchObject({ revision: 1 });

    await subscription.resumeKnowing(1);
    await subscription.advanceTo('2027-02-01T00:00:00Z');

    expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
  });

  test('does not end a pause that the workflow alone knows of', async () => {
    const subscription = await world.subscribe(order('paused here, not in a ledger that was set back'));
    await subscription.advanceTo('2027-01-20T08:00:00Z');
    await subscription.pause();
    subscription.bank.revision = 0;
    await subscription.steerBeside({ status: 'active', hold: null, pauses: [] });
    await subscription.until('it has asked', (bank) => bank.callsOf('readLedger').length > 0);

    await subscription.advanceTo('2027-02-10T00:00:00Z');

    expect(subscription.sent).toEqual([]);
    expect(await subscription.state()).toMatchObject({ status: 'paused' });

    // The request is repeated.
    const pauses = [{ since: await subscription.now(), until: null }];
    await subscription.steerBeside({ status: 'paused', hold: 'pause', pauses });
  });
});

test('a retry is not asked for while one is under way (rule 18)', async () => {
  const subscription = await world.subscribe(order('retried now while a retry is under way'), (bank) => {
    bank.attempt(0, 0, rejected);
    bank.attempt(0, 1, pendingUntil(at('2027-02-02T00:00:00Z'), rejected));
  });
  await subscription.advanceTo('2027-02-01T12:00:00Z');

  expect(await refusalOf(subscription.retryNow(0))).toEqual({
    type: 'state_conflict',
    message: 'attempt 1 of cycle 0 is under way',
  });
  await subscription.advanceTo('2027-02-02T12:00:00Z');
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '0/1 2027-02-01 10:00', '0/2 2027-02-02 10:00']);
});
