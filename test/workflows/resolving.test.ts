import { DAY, HOUR } from '../../src/domain/time';
import {
  absent,
  collected,
  pendingUntil,
  rejectedFinally,
  unlistedUntil,
  unresolvedUntil,
} from '../support/workflow-fates';
import { BY_A_PERSON, minuteOf, refusalOf, type RunningSubscription } from '../support/workflow-subscription';
import { type Order, WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };

/** The service's answer fits nothing, and goes on doing so. */
async function unresolvedInJanuary(path: Order['path'], more: Partial<Order> = {}): Promise<RunningSubscription> {
  const subscription = await world.subscribe({ path, ...JANUARY, ...more }, (bank) =>
    bank.attempt(0, 0, unresolvedUntil(Date.parse('2027-12-01T00:00:00Z'), collected)),
  );
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  expect(subscription.bank.row).toMatchObject({ attention: ['unresolved:0'] });
  return subscription;
}

test('resolved as collected, the cycle is over and the next one comes', async () => {
  const subscription = await unresolvedInJanuary('resolved as collected');
  await subscription.resolve(0, 'collected');
  expect(subscription.bank.callsOf('resolveAttempt')).toMatchObject([
    { input: { actor: 'ops', keyId: BY_A_PERSON.keyId } },
  ]);
  expect(subscription.bank.row).toMatchObject({ attention: [], pastDue: false });

  await subscription.advanceTo('2027-03-10T00:00:00Z');
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
  expect((await subscription.state()).collectedOnce).toBe(true);
  expect((await refusalOf(subscription.resolve(0, 'failed'))).type).toBe('state_conflict');
});

test('resolved as failed, the cycle ends failed and the next one comes', async () => {
  const subscription = await unresolvedInJanuary('resolved as failed');
  await subscription.resolve(0, 'failed');
  await subscription.advanceTo('2027-03-10T00:00:00Z');

  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
  expect(subscription.bank.cycleRecords).toEqual([
    [0, 'unresolved', 'outcome_not_known'],
    [0, 'failed', 'rejected'],
  ]);
});

test.each([
  ['pending past the window, resolved', pendingUntil, 'pending_past_window:0'],
  ['unlisted, resolved', unlistedUntil, 'unlisted:0'],
] as const)('%s as collected: later cycles had gone on, and the item ends', async (path, fate, item) => {
  const subscription = await world.subscribe({ path, ...JANUARY }, (bank) =>
    bank.attempt(0, 0, fate(Date.parse('2027-12-01T00:00:00Z'), collected)),
  );
  await subscription.advanceTo('2027-03-10T00:00:00Z');
  expect(subscription.bank.row).toMatchObject({ attention: [item] });
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
  await subscription.resolve(0, 'collected');
  expect(subscription.bank.row).toMatchObject({ attention: [] });
  expect(await subscription.state()).toMatchObject({ cycle: 2, pending: [] });
  expect((await refusalOf(subscription.resolve(0, 'failed'))).type).toBe('state_conflict');
});

test('a refused attempt that is listed again is followed beside the next cycle, which it holds up no longer', async () => {
  const path = 'refused, followed again beside the next cycle';
  let isReported = false;
  const subscription = await world.subscribe({ path, ...JANUARY }, (bank) => {
    bank.attempt(0, 0, (call) => (call.input.parked ? collected(call) : rejectedFinally(call)));
    bank.attempt(1, 0, (call) => {
      if (isReported) return collected(call);
      isReported = true;
      return { kind: 'reopened', cycle: 0, attempt: 0, amount: call.input.amount };
    });
  });
  await subscription.advanceTo('2027-03-10T00:00:00Z');
  expect(await subscription.state()).toMatchObject({ cycle: 2, pending: [], collectedOnce: true });
  expect(subscription.bank.trail).toContain('cycle.collected_late');
});

test('resolved after a cancellation, the subscription has come to its end', async () => {
  const subscription = await unresolvedInJanuary('resolved after the end');
  await subscription.cancel();
  subscription.bank.resolveRefused = { kind: 'stands' };
  expect((await refusalOf(subscription.resolve(0, 'collected'))).message).toMatch('the service has told the outcome');
  subscription.bank.resolveRefused = null;
  await subscription.resolve(0, 'collected');
  await subscription.ended();
  expect(subscription.bank.row).toMatchObject({ status: 'cancelled', attention: ['debit_after_cancel:0'] });
});

