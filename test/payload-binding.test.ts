import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { argumentOf, bind, resultOf, unreadable } from '../src/contract/bound-values';
import { bindActivities, createRefusalReport } from '../src/platform/payload-binding';
import { createTelemetry } from '../src/platform/metrics';
import { silentLog } from './support/silent-log';

/** Runs an activity that reports whether it was called, and with which input. */
async function run(isSealed: boolean, ...args: unknown[]): Promise<unknown> {
  const interceptors = [bindActivities(isSealed, () => undefined)];
  const environment = new MockActivityEnvironment({ activityType: 'refundPayment' }, { interceptors });
  return environment.run((...given: unknown[]) => Promise.resolve({ given }), ...args);
}

const REFUND = argumentOf('activity', 'refundPayment');

it('payload binding gives an activity the input that was bound to it, and binds the result to the activity', async () => {
  expect(await run(true, bind(REFUND, 7))).toEqual(bind(resultOf('activity', 'refundPayment'), { given: [7] }));
});

it('payload binding leaves inputs and results of an activity unchanged if nothing is encrypted', async () => {
  expect(await run(false, 7)).toEqual({ given: [7] });
});

it.each([
  ['that was copied from another activity', bind(argumentOf('activity', 'deliverNotice'), 7)],
  ['that was copied from a result', bind(resultOf('activity', 'refundPayment'), 7)],
  ['that is bound to nothing', 7],
  ['that could not be read', unreadable('no key')],
])('payload binding makes an activity fail permanently on an input %s', async (_, input) => {
  await expect(run(true, input)).rejects.toMatchObject({ nonRetryable: true, type: 'invalid_request' });
});

it('payload binding without keys also makes an activity fail permanently on an input that could not be read', async () => {
  await expect(run(false, unreadable('no JSON'))).rejects.toThrow(ApplicationFailure);
});

it('payload binding counts each refusal, and logs one line a minute with how many there were', async () => {
  jest.useFakeTimers();
  const { registry, recordRefusal } = createTelemetry({});
  const log = silentLog();
  const warned = jest.spyOn(log, 'warn').mockImplementation(() => undefined);
  const report = createRefusalReport(log, { recordRefusal });
  for (let n = 0; n < 3; n += 1) report('activity', 'refundPayment', 'no key');
  jest.advanceTimersByTime(59_999);
  report('signal', 'changed', 'no key');
  jest.advanceTimersByTime(1);
  report('signal', 'changed', 'no key');
  jest.useRealTimers();

  const line = { security: 'message.refused', why: 'no key' };
  expect(warned.mock.calls).toEqual([
    [{ ...line, what: 'activity refundPayment', refused: 1 }, 'security event'],
    [{ ...line, what: 'signal changed', refused: 4 }, 'security event'],
  ]);
  const { values } = await registry.getSingleMetric('dueday_refused_messages_total')!.get();
  expect(values).toEqual([
    { labels: { kind: 'activity' }, value: 3 },
    { labels: { kind: 'signal' }, value: 2 },
  ]);
});
