import { MINUTE } from '../../src/domain/time';
import { useWorld, type World } from '../activities/activity-world';
import {
  createAuthorized,
  capture,
  capturePosts,
  decide,
  orderedCapture,
  orderedPaymentRefund,
  orderSends,
} from '../activities/payment-world';
import { refund, refundOnce } from '../activities/refund-world';

const holder = useWorld();
const POST = { method: 'POST', path: '/refunds$' } as const;

async function lateBesideRefund(world: World) {
  const reference = await createAuthorized(world);
  await capture(world, await orderedCapture(world, reference, 3_000));
  const late = await orderedCapture(world, reference, 1_000);
  const unknownOutcomes = await orderedPaymentRefund(world, reference, 500);
  world.sandbox.faults.add({ kind: 'swallowed', match: POST });
  expect(await refundOnce(world, unknownOutcomes)).toMatchObject({ type: 'outcome_unknown' });
  world.clock.passUntil(late.captureBy);
  return { late, unknownOutcomes };
}

it('fault 35: a capture past its deadline waits at growing intervals while the outcome of a refund is unknown, and fails once that is settled', async () => {
  const { world } = holder;
  const { late, unknownOutcomes } = await lateBesideRefund(world);
  const waits: number[] = [];
  const onStop = ({ type, message, wait }: { type: string; message: string; wait: number }) => {
    expect({ type, message }).toEqual({
      type: 'blocked',
      message: 'another order of this payment has an unknown outcome',
    });
    waits.push(wait);
  };
  await expect(capture(world, late, {}, { maxRuns: 40, onStop })).rejects.toThrow('no answer after 40 runs');
  expect([waits[0], waits.at(-1)]).toEqual([500, MINUTE]);
  expect(await orderSends(world, late.orderId)).toEqual([]);
  await refund(world, unknownOutcomes);
  expect((await capture(world, late)).result.kind).toBe('failed');
  expect(capturePosts(world)).toBe(1);
});

it('fault 35: a payment whose capture waits for the outcome of a refund waits for a change, and ends once the capture has failed', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  await capture(world, await orderedCapture(world, reference, 3_000));
  const late = await orderedCapture(world, reference, 1_000);
  const given = await orderedPaymentRefund(world, reference, 500);
  world.sandbox.faults.add({ kind: 'swallowed', match: POST });
  await refundOnce(world, given);
  world.clock.passUntil(late.captureBy);
  expect(await decide(world, reference)).toMatchObject({ kind: 'wait', until: null });
  await refund(world, given);
  expect((await capture(world, late)).result.kind).toBe('failed');
  expect(await decide(world, reference)).toMatchObject({ kind: 'finish', show: { status: 'captured' } });
});
