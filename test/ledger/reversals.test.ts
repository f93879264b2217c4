import { euros } from '../../src/domain/money';
import { DAY, HOUR } from '../../src/domain/time';
import {
  actOnAttention,
  findReversal,
  listAttention,
  listTransactions,
  readSend,
  type TransactionFilter,
  type TransactionRecord,
} from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { compare, listed } from './compared-fixture';
import { NOW, useLedger } from './ledger-fixture';
import { authorizedPayment, recordBooking, sendOrder, orderedCapture, SINGLE } from './payment-fixture';
import { collectAgain, createCollected, type Collected, placeRefund } from './refund-fixture';

const ledger = useLedger();
let shop: Collected;
let authorizationId: string;

beforeEach(async () => {
  await emptyLedger(ledger.pool);
  shop = await createCollected(ledger.pool);
  const sent = await readSend(ledger.pool, { ...shop, cycle: 0, attempt: 0, send: 0 });
  authorizationId = sent?.authorizationId ?? '';
});

const AT = NOW + DAY;

async function every(filter: TransactionFilter = {}): Promise<readonly TransactionRecord[]> {
  return (await listTransactions(ledger.pool, filter, null, 50)).items;
}

/** Compares the subscription's payment with the service, which has the debit in this state, and these refunds of it, in cents. */
function compareWith(status: string, refunds: readonly number[] = [], at = AT): Promise<void> {
  const { captureId } = shop;
  const service = listed(
    [{ authorizationId, captureId, cents: 1999, status }],
    refunds.map((cents) => [captureId, cents] as const),
  );
  return compare(ledger.pool, shop, service, at);
}

const NOT_REVERSED = { reversedAt: null, reversedAmount: null, reversedAs: null };

test('a debit to which the service gives an unknown status counts as reversed elsewhere, from the time of the comparison (rule 41)', async () => {
  expect(await every()).toMatchObject([NOT_REVERSED]);
  await compareWith('reversed');
  const reversal = { reversedAt: AT, reversedAmount: euros(1999), reversedAs: 'reversed' };
  expect(await every()).toMatchObject([{ type: 'debit', status: 'successful', ...reversal }]);
  await compareWith('reversed', [], AT + DAY);
  expect(await every()).toMatchObject([reversal]);
  expect(await findReversal(ledger.pool, shop)).toEqual(reversal);
});

test.each([
  [[1000, 998], 1998],
  [[1000, 999], 1999],
  [[1000, 1000], 1999],
])(
  'refunds made elsewhere, of %j cents, count as %d cents reversed, never more than the debit',
  async (refunds, cents) => {
    await compareWith('successful', refunds);
    const reversal = { reversedAt: AT, reversedAmount: euros(cents), reversedAs: null };
    expect(await every()).toMatchObject([reversal]);
  },
);

test.each(['successful', 'pending'])(
  "a debit with the service's status %s does not count as reversed",
  async (status) => {
    await compareWith(status);
    expect(await every()).toMatchObject([NOT_REVERSED]);
    expect(await findReversal(ledger.pool, shop)).toBeNull();
  },
);

test('a refund that was ordered here marks no debit as reversed, and is not marked as reversed itself', async () => {
  await placeRefund(ledger.pool, shop, 500);
  await compareWith('reversed');
  expect(await every({ type: 'refund' })).toMatchObject([NOT_REVERSED]);
  expect(await every({ reversed: true })).toMatchObject([{ type: 'debit' }]);
});

test('a debit is no longer marked as reversed once a later comparison does not find the reversal', async () => {
  await compareWith('reversed');
  await compareWith('successful', [], AT + DAY);
  expect(await every()).toMatchObject([NOT_REVERSED]);
});

test('a debit stays marked as reversed after an operator has closed the difference as explained', async () => {
  await compareWith('reversed');
  const { items } = await listAttention(ledger.pool, { kind: 'debit_state' }, { limit: 2, cursor: null });
  const action = { kind: 'close', reason: 'charged back by the bank' } as const;
  await actOnAttention(ledger.pool, items[0]!.itemId, action, { actor: 'till', at: AT + HOUR });
  await compareWith('reversed', [], AT + DAY);
  expect(await every()).toMatchObject([{ reversedAt: AT, reversedAs: 'reversed' }]);
});

test('the filter `reversed` divides the movements of money into those that were reversed elsewhere and all others', async () => {
  await collectAgain(ledger.pool, shop, 1);
  const other = await createCollected(ledger.pool);
  await compareWith('reversed');
  const of = (items: readonly TransactionRecord[]) => items.map(({ subscriptionId, cycle }) => [subscriptionId, cycle]);
  const rest = [
    [shop.subscriptionId, 1],
    [other.subscriptionId, 0],
  ];
  expect(of(await every({ reversed: true }))).toEqual([[shop.subscriptionId, 0]]);
  expect(of(await every({ reversed: false })).toSorted()).toEqual(rest.toSorted());
  expect(await every({ reversed: true, reference: 'nobody' })).toEqual([]);
  expect(await every({ reversed: true, paymentId: other.paymentId })).toEqual([]);
  expect(of(await every({ reversed: true, reference: 'customer-7' }))).toEqual([[shop.subscriptionId, 0]]);
  expect(await every({ reversed: true, status: 'failed' })).toEqual([]);
});

test('a reversal of a one-time payment marks its booking, or only the capture that was reversed', async () => {
  const single = await authorizedPayment(ledger.pool, SINGLE);
  const booking = await recordBooking(ledger.pool, single, 'successful', NOW + HOUR);
  const reserved = await authorizedPayment(ledger.pool);
  const captures = [];
  for (const cents of [3000, 2000]) {
    captures.push(await sendOrder(ledger.pool, await orderedCapture(ledger.pool, reserved, cents, NOW + HOUR)));
  }
  const ofSingle = { authorizationId: `aut-${single.requestId}`, captureId: booking, cents: 10_000 };
  await compare(ledger.pool, single, listed([{ ...ofSingle, status: 'charged_back' }]), AT);
  const [first, second] = captures.map((captureId, index) => {
    return { authorizationId: `aut-${reserved.requestId}`, captureId, cents: [3000, 2000][index]! };
  });
  const service = listed([first!, { ...second!, status: 'reversed' }]);
  await compare(ledger.pool, reserved, { ...service, authorizations: service.authorizations.slice(0, 1) }, AT);

  const marked = await every({ reversed: true });
  expect(marked.map(({ type, captureId, reversedAs }) => [type, captureId, reversedAs]).toSorted()).toEqual(
    [
      ['debit', booking, 'charged_back'],
      ['capture', captures[1], 'reversed'],
    ].toSorted(),
  );
});