test('what no request stands behind is refused, and the service is asked on', async () => {
  const subscription = await unresolvedInJanuary('resolved without a request on record');
  const why = 'it names no request of the admin API';
  subscription.bank.resolveRefused = { kind: 'unrecorded', why };
  expect(await refusalOf(subscription.resolve(0, 'collected'))).toEqual({ type: 'state_conflict', message: why });
  expect(subscription.bank.row).toMatchObject({ attention: ['unresolved:0'] });
  subscription.bank.resolveRefused = null;
  await subscription.resolve(0, 'collected');
  expect(subscription.bank.row).toMatchObject({ attention: [] });
});

test('an id of another attempt is refused with both, and what is asked next goes through', async () => {
  const subscription = await unresolvedInJanuary('resolved with the id of another attempt');
  const taken = { field: 'authorizationId', given: 'aut_7', cycle: 4, attempt: 1 } as const;
  subscription.bank.resolveRefused = { kind: 'stands', taken };
  expect(await refusalOf(subscription.resolve(0, 'collected'))).toEqual({
    type: 'state_conflict',
    message:
      'authorizationId aut_7 is that of cycle 4, attempt 1; expected one that no other attempt of the payment has, for cycle 0, attempt 0',
  });
  subscription.bank.resolveRefused = null;
  await subscription.pause();
  await subscription.resolve(0, 'collected');
  expect(subscription.bank.row).toMatchObject({ attention: [], status: 'paused' });
});

/** Asked on the 10th at midnight; the ledger has the word at once, and Temporal hears of it an hour later. */
test('a word under way counts, though the service tells meanwhile that nothing was made', async () => {
  const path = 'resolved as the service tells that nothing was made';
  const subscription = await world.subscribe({ path, ...JANUARY }, (bank) =>
    bank.attempt(0, 0, unresolvedUntil(Date.parse('2027-02-10T00:30:00Z'), absent)),
  );
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  subscription.bank.delayNext('resolveAttempt', HOUR);
  const resolved = subscription.resolve(0, 'collected');
  await subscription.until('the word is under way', (bank) => !bank.isDelayed('resolveAttempt'));
  await subscription.advanceTo('2027-02-10T02:00:00Z');
  await resolved;

  expect(await subscription.state()).toMatchObject({ collectedOnce: true, cycle: 1, open: null });
  expect(subscription.bank.trail).not.toContain('attempt.settled_absent');
  expect(subscription.bank.cycleRecords).toEqual([[0, 'unresolved', 'outcome_not_known']]);
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
});

test('a word under way that the service came before is refused, and what the service told counts', async () => {
  const path = 'resolved as the service tells that it was made';
  const subscription = await world.subscribe({ path, ...JANUARY }, (bank) =>
    bank.attempt(0, 0, unresolvedUntil(Date.parse('2027-02-10T00:30:00Z'), collected)),
  );
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  subscription.bank.resolveRefused = { kind: 'stands' };
  subscription.bank.delayNext('resolveAttempt', HOUR);
  const refused = refusalOf(subscription.resolve(0, 'failed'));
  await subscription.until('the word is under way', (bank) => !bank.isDelayed('resolveAttempt'));
  await subscription.advanceTo('2027-02-10T02:00:00Z');

  expect((await refused).message).toBe('the service has told the outcome meanwhile');
  expect(await subscription.state()).toMatchObject({ collectedOnce: true, cycle: 1, open: null });
  expect(subscription.bank.noticesOrdered).toEqual(['cycle.unresolved']);
});

test('a word that comes before the ledger has the cycle as unresolved waits for that', async () => {
  const path = 'resolved as its cycle is recorded';
  const subscription = await world.subscribe({ path, ...JANUARY }, (bank) => {
    bank.attempt(0, 0, unresolvedUntil(Date.parse('2027-12-01T00:00:00Z'), collected));
  });
  await subscription.advanceTo('2027-01-31T09:00:00Z');
  subscription.bank.delayNext('record', 8 * DAY);
  await subscription.advanceTo('2027-02-06T00:00:00Z');
  const resolved = await subscription.startResolve(0, 'collected');
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  await resolved.result();
  const [word] = subscription.bank.callsOf('resolveAttempt');
  expect(minuteOf(word!.at)).toBe('2027-02-08 10:00');
});
