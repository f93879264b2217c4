import { SECOND } from '../../src/domain/time';
import { step, StepWorld } from '../support/step-world';
import { waitUntil } from '../support/wait-until';

/** Real time and a real server: a workflow in an endless loop must not affect others. */

const world = StepWorld.onDevServer();

const ENDLESS = 10;
const OTHERS = 20;

test('while ten workflows repeat the same step endlessly, others start within a second', async () => {
  const endless = await Promise.all(
    Array.from({ length: ENDLESS }, () =>
      world.begin('the same step for ever', () => step('collect', { attempt: { cycle: 0, attempt: 0 } })),
    ),
  );
  await waitUntil('all of them go round', () => endless.every(({ calls }) => calls.length > 3));
  const waits: number[] = [];
  for (let n = 0; n < OTHERS; n += 1) {
    const startedAt = performance.now();
    const other = await world.begin('a step a day', () => step('wait', { until: null }));
    await waitUntil('it has asked the ledger', () => other.calls.length === 1);
    waits.push(performance.now() - startedAt);
  }
  expect(waits.filter((ms) => ms >= SECOND)).toEqual([]);
});
