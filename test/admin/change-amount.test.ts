import type { ChangeOutcome } from '../../src/temporal';
import type { PendingChange } from '../../src/domain/subscription/state';
import { euros } from '../../src/domain/money';
import { applyChange } from '../../src/ledger';
import type { SubscriptionId } from '../../src/domain/ids';
import { type AdminUnderTest, faultPaths, NOW, SANDBOX, startAdmin } from './admin-under-test';
import { order } from './order';

const ID = 'sub_a' as SubscriptionId;
const PATH = '/v1/subscriptions/sub_a/amount-changes';
const DUE = Date.UTC(2027, 2, 31, 12);
const CHANGED: ChangeOutcome = {
  kind: 'changed',
  change: {
    amount: euros(2999),
    previousAmount: euros(1999),
    fromCycle: 2,
    effectiveAt: DUE,
    kind: 'increase',
    countsAsIncrease: true,
    nextIncreaseAllowedFrom: Date.UTC(2027, 8, 30, 12),
  },
};

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: ID }) });
  await change({ status: 'active' });
});
beforeEach(() => {
  admin.workflows.steered.splice(0);
  admin.workflows.onSteer = () => ({ kind: 'done' });
  admin.workflows.onChange = () => CHANGED;
});
afterAll(() => admin.stop());

let changes = 0;
function change(subscription: NonNullable<Parameters<typeof applyChange>[1]['subscription']>) {
  changes += 1;
  const about = { subscriptionId: ID, key: `${changes}`, at: NOW, actor: 'test', events: [] };
  return applyChange(admin.db, { ...about, subscription });
}

const post = (body: unknown, role: 'viewer' | 'operator' = 'operator') => admin.call('POST', PATH, { body, role });
const AMOUNT = { value: 2999, currency: 'EUR' };

test('an accepted change of amount is returned with its effect', async () => {
  const answer = await post({ amount: AMOUNT, fromCycle: 2, reason: 'a new price' });
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      amount: AMOUNT,
      previousAmount: { value: 1999, currency: 'EUR' },
      fromCycle: 2,
      effectiveAt: '2027-03-31T12:00:00.000Z',
      kind: 'increase',
      countsAsIncrease: true,
      nextIncreaseAllowedFrom: '2027-09-30T12:00:00.000Z',
      dryRun: false,
    },
  ]);
  expect(admin.workflows.steered).toMatchObject([
    { what: 'changeAmount', id: ID, request: { amount: AMOUNT, fromCycle: 2, reason: 'a new price' } },
  ]);
});

test('a dry run of a change of amount only shows its effect', async () => {
  const answer = await post({ amount: AMOUNT, dryRun: true });
  expect(answer.json()).toMatchObject({ dryRun: true });
  expect(admin.workflows.steered).toMatchObject([{ what: 'judgeAmount', request: { fromCycle: null } }]);
});

const auditLog = async () => {
  const answer = await admin.call('GET', '/v1/subscriptions/sub_a/events');
  const { items } = answer.json<{ items: { type: string; data: Record<string, unknown> }[] }>();
  return items.filter(({ type }) => type === 'amount_change.refused');
};
const forbidden = (allowedFrom: number | null): ChangeOutcome => ({
  kind: 'refused',
  code: 'amount_change_not_allowed',
  message: 'not yet',
  verdict: {
    kind: 'refused',
    rule: 'six_months',
    highestAllowed: euros(1999),
    allowedFrom,
    newConsentRequired: allowedFrom === null,
  },
});

test('a rule that forbids a change of amount is named with the highest allowed amount and the date from which more is allowed, and has an audit entry', async () => {
  admin.workflows.onChange = () => forbidden(DUE);
  const answer = await post({ amount: AMOUNT });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    409,
    {
      code: 'amount_change_not_allowed',
      rule: 'six_months',
      highestAllowed: { value: 1999, currency: 'EUR' },
      allowedFrom: '2027-03-31T12:00:00.000Z',
      newConsentRequired: false,
    },
  ]);
  expect(await auditLog()).toMatchObject([{ data: { rule: 'six_months', message: 'not yet', amount: AMOUNT } }]);
});

