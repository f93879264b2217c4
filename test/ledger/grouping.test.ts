import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import { followOverdue, groupItems, listAttention, queueOrphan, readAlarms, settleOrphan } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { DUE, NOW, REAL_NOW, sendOf, startDebit, subscribe, type Subscribed, useLedger } from './ledger-fixture';

const ledger = useLedger();
beforeEach(() => emptyLedger(ledger.pool));

const overdue = (now: number) =>
  followOverdue(ledger.pool, { now, realNow: REAL_NOW, settle: MINUTE, callsPerSecond: null, speed: 1 });

const items = async () => (await listAttention(ledger.pool, {}, { limit: 100, cursor: null })).items;
const kinds = async () => (await items()).map(({ kind }) => kind);

async function subscribeTimes(count: number): Promise<Subscribed[]> {
  const all: Subscribed[] = [];
  for (let each = 0; each < count; each += 1) all.push(await subscribe(ledger.pool));
  return all;
}

/** Creates this many subscriptions that are not due for a month. */
async function subscribeNotDue(count: number): Promise<void> {
  for (const { subscriptionId } of await subscribeTimes(count))
    await ledger.pool.query('update subscriptions set next_due_at = $2 where subscription_id = $1', [
      ...[subscriptionId, new Date(NOW + 30 * DAY)],
    ]);
}

test('many subscriptions overdue for one reason are one item, which says how many they are, and are listed again once they are few (rule 44)', async () => {
  const late = await subscribeTimes(6);
  await subscribeNotDue(5);
  await overdue(DUE + 2 * HOUR);
  expect(await kinds()).toEqual(['overdue', 'overdue', 'overdue', 'overdue', 'overdue', 'overdue']);

  for (const later of [0, MINUTE]) {
    await groupItems(ledger.pool, DUE + 2 * HOUR + later);
    expect(await items()).toMatchObject([
      {
        kind: 'installation',
        subscriptionId: null,
        ledger: {
          state: 'overdue/first_attempt',
          detail: expect.stringContaining('6 of 11 live subscriptions') as string,
        },
      },
    ]);
  }
  expect((await readAlarms(ledger.pool, NOW, REAL_NOW)).attentionItems).toMatchObject({ installation: 1, overdue: 6 });

  // One attempt starts, and five of eleven are not more than half.
  await startDebit(ledger.pool, sendOf(late[0]!));
  await overdue(DUE + 3 * HOUR);
  await groupItems(ledger.pool, DUE + 3 * HOUR);
  expect(await kinds()).toEqual(['overdue', 'overdue', 'overdue', 'overdue', 'overdue']);
});

test('an item that ends while it is grouped is not listed again', async () => {
  const late = await subscribeTimes(6);
  await overdue(DUE + 2 * HOUR);
  await groupItems(ledger.pool, DUE + 2 * HOUR);
  for (const each of late) await startDebit(ledger.pool, sendOf(each));
  await overdue(DUE + 2 * HOUR + MINUTE);
  await groupItems(ledger.pool, DUE + 2 * HOUR + MINUTE);
  expect(await items()).toEqual([]);
});

test('many subscriptions without a workflow are one item with the progress of their restart', async () => {
  const lost: SubscriptionId[] = (await subscribeTimes(6)).map(({ subscriptionId }) => subscriptionId);
  for (const id of lost) await queueOrphan(ledger.pool, { kind: 'subscription', id }, NOW);
  await settleOrphan(ledger.pool, { kind: 'subscription', id: lost[0]! }, true);
  await groupItems(ledger.pool, NOW);
  expect(await items()).toMatchObject([
    {
      kind: 'installation',
      ledger: {
        state: 'orphaned',
        detail: expect.stringContaining('1 restarted within a day, 5 are waiting') as string,
      },
    },
  ]);
  for (const id of lost) await settleOrphan(ledger.pool, { kind: 'subscription', id }, true);
  await groupItems(ledger.pool, NOW);
  expect(await items()).toEqual([]);
});
