import { euros } from '../../src/domain/money';
import { collected, pendingUntil, rejected } from '../support/workflow-fates';
import { instant, refusalOf } from '../support/workflow-subscription';
import { type Order, WorkflowWorld } from '../support/workflow-world';

const world = WorkflowWorld.skippingTime();

const JANUARY = { now: '2027-01-15T08:00:00Z', firstPaymentAt: '2027-01-31T10:00:00Z' };
const order = (path: Order['path'], more: Partial<Order> = {}): Order => ({ path, ...JANUARY, ...more });
const centsOf = (sends: readonly { cents: number }[]) => sends.map(({ cents }) => cents);

test('a reduction is collected from its cycle on, and the ledger tells what comes next', async () => {
  const subscription = await world.subscribe(order('amount reduced'));
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  const change = await subscription.changeAmount(1500, 2);
  expect(change).toMatchObject({ kind: 'reduction', fromCycle: 2, previousAmount: euros(1999) });
  expect(subscription.bank.row).toMatchObject({ amount: euros(1999), pendingChange: { amount: euros(1500) } });

  await subscription.advanceTo('2027-03-15T00:00:00Z');
  expect(subscription.bank.row).toMatchObject({ amount: euros(1500), pendingChange: { amount: euros(1500) } });

  await subscription.advanceTo('2027-05-15T00:00:00Z');
  expect(centsOf(subscription.bank.sends)).toEqual([1999, 1999, 1500, 1500]);
  expect(subscription.bank.row).toMatchObject({ amount: euros(1500), pendingChange: null, lastIncreaseAt: null });
  expect(subscription.bank.callsOf('announceIncrease')).toEqual([]);
});

test('an increase is announced fourteen days ahead, collected, and counts from then', async () => {
  const subscription = await world.subscribe(order('amount increased'));
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  await subscription.changeAmount(2999, 2);
  await subscription.advanceTo('2027-04-10T00:00:00Z');

  const [announced] = subscription.bank.callsOf('announceIncrease');
  expect(new Date(announced?.at ?? 0).toISOString().slice(0, 16)).toBe('2027-03-17T10:00');
  expect(centsOf(subscription.bank.sends)).toEqual([1999, 1999, 2999]);
  const at = subscription.bank.sends[2]?.at;
  expect(subscription.bank.row).toMatchObject({ amount: euros(2999), pendingChange: null, lastIncreaseAt: at });

  const refusal = await refusalOf(subscription.changeAmount(3999));
  expect(refusal.type).toBe('amount_change_not_allowed');
  expect(refusal.message).toContain('more is allowed from 2027-09-30T10:00:');
});

test('an increase of which the payer was not told is dropped: the old amount, and an alert', async () => {
  const subscription = await world.subscribe(order('increase not announced'), (bank) => {
    bank.increaseFate = () => ({ kind: 'undeliverable', reason: 'no channel takes it' });
  });
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  await subscription.changeAmount(2999);
  await subscription.advanceTo('2027-03-15T00:00:00Z');

  expect(centsOf(subscription.bank.sends)).toEqual([1999, 1999]);
  expect(subscription.bank.row).toMatchObject({
    amount: euros(1999),
    pendingChange: null,
    attention: ['amount_change_dropped'],
  });
  expect(subscription.bank.trail).toEqual(
    expect.arrayContaining(['amount_change.accepted', 'amount_change.notice_undeliverable', 'amount_change.dropped']),
  );
});

test('an increase of which a person has told the payer is collected', async () => {
  let toldAt: number | null = null;
  const subscription = await world.subscribe(order('increase told by a person'), (bank) => {
    bank.increaseFate = ({ comeBackAt }) =>
      toldAt === null ? comeBackAt(Date.parse('2027-03-02T00:00:00Z')) : { kind: 'delivered', at: toldAt };
  });
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  await subscription.changeAmount(2999);
  await subscription.advanceTo('2027-02-20T00:00:00Z');
  toldAt = Date.parse('2027-02-20T00:00:00Z');
  await subscription.noticeChanged();
  await subscription.advanceTo('2027-03-15T00:00:00Z');
  expect(centsOf(subscription.bank.sends)).toEqual([1999, 2999]);
  expect(subscription.bank.callsOf('announceIncrease')).toHaveLength(2);
});

test('a notice still under way at the due date is given up, and the cycle comes on time', async () => {
  const subscription = await world.subscribe(order('increase announced too late'), (bank) => {
    bank.increaseFate = ({ comeBackAt }) => comeBackAt(Date.parse('2027-03-02T00:00:00Z'));
  });
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  await subscription.changeAmount(2999);
  await subscription.advanceTo('2027-03-15T00:00:00Z');
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00', '1/0 2027-02-28 10:00']);
  expect(centsOf(subscription.bank.sends)).toEqual([1999, 1999]);
});