test('a change of amount that no later date would permit is forbidden without a date; a dry run leaves no audit entry', async () => {
  const before = await auditLog();
  admin.workflows.onChange = () => forbidden(null);
  const answer = await post({ amount: AMOUNT, dryRun: true });
  expect(answer.json()).toMatchObject({ newConsentRequired: true });
  expect(answer.json()).not.toHaveProperty('allowedFrom');
  expect(await auditLog()).toEqual(before);
});

test.each([
  [{}, ['amount']],
  [{ amount: { value: 0, currency: 'EUR' } }, ['amount.value']],
  [{ amount: { value: 19.99, currency: 'USD' } }, ['amount.currency', 'amount.value']],
  [{ amount: AMOUNT, fromCycle: -1 }, ['fromCycle']],
  [{ amount: AMOUNT, fromCycle: 1.5 }, ['fromCycle']],
  [{ amount: AMOUNT, dryRun: 'yes' }, ['dryRun']],
  [{ amount: AMOUNT, surprise: 1 }, ['surprise']],
])('a change of amount with the body %j is rejected with all faults', async (body, paths) => {
  const answer = await post(body);
  expect([answer.statusCode, faultPaths(answer).sort()]).toEqual([400, paths]);
  expect(admin.workflows.steered).toEqual([]);
});

test('a change of amount cannot change the interval', async () => {
  const answer = await post({ amount: AMOUNT, repetition: 'WEEKLY' });
  expect([answer.statusCode, faultPaths(answer)]).toEqual([400, ['repetition']]);
  expect(admin.workflows.steered).toEqual([]);
});

test('a merchant in a capped category cannot change an amount to more than 50.00 EUR', async () => {
  const on = await admin.another({ policy: { ...SANDBOX, merchantCategoryCode: '4111' } });
  const ask = (value: number) => admin.call('POST', PATH, { body: { amount: { value, currency: 'EUR' } }, on });
  expect([(await ask(5001)).statusCode, (await ask(5000)).statusCode]).toEqual([400, 200]);
  await on.close();
});

test('a viewer cannot change the amount', async () => {
  expect((await post({ amount: AMOUNT }, 'viewer')).statusCode).toBe(403);
});

const pending: PendingChange = {
  amount: euros(2999),
  previousAmount: euros(1999),
  fromCycle: 2,
  effectiveAt: DUE,
  kind: 'increase',
  countsAsIncrease: true,
  announceAt: NOW,
  announcement: { kind: 'due' },
  requestedAt: NOW,
};

test('the pending change of amount is shown with the subscription, and withdrawn by DELETE', async () => {
  await change({ pendingChange: pending });
  const shown = (await admin.call('GET', '/v1/subscriptions/sub_a')).json<Record<string, unknown>>();
  expect(shown['pendingAmountChange']).toEqual({
    amount: AMOUNT,
    previousAmount: { value: 1999, currency: 'EUR' },
    fromCycle: 2,
    effectiveAt: '2027-03-31T12:00:00.000Z',
    kind: 'increase',
    countsAsIncrease: true,
    payerNotice: 'due',
  });
  admin.workflows.onSteer = async () => {
    await change({ pendingChange: null });
    return { kind: 'done' };
  };
  const answer = await admin.call('DELETE', `${PATH}/pending`, { role: 'operator' });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).not.toHaveProperty('pendingAmountChange');
  expect(admin.workflows.steered).toMatchObject([{ what: 'withdraw_change', id: ID }]);
});

test('a pending change of amount that a cycle has frozen cannot be withdrawn', async () => {
  admin.workflows.onSteer = () => ({
    kind: 'refused',
    code: 'state_conflict',
    message: 'cycle 2 has frozen the change',
  });
  const answer = await admin.call('DELETE', `${PATH}/pending`, { role: 'operator' });
  expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'state_conflict' }]);
});

test.each(['cancelled', 'completed'] as const)(
  'the amount of a subscription that is %s cannot be changed',
  async (status) => {
    await change({ status });
    expect((await post({ amount: AMOUNT })).statusCode).toBe(409);
    expect((await admin.call('DELETE', `${PATH}/pending`, { role: 'operator' })).statusCode).toBe(409);
  },
);
