import { DAY } from '../../src/domain/time';
import {
  failUnsent,
  isAnsweredSince,
  openOrderItem,
  precheckAttempt,
  recordOrderOutcome,
  resolveOrder,
} from '../../src/ledger';
import { NOW, REAL_NOW, resolveAttempt, sendOf, settle, startDebit, subscribe, useLedger } from './ledger-fixture';
import { authorizedPayment, orderedCapture, startedOrder } from './payment-fixture';
import { refundOutcomes } from './refund-fixture';

/** What the last POSTs of the installation say about the service (rule 39). */

const ledger = useLedger();
const LATER = REAL_NOW + DAY;

async function isUnanswered(): Promise<boolean> {
  const { isUnanswered: found } = await precheckAttempt(ledger.pool, sendOf(await subscribe(ledger.pool)), NOW);
  return found;
}

const unsentCapture = async () => orderedCapture(ledger.pool, await authorizedPayment(ledger.pool), 700, NOW);

test('only an answer to a POST shows that the service answers again; an outcome that was recorded without an answer does not', async () => {
  for (let post = 1; post <= 5; post += 1) {
    const given = await subscribe(ledger.pool);
    await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given, { realAt: REAL_NOW + post })), 'unknown');
  }
  expect(await isUnanswered()).toBe(true);
  const act = { at: NOW, realAt: LATER };

  const late = { owner: 'worker-1', detail: 'CAPTURE_PERIOD_ENDED', description: 'too late' };
  await failUnsent(ledger.pool, { ...act, ...late, orderId: await unsentCapture() });
  const made = await unsentCapture();
  await openOrderItem(ledger.pool, made, 'HTTP 403', NOW);
  const word = { actor: 'Grace', outcome: 'successful', evidence: 'statement', serviceId: 'cap-made' } as const;
  expect(await resolveOrder(ledger.pool, { ...act, ...word, orderId: made })).toEqual({ kind: 'resolved' });
  const send = sendOf(await subscribe(ledger.pool));
  await settle(ledger.pool, await startDebit(ledger.pool, send), 'not_sent');
  const found = { outcome: 'failed', actor: 'ada', evidence: 'statement', nextDueAt: null } as const;
  const ids = { authorizationId: null, captureId: null };
  expect(await resolveAttempt(ledger.pool, { ...send, ...found, ...ids, ...act })).toMatchObject({ kind: 'resolved' });
  expect([await isUnanswered(), await isAnsweredSince(ledger.pool, REAL_NOW + 5)]).toEqual([true, false]);

  const answered = await startedOrder(ledger.pool, await unsentCapture(), LATER + 1);
  await recordOrderOutcome(ledger.pool, answered, refundOutcomes().failed, NOW);
  expect([await isUnanswered(), await isAnsweredSince(ledger.pool, REAL_NOW + 5)]).toEqual([false, true]);
});
