import { isFinal, type OrderSendState } from '../../src/domain/send';
import { readOrderSend, type OrderOutcome, type OrderSendRef, recordOrderOutcome } from '../../src/ledger';
import { NOW, useLedger } from './ledger-fixture';
import { startSend, createCollected, placeRefund, refundOutcomes } from './refund-fixture';

const STATES = [
  'sending',
  'pending',
  'unknown',
  'unresolved',
  'successful',
  'failed',
  'not_sent',
] as const satisfies readonly OrderSendState[];

const ALLOWED = new Set([
  ...['pending', 'unknown', 'unresolved', 'successful', 'failed', 'not_sent'].map((to) => `sending → ${to}`),
  ...['successful', 'failed'].map((to) => `pending → ${to}`),
  ...['pending', 'unresolved', 'successful', 'failed', 'not_sent'].map((to) => `unknown → ${to}`),
  ...['pending', 'successful', 'failed', 'not_sent'].map((to) => `unresolved → ${to}`),
]);

const MOVES = STATES.flatMap((from) => STATES.filter((to) => to !== from).map((to) => [from, to] as const));
const isAllowed = ([from, to]: readonly [string, string]) => ALLOWED.has(`${from} → ${to}`);

const ledger = useLedger();

async function sendIn(state: OrderSendState): Promise<OrderSendRef> {
  const ref = await startSend(ledger.pool, await placeRefund(ledger.pool, await createCollected(ledger.pool), 500));
  if (state !== 'sending') await move(ref, state);
  return ref;
}

async function move(ref: OrderSendRef, state: OrderSendState, named = true): Promise<void> {
  await ledger.pool.query(
    `update order_sends set state = $2, outcome_at = $3, service_id = coalesce(service_id, $4)
     where order_id = $1`,
    [ref.orderId, state, isFinal(state) ? new Date(NOW) : null, named ? `service-${ref.orderId}` : null],
  );
}

test.each(MOVES.filter(isAllowed))('the database allows a send of a refund to go from %s to %s', async (from, to) => {
  const ref = await sendIn(from);
  await move(ref, to);
  expect((await readOrderSend(ledger.pool, ref))?.state).toBe(to);
});

test.each(MOVES.filter((each) => !isAllowed(each)))(
  'the database refuses to let a send of a refund go from %s to %s',
  async (from, to) => {
    const ref = await sendIn(from);
    await expect(move(ref, to)).rejects.toThrow(`${from} to ${to} is refused`);
  },
);

test.each(STATES.filter((state) => state !== 'sending'))(
  'the database refuses a new send of a refund with the state %s',
  async (state) => {
    const refund = await placeRefund(ledger.pool, await createCollected(ledger.pool), 500);
    const insert = ledger.pool.query(
      `insert into order_sends (order_id, send, payment_id, state, at, sending_real_at, owner, service_id, outcome_at)
       values ($1, 0, $2, $3, now(), now(), 'w', 'other', $4)`,
      [refund.refundId, refund.paymentId, state, isFinal(state) ? new Date(NOW) : null],
    );
    await expect(insert).rejects.toThrow(`begins as sending, not as ${state}`);
  },
);

test.each(['pending', 'successful'] as const)(
  "no send of a refund becomes %s without the service's id of the refund",
  async (state) => {
    await expect(move(await sendIn('sending'), state, false)).rejects.toThrow('order_sends_known_is_named');
  },
);

const OUTCOMES = STATES.filter((state): state is OrderOutcome['state'] => state !== 'sending');

test.each(STATES.flatMap((from) => OUTCOMES.map((to) => [from, to] as const)))(
  'an outcome of a refund is recorded only if its transition is allowed: %s, then %s',
  async (from, to) => {
    const ref = await sendIn(from);
    const result = await recordOrderOutcome(ledger.pool, ref, refundOutcomes()[to], NOW + 5);
    const recorded = ALLOWED.has(`${from} → ${to}`);
    expect(result).toMatchObject({ kind: recorded ? 'recorded' : 'unchanged', send: { state: recorded ? to : from } });
    expect(await readOrderSend(ledger.pool, ref)).toEqual(result.send);
  },
);
