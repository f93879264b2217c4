import type { SubscriptionId } from '../../src/domain/ids';
import { spreadOf } from '../../src/temporal';

const idOf = (n: number) => `sub_${n}` as SubscriptionId;

test('with SPREAD_SECONDS 0, first attempts are not delayed', () => {
  expect(spreadOf(idOf(1), 0)).toBe(0);
});

test('a subscription is always delayed by the same time', () => {
  expect(spreadOf(idOf(1), 3600)).toBe(spreadOf(idOf(1), 3600));
});

test('many subscriptions are spread evenly over SPREAD_SECONDS, and each is delayed by less than that', () => {
  const places = Array.from({ length: 10_000 }, (_, n) => spreadOf(idOf(n), 100));
  expect(places.every((ms) => Number.isInteger(ms) && ms >= 0 && ms < 100_000)).toBe(true);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const inTenth = places.filter((ms) => Math.floor(ms / 10_000) === tenth).length;
    expect(inTenth).toBeGreaterThan(800);
    expect(inTenth).toBeLessThan(1200);
  }
});
