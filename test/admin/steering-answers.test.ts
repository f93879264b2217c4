import { setTimeout as pause } from 'node:timers/promises';
import { DAY } from '../../src/domain/time';
import type { SteeringRequests } from '../../src/ledger';
import { createSteering } from '../../src/temporal';
import { subscribe, useLedger } from '../ledger/ledger-fixture';
import { TestClock } from './admin-under-test';
import { UNNOTIFIED } from './fake-gateway';

const ledger = useLedger();

test.each<[keyof SteeringRequests, object]>([
  ['pause', { until: null }],
  ['skip', { cycle: 1 }],
  ['cancel', {}],
])('%s is answered while the signal to its workflow is still on the way, and sends one', async (verb, request) => {
  const signals: number[] = [];
  const clock = new TestClock();
  const steering = createSteering({
    ...{ db: ledger.pool, answers: UNNOTIFIED, clock, increaseNotice: 14 * DAY, cancelMs: 0 },
    notify: (_id, revision) => {
      signals.push(revision);
      return new Promise(() => undefined);
    },
  });
  const { subscriptionId } = await subscribe(ledger.pool);
  const answered = steering.steer(verb, subscriptionId, { actor: 'ada', reason: null, ...request });
  expect(await Promise.race([answered, pause(60_000, 'late', { ref: false })])).toEqual({ kind: 'done' });
  expect(signals).toEqual([1]);
});
