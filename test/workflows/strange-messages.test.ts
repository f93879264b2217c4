import { ApplicationFailure } from '@temporalio/common';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { WorkflowWorld } from '../support/workflow-world';

/** From Temporal's Web UI and command line people can send anything. It is refused, and the workflow goes on. */

const world = WorkflowWorld.skippingTime();

const BY = { actor: 'ops', reason: null };
const UPDATES: readonly [name: string, ...args: unknown[]][] = [
  ['pause'],
  ['pause', null],
  ['pause', { ...BY, until: 'soon' }],
  ['resume', 'now'],
  ['cancel', []],
  ['checkConsent', { actor: 3 }],
  ['skipCycle', { ...BY, cycle: 1e15, revision: 1e15 }],
  ['retryCycle', { ...BY, cycle: {} }],
  ['changeAmount', { ...BY, amount: 5, fromCycle: null, announceAhead: 0 }],
  ['withdrawChange', { ...BY, settled: 7 }],
  ['resolveCycle', { cycle: 0 }],
  ['acknowledge', {}],
];

test('each is refused as no such request, and the next due date is collected', async () => {
  const subscription = await world.subscribe({
    path: 'strange messages',
    now: '2027-01-15T08:00:00Z',
    firstPaymentAt: '2027-01-31T10:00:00Z',
  });
  const { handle } = subscription;
  for (const [name, ...args] of UPDATES) {
    const error = await handle
      .executeUpdate<void, [unknown]>(name, { args: args as [unknown] })
      .catch((caught: unknown) => caught);
    expect([name, error]).toEqual([name, expect.any(WorkflowUpdateFailedError)]);
    const { cause } = error as WorkflowUpdateFailedError;
    expect(cause).toBeInstanceOf(ApplicationFailure);
    expect((cause as ApplicationFailure).type).toBe('invalid_request');
  }
  // Nothing was adopted: there is never an answer, and who waited for it would hold up the next run.
  const adopting = await handle.executeUpdate('adoptConsent').catch((caught: unknown) => caught);
  expect((adopting as WorkflowUpdateFailedError).cause).toMatchObject({ type: 'state_conflict' });
  await handle.signal<unknown[]>('steered', 'x');
  await handle.signal<unknown[]>('lookAtConsent', { surplus: true });
  await handle.signal<unknown[]>('replacement');
  await subscription.until('the signal is in the trail', ({ trail }) => trail.includes('request.refused'));
  expect(await faultOf(handle.query<unknown, unknown[]>('judgeChange', 'x'))).toContain(
    'query judgeChange takes an object',
  );

  await subscription.advanceTo('2027-02-10T00:00:00Z');
  expect(subscription.sent).toEqual(['0/0 2027-01-31 10:00']);
  const refused = subscription.bank.changes.flatMap(({ events }) => events);
  expect(refused.find(({ type }) => type === 'request.refused')?.data).toEqual({
    request: 'cancel',
    code: 'invalid_request',
    message: 'signal replacement takes an object; got nothing',
  });
});

/** The server's words are in the message, or only in its cause, by how it asked the worker. */
async function faultOf(query: Promise<unknown>): Promise<string> {
  const error = await query.catch((caught: unknown) => caught);
  if (!(error instanceof Error)) throw new Error('it was answered');
  return `${error.message} ${String((error.cause as { readonly details?: string } | undefined)?.details)}`;
}
