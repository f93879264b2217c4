import { euros } from '../../src/domain/money';
import { DAY, toIso } from '../../src/domain/time';
import { inTransaction, listEvents, recordUpcoming } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { count, DUE, NOW, subscribe, type Subscribed, useLedger } from './ledger-fixture';

const ledger = useLedger();
afterEach(() => emptyLedger(ledger.pool));

const announce = (until = DUE) => inTransaction(ledger.pool, (db) => recordUpcoming(db, NOW - DAY, until));
const patch = ({ subscriptionId }: Subscribed, assignments: string) =>
  ledger.pool.query(`update subscriptions set ${assignments} where subscription_id = $1`, [subscriptionId]);

/** Newest first. */
async function announced({ subscriptionId }: Subscribed): Promise<unknown[]> {
  const filter = { subscriptionId, type: 'cycle.upcoming' };
  return (await listEvents(ledger.pool, filter, { limit: 10, cursor: null })).items.map(({ data }) => data);
}

const FIRST = { cycle: 0, dueAt: toIso(DUE), amount: euros(1999) };

test('a coming cycle is announced once its due date is within the limit, and is not announced again', async () => {
  const subscribed = await subscribe(ledger.pool);
  expect([await announce(DUE - 1), await announce(), await announce()]).toEqual([0, 1, 0]);
  expect(await announced(subscribed)).toEqual([FIRST]);
});

test('the cycle after an announced one is announced, too', async () => {
  const subscribed = await subscribe(ledger.pool);
  await announce();
  await patch(subscribed, `next_due_at = next_due_at + interval '28 days'`);
  expect(await announce(DUE + 28 * DAY)).toBe(1);
  const second = { cycle: 1, dueAt: toIso(DUE + 28 * DAY), amount: euros(1999) };
  expect(await announced(subscribed)).toEqual([second, FIRST]);
});

test('all cycles of a pass are announced in three statements, each also as an event for the merchant', async () => {
  const all = [await subscribe(ledger.pool), await subscribe(ledger.pool), await subscribe(ledger.pool)];
  const statements = await inTransaction(ledger.pool, async (db) => {
    const query = jest.spyOn(db, 'query');
    try {
      expect(await recordUpcoming(db, NOW - DAY, DUE)).toBe(3);
      return query.mock.calls.length;
    } finally {
      query.mockRestore();
    }
  });
  expect(statements).toBe(3);
  for (const each of all) {
    expect(await announced(each)).toEqual([FIRST]);
    const { rows } = await ledger.pool.query(
      `select data ->> 'cycle' as cycle from merchant_events where subscription_id = $1 and type = 'cycle.upcoming'`,
      [each.subscriptionId],
    );
    expect(rows).toEqual([{ cycle: '0' }]);
  }
});

test('a coming debit that the audit log has already is not announced again, and its row is marked', async () => {
  const subscribed = await subscribe(ledger.pool);
  await announce();
  await patch(subscribed, 'upcoming_for = null');
  const events = await count(ledger.pool, 'merchant_events', subscribed.subscriptionId);
  expect([await announce(), await announce()]).toEqual([1, 0]);
  expect(await announced(subscribed)).toHaveLength(1);
  expect(await count(ledger.pool, 'merchant_events', subscribed.subscriptionId)).toBe(events);
});

test('if several processes check at once each cycle is announced once', async () => {
  const subscribed = await subscribe(ledger.pool);
  await Promise.all([announce(), announce(), announce()]);
  expect(await announced(subscribed)).toEqual([FIRST]);
});

test.each([`status = 'paused'`, `stopped_by = 'pause'`, 'next_due_at = null'])(
  'no debit is announced of a subscription with %s',
  async (assignment) => {
    const subscribed = await subscribe(ledger.pool);
    await patch(subscribed, assignment);
    expect(await announce()).toBe(0);
    expect(await announced(subscribed)).toEqual([]);
  },
);
