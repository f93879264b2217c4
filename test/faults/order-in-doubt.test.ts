import { MINUTE } from '../../src/domain/time';
import { useWorld, type World } from '../activities/activity-world';
import {
  authorized,
  capture,
  capturePosts,
  orderedCapture,
  orderedPaymentRefund,
  orderSends,
  paymentActivities,
} from '../activities/payment-world';
import { refund, refundOnce } from '../activities/refund-world';

const test = useWorld();
const POST = { method: 'POST', path: '/refunds$' } as const;

async function lateBesideRefund(world: World) {
  const reference = await authorized(world);
  await capture(world, await orderedCapture(world, reference, 3_000));
  const late = await orderedCapture(world, reference, 1_000);
  const inDoubt = await orderedPaymentRefund(world, reference, 500);
  world.sandbox.faults.add({ kind: 'swallowed', match: POST });
  expect(await refundOnce(world, inDoubt)).toMatchObject({ type: 'outcome_unknown' });
  world.clock.passUntil(late.captureBy);
  return { late, inDoubt };
}

describe('a capture beside a refund of its payment that is in doubt', () => {
  it('fault 35: past its deadline waits in growing pauses while a refund is in doubt, and fails once that is settled', async () => {
    const { world } = test;
    const { late, inDoubt } = await lateBesideRefund(world);
    const pauses: number[] = [];
    const onStop = ({ type, message, pause }: { type: string; message: string; pause: number }) => {
      expect({ type, message }).toEqual({ type: 'blocked', message: 'another order of this payment is in doubt' });
      pauses.push(pause);
    };
    await expect(capture(world, late, {}, { maxRuns: 40, onStop })).rejects.toThrow('no answer after 40 runs');
    expect([pauses[0], pauses.at(-1)]).toEqual([500, MINUTE]);
    expect(await orderSends(world, late.orderId)).toEqual([]);
    await refund(world, inDoubt);
    expect((await capture(world, late)).result.kind).toBe('failed');
    expect(capturePosts(world)).toBe(1);
  });

  it('fault 35: its payment is not expired meanwhile, and the looks grow rarer', async () => {
    const { world } = test;
    const reference = await authorized(world);
    await capture(world, await orderedCapture(world, reference, 3_000));
    const { captureBy } = await orderedCapture(world, reference, 1_000);
    const given = await orderedPaymentRefund(world, reference, 500);
    world.sandbox.faults.add({ kind: 'swallowed', match: POST });
    await refundOnce(world, given);
    world.clock.passUntil(captureBy);
    const pauses: number[] = [];
    const expiring = world.driver.drive(() => paymentActivities(world).expirePayment(reference), {
      maxRuns: 40,
      onStop: ({ type, pause }) => void pauses.push(type === 'blocked' ? pause : -1),
    });
    await expect(expiring).rejects.toThrow('no answer after 40 runs');
    expect([Math.min(...pauses), pauses.at(-1)]).toEqual([500, MINUTE]);
  });
});
