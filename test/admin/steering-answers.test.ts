import { setTimeout as pause } from 'node:timers/promises';
import { DAY } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { recordOutcome, type SteeringRequests } from '../../src/ledger';
import { createSteering } from '../../src/temporal';
import { NOW, outcomes, sendOf, startDebit, subscribe, useLedger } from '../ledger/ledger-fixture';
import { TestClock } from './admin-under-test';
import { UNNOTIFIED } from './fake-subscriptions';

const ledger = useLedger();

test.each<[keyof SteeringRequests, object]>([
  ['pause', { until: null }],
  ['skip', { cycle: 1 }],
  ['cancel', {}],
])(
  'a request to %s is answered without waiting for its signal to the workflow, and sends one signal',
  async (verb, request) => {
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
  },
);

test('a repeated change of amount gets its first response while the change is pending, and never the response of another request', async () => {
  const steering = createSteering({
    ...{ db: ledger.pool, answers: UNNOTIFIED, clock: new TestClock(), increaseNotice: 14 * DAY, cancelMs: 0 },
    notify: async () => undefined,
  });
  const given = await subscribe(ledger.pool);
  const collected = { type: 'attempt.successful', data: {} } as const;
  await recordOutcome(ledger.pool, await startDebit(ledger.pool, sendOf(given)), outcomes().successful, NOW, collected);
  const change = (requestId: string, cents: number) =>
    steering.changeAmount(given.subscriptionId, {
      ...{ actor: 'ada', reason: null, requestId },
      amount: euros(cents),
      fromCycle: null,
    });
  const first = await change('first', 1500);
  expect(first).toMatchObject({ kind: 'changed', change: { amount: euros(1500) } });
  expect(await change('first', 1500)).toEqual(first);
  expect(await change('second', 1200)).toMatchObject({ kind: 'changed', change: { amount: euros(1200) } });
  expect(await change('first', 1500)).toMatchObject({ kind: 'refused', code: 'state_conflict' });
  expect(await change('second', 1200)).toMatchObject({ kind: 'changed', change: { amount: euros(1200) } });
});
