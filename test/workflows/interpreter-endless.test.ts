import type { Step } from '../../src/contract/steps';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { type Call, START, step, StepWorld } from '../support/step-world';

/** Whatever the ledger returns over and over again, no workflow keeps its worker busy. */

const world = StepWorld.skippingTime();

const first = { cycle: 0, attempt: 0 };
/** The number of activities that one workflow may start per minute, on average. */
const MAX_PER_MINUTE = 10;

/** The most calls within one minute. */
function busiestMinute(calls: readonly Call[]): number {
  const within = ({ at }: Call) => calls.filter((other) => other.at >= at && other.at < at + MINUTE).length;
  return Math.max(...calls.map(within));
}

test('a workflow that gets the same step again and again for two hours asks for it once a minute in the end', async () => {
  const life = await world.begin('the same step for ever', () => step('collect', { attempt: first }));
  await life.pass(2 * HOUR);
  expect(life.calls.length).toBeLessThan(2 * 60 * MAX_PER_MINUTE);
  const lastHour = life.calls.filter(({ at }) => at >= START + HOUR);
  expect(lastHour.length).toBeGreaterThan(55);
  expect(busiestMinute(lastHour)).toBeLessThan(3);
  expect(await life.failedTasks()).toBe(0);
});

test('a workflow on a worker whose clock is 30 seconds behind asks at growing intervals from the due date on, until that clock reaches it', async () => {
  const behind = 30 * SECOND;
  const due = START + DAY;
  const untilDue: Step = step('wait', { until: due, then: first });
  const life = await world.begin('the same step for ever', ({ at }) =>
    at - behind < due ? untilDue : step('wait', { until: null }),
  );
  await life.pass(DAY + 10 * MINUTE);
  const asked = life.calls.filter(({ at }) => at >= due);
  // Two at once, then after 1, 2, 4, 8 and 16 seconds.
  expect(busiestMinute(asked)).toBe(7);
  const last = life.calls.at(-1)!;
  expect(last.at - behind).toBeGreaterThanOrEqual(due);
  expect(last.at - behind).toBeLessThan(due + MINUTE);
});
