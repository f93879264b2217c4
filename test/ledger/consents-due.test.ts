import { DAY } from '../../src/domain/time';
import { type DueConsentPosition, readDueConsents, recordConsentAnswer } from '../../src/ledger';
import { askConsent, DUE, NOW, subscribe, type Subscribed, useLedger } from './ledger-fixture';
import { emptyLedger } from '../support/empty-ledger';

const ledger = useLedger();
afterEach(() => emptyLedger(ledger.pool));

const patch = ({ subscriptionId }: Subscribed, assignments: string) =>
  ledger.pool.query(`update subscriptions set ${assignments} where subscription_id = $1`, [subscriptionId]);
const idsDue = async (dueBy: number, after: DueConsentPosition | null = null, atOnce = 10) =>
  (await readDueConsents(ledger.pool, dueBy, after, atOnce)).map(({ subscriptionId }) => subscriptionId);

test('the consents to check include one due exactly on the limit, but not one due a millisecond later', async () => {
  const { subscriptionId, paymentId } = await subscribe(ledger.pool);
  expect(await readDueConsents(ledger.pool, DUE, null, 10)).toEqual([{ subscriptionId, paymentId, dueAt: DUE }]);
  expect(await idsDue(DUE + 1)).toEqual([subscriptionId]);
  expect(await idsDue(DUE - 1)).toEqual([]);
});

test('only consents of active and paused subscriptions that are not being cancelled and have a next due date are checked', async () => {
  const [active, paused, cancelling, cancelled, completed] = await Promise.all([
    subscribe(ledger.pool),
    subscribe(ledger.pool),
    subscribe(ledger.pool),
    subscribe(ledger.pool),
    subscribe(ledger.pool),
  ]);
  await askConsent(ledger.pool);
  await patch(paused, `status = 'paused', stopped_by = 'pause'`);
  await patch(cancelling, `stopped_by = 'cancel'`);
  await patch(cancelled, `status = 'cancelled'`);
  await patch(completed, `status = 'completed'`);
  const silent = await subscribe(ledger.pool);
  await patch(silent, 'next_due_at = null');
  expect(await idsDue(DUE)).toEqual([active.subscriptionId, paused.subscriptionId].sort());
});

test('pages of consents to check list each consent once, the next due first, then by id', async () => {
  const made = [];
  for (let n = 0; n < 5; n += 1) made.push((await subscribe(ledger.pool)).subscriptionId);
  const [soonest = '', ...others] = made.sort().reverse();
  await ledger.pool.query(
    `update subscriptions set next_due_at = next_due_at - interval '1 day' where subscription_id = $1`,
    [soonest],
  );
  const all = [soonest, ...others.reverse()];
  const behind = (index: number) => ({ dueAt: index === 0 ? DUE - DAY : DUE, subscriptionId: all[index]! });
  expect(await idsDue(DUE, null, 2)).toEqual(all.slice(0, 2));
  expect(await idsDue(DUE, behind(1) as DueConsentPosition, 2)).toEqual(all.slice(2, 4));
  expect(await idsDue(DUE, behind(4) as DueConsentPosition, 2)).toEqual([]);
});

test('a consent found valid is not checked again until the next due date, whatever else checks it meanwhile', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const answer = { subscriptionId, status: 'successful', at: NOW, reason: null } as const;
  await recordConsentAnswer(ledger.pool, answer);
  expect(await idsDue(DUE)).toEqual([subscriptionId]);
  await recordConsentAnswer(ledger.pool, { ...answer, checkedFor: DUE });
  await recordConsentAnswer(ledger.pool, { ...answer, at: NOW + 1 });
  expect(await idsDue(DUE)).toEqual([]);
  await ledger.pool.query(`update subscriptions set next_due_at = next_due_at + interval '30 days'`);
  expect(await idsDue(DUE + 30 * DAY)).toEqual([subscriptionId]);
});
