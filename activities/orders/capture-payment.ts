import type { CaptureProgress, CaptureTurn } from '../../src/contract/payments';
import { isInTime } from '../../src/domain/payment/capture-rules';
import type { PaymentId } from '../../src/domain/ids';
import { isInDoubt } from '../../src/domain/send';
import { MINUTE, toIso } from '../../src/domain/time';
import { type CaptureRecord, getPayment, openCaptures, type PaymentRecord, readPaymentMemory } from '../../src/ledger';
import { type Capture, mapAnswer } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { paymentOnRecord } from '../payment/follow';
import { executeOrder } from './execute';
import { type ListedOrder, notOrdered, type Order } from './order';

/** Real ms for which one that stands back is followed before. */
const LONGEST_TURN = MINUTE;

/**
 * One capture whole, see {@link executeOrder}; or until it has been pending for a minute. One in doubt is settled before it.
 * What was ordered before a final one is sent before it, and followed with it.
 */
export async function capturePayment(deps: Dependencies, input: CaptureTurn): Promise<CaptureProgress> {
  const { orderId, paymentId } = input;
  const payment = await getPayment(deps.ledger, paymentId);
  const capture = payment?.captures.find((each) => each.orderId === orderId);
  if (payment === null || capture === undefined) throw notOrdered('capture', orderId);
  const transit = await transitOf(deps, paymentId);
  const execute = (each: CaptureRecord, pendingFor: number) =>
    executeOrder(deps, captureOrder(deps, payment, each, transit), pendingFor);
  for (const other of openCaptures(payment)) {
    if (other.orderId !== orderId && goesBefore(other, capture)) await execute(other, 0);
  }
  const pendingFor = input.standsBack === true ? LONGEST_TURN : Infinity;
  let { state } = await execute(capture, pendingFor);
  for (const other of await pendingBeside(deps, capture)) {
    if ((await execute(other, pendingFor)).state === 'pending') state = 'pending';
  }
  const { status } = await paymentOnRecord(deps, paymentId);
  return { kind: state === 'successful' || state === 'pending' ? state : 'failed', status };
}

/** Ms before the deadline from which on no capture of the payment is sent, as it was agreed when the payment was requested. */
export async function transitOf({ ledger }: Dependencies, paymentId: PaymentId): Promise<number> {
  return (await readPaymentMemory(ledger, paymentId)).transit ?? 0;
}

/**
 * One in doubt holds every other, and may wait for its own turn behind it. A final one releases the rest at the service: what
 * is not sent by then never can be, and all of that was ordered before it, as none is taken after it (rule 26).
 */
function goesBefore(other: CaptureRecord, capture: CaptureRecord): boolean {
  return isInDoubt(other.state) || (capture.finalCapture && isUnsent(capture) && isUnsent(other));
}

function isUnsent({ state }: CaptureRecord): boolean {
  return state === 'ordered' || state === 'not_sent';
}

/** What was sent before a final one: where this turn has sent it, the payment's workflow does not know to follow it. */
async function pendingBeside(
  deps: Dependencies,
  { finalCapture, orderId, paymentId }: CaptureRecord,
): Promise<readonly CaptureRecord[]> {
  if (!finalCapture) return [];
  const open = openCaptures(await paymentOnRecord(deps, paymentId));
  return open.filter((each) => each.state === 'pending' && each.orderId !== orderId);
}

/**
 * As the ledger has it ordered, regardless of any message. Sent strictly before the deadline, less the transit margin, or
 * never (rule 26).
 * @param transit ms
 */
export function captureOrder(
  { service, clock }: Dependencies,
  { paymentId, captureBy }: PaymentRecord,
  { orderId, amount, finalCapture, createdAt: orderedAt }: CaptureRecord,
  transit: number,
): Order {
  if (orderId === null || captureBy === null) throw new Error(`payment ${paymentId} has a capture without an order`);
  return {
    subject: { kind: 'capture', orderId, paymentId, subscriptionId: null, cycle: null },
    orderedAt,
    deadline: captureBy,
    list: async () => mapAnswer(await service.listCaptures(paymentId), (all) => all.map(listed)),
    post: async (options) => mapAnswer(await service.capture(paymentId, { amount, finalCapture }, options), listed),
    whyOver: () =>
      isInTime(clock.now(), captureBy, transit)
        ? null
        : { detail: 'CAPTURE_PERIOD_ENDED', description: `it was to arrive before ${toIso(captureBy)}` },
  };
}

function listed(capture: Capture): ListedOrder {
  return { ...capture, id: capture.captureId };
}