test('a change is replaced, and taken back, as long as no cycle has frozen it', async () => {
  const subscription = await world.subscribe(order('amount change taken back'));
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  await subscription.changeAmount(2999);
  await subscription.changeAmount(1500);
  expect(subscription.bank.row).toMatchObject({ pendingChange: { amount: euros(1500) } });
  await subscription.withdrawChange();
  await subscription.advanceTo('2027-03-15T00:00:00Z');

  expect(centsOf(subscription.bank.sends)).toEqual([1999, 1999]);
  expect((await refusalOf(subscription.withdrawChange())).type).toBe('state_conflict');
});

test('what a cycle has frozen stays beside what is asked for meanwhile, and is collected by the next', async () => {
  const subscription = await world.subscribe(order('amount changed while a cycle has frozen another'), (bank) => {
    for (const attempt of [0, 1, 2, 3]) bank.attempt(1, attempt, rejected);
  });
  await subscription.advanceTo('2027-02-10T00:00:00Z');
  await subscription.changeAmount(1500);
  await subscription.advanceTo('2027-03-01T00:00:00Z');
  expect(await subscription.changeAmount(1500)).toMatchObject({ kind: 'unchanged', previousAmount: euros(1500) });
  expect(subscription.bank.row).toMatchObject({ pendingChange: { amount: euros(1500), fromCycle: 1 } });
  await subscription.changeAmount(1200, 3);

  await subscription.advanceTo('2027-03-10T00:00:00Z');
  expect(subscription.bank.row).toMatchObject({
    amount: euros(1500),
    pendingChange: { amount: euros(1200), fromCycle: 3, earlier: { amount: euros(1500), fromCycle: 1 } },
  });
  expect(await subscription.currentDetails()).toMatch(/15\.00 EUR from cycle 1 on.*\n- 12\.00 EUR from cycle 3 on/);
  const accepted = subscription.bank.changes.flatMap(({ events }) => events.map(({ data }) => data['replaces']));
  expect(accepted.filter((replaces) => replaces !== undefined)).toEqual([null, null, null]);

  await subscription.advanceTo('2027-05-15T00:00:00Z');
  expect(centsOf(subscription.bank.sends)).toEqual([1999, 1500, 1500, 1500, 1500, 1500, 1200]);
  expect(subscription.bank.row).toMatchObject({ amount: euros(1200), pendingChange: null });
});

test('before the first payment every amount but the consent amount is refused', async () => {
  const subscription = await world.subscribe(order('amount change before the first payment'));
  const judged = await subscription.judgeChange(1500);
  expect(judged).toMatchObject({ kind: 'forbidden', verdict: { rule: 'first_payment', highestAllowed: euros(1999) } });
  expect((await refusalOf(subscription.changeAmount(1500))).type).toBe('amount_change_not_allowed');
});

test('whoever has seen in the ledger that the first payment was collected may change the amount', async () => {
  const settledAt = instant('2027-02-01T10:00:00Z');
  const subscription = await world.subscribe(order('amount changed while an outcome is on its way'), (bank) =>
    bank.attempt(0, 0, pendingUntil(settledAt, collected)),
  );
  await subscription.advanceTo('2027-01-31T11:00:00Z');
  expect(await refusalOf(subscription.changeAmount(1500))).toMatchObject({ type: 'amount_change_not_allowed' });

  const asked = await subscription.changeAmountKnowing(1500, { cycle: 0, attempt: 0 });
  await subscription.advanceTo('2027-02-01T11:00:00Z');
  expect(await asked.result()).toMatchObject({ kind: 'reduction', fromCycle: 1, previousAmount: euros(1999) });
  expect((await (await subscription.changeAmountKnowing(1200, { cycle: 0, attempt: 0 })).result()).amount.value).toBe(
    1200,
  );
});

test('skipped by a person, retried at once by a person', async () => {
  const failed = await world.subscribe(order('skipped and retried now'), (bank) =>
    bank.attempt(2, 0, rejected, collected),
  );
  await failed.advanceTo('2027-02-10T00:00:00Z');
  await failed.skip(1);
  await failed.advanceTo('2027-03-31T12:00:00Z');
  await failed.retryNow(2);
  await failed.advanceTo('2027-03-31T13:00:00Z');
  expect(failed.sent).toEqual(['0/0 2027-01-31 10:00', '2/0 2027-03-31 10:00', '2/1 2027-03-31 12:00']);
});
