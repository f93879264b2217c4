import type { SubscriptionId } from '../../src/domain/ids';
import { readConsentsDue } from '../../src/ledger';
import { askConsent, DUE, subscribe, type Subscribed, useLedger } from './ledger-fixture';
import { emptyLedger } from '../support/empty-ledger';

const ledger = useLedger();
afterEach(() => emptyLedger(ledger.pool));

const patch = ({ subscriptionId }: Subscribed, assignments: string) =>
  ledger.pool.query(`update subscriptions set ${assignments} where subscription_id = $1`, [subscriptionId]);
const idsDue = async (dueBy: number, after: SubscriptionId | null = null, atOnce = 10) =>
  (await readConsentsDue(ledger.pool, dueBy, after, atOnce)).map(({ subscriptionId }) => subscriptionId);

test('a due date on the limit is within it, one a millisecond later is not', async () => {
  const { subscriptionId, paymentId } = await subscribe(ledger.pool);
  expect(await readConsentsDue(ledger.pool, DUE, null, 10)).toEqual([{ subscriptionId, paymentId }]);
  expect(await idsDue(DUE + 1)).toEqual([subscriptionId]);
  expect(await idsDue(DUE - 1)).toEqual([]);
});

test('active and paused ones are looked at, and nobody else', async () => {
  const [active, paused, cancelling, cancelled, completed] = await Promise.all([
    subscribe(ledger.pool),
    subscribe(ledger.pool),
    subscribe(ledger.pool),
    subscribe(ledger.pool),
    subscribe(ledger.pool),
  ]);
  await askConsent(ledger.pool);
  await patch(paused, `status = 'paused', hold = 'pause'`);
  await patch(cancelling, `hold = 'cancel'`);
  await patch(cancelled, `status = 'cancelled'`);
  await patch(completed, `status = 'completed'`);
  const silent = await subscribe(ledger.pool);
  await patch(silent, 'next_due_at = null');
  expect(await idsDue(DUE)).toEqual([active.subscriptionId, paused.subscriptionId].sort());
});

test('page after page gives each of them once, in the order of their ids', async () => {
  const made = [];
  for (let n = 0; n < 5; n += 1) made.push((await subscribe(ledger.pool)).subscriptionId);
  const all = made.sort();
  const first = await idsDue(DUE, null, 2);
  expect(first).toEqual(all.slice(0, 2));
  expect(await idsDue(DUE, first[1], 2)).toEqual(all.slice(2, 4));
  expect(await idsDue(DUE, all[4], 2)).toEqual([]);
});
