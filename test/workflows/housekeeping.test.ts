import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { tsToMs } from '@temporalio/common/lib/time';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import {
  type DailyInput,
  type ReconcileInput,
  RECONCILIATION_WORKFLOW,
  type ReconciliationInput,
  type ReconciliationResult,
} from '../../src/contract/housekeeping';
import { toBusiness, DAY, HOUR, toIso } from '../../src/domain/time';
import { FIRST } from '../../src/domain/daily-work';
import type { PathName } from '../replay/paths';
import { recordHistories } from '../replay/recording';
import {
  consents,
  type HousekeepingCall,
  type HousekeepingScript,
  minuteOf,
  runHousekeeping,
} from '../support/housekeeping-life';
import { startTimeSkippingEnv, testWorkflows } from '../support/temporal';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await startTimeSkippingEnv();
});
afterAll(() => env.teardown());

const live = (script: HousekeepingScript, path?: PathName) => runHousekeeping(env, script, path);

const namesAt = (calls: readonly HousekeepingCall[]) => calls.map(({ name, at }) => [at, name]);
/** When the workflow is first started, it searches for lost workflows at once. */
const atFirst = (at: string) => [at, 'findOrphans'];
const ofADay = (at: string) => [
  [at, 'checkDueConsents'],
  [at, 'removeLeftovers'],
  [at, 'findOrphans'],
  [at, 'reconcileLedger'],
];

test.each([
  ['a millisecond before three', '2027-01-31T02:59:59.999Z', '2027-01-31T12:00:00.000Z'],
  ['at three', '2027-01-31T03:00:00.000Z', '2027-02-01T03:00:00.000Z'],
  ['a millisecond after three', '2027-01-31T03:00:00.001Z', '2027-02-01T03:00:00.000Z'],
])('if the last day started %s, the next starts at three, or at once if that has passed', async (_when, last, at) => {
  const { calls } = await live({
    now: '2027-01-31T12:00:00.000Z',
    lasts: Date.parse(at) - Date.parse('2027-01-31T12:00:00.000Z') + HOUR,
    state: { ...FIRST, part: null, startedAt: Date.parse(last) },
  });
  expect(namesAt(calls)).toEqual(ofADay(at));
});

test('the first day of the daily work starts at three, to the millisecond', async () => {
  const { calls, histories, clock } = await live({ now: '2027-01-31T01:23:45.678Z', lasts: 2 * HOUR });
  expect(namesAt(calls)).toEqual([atFirst('2027-01-31T01:23:00.000Z'), ...ofADay('2027-01-31T03:00:00.000Z')]);
  const events = histories[0]?.events ?? [];
  const timer = events.find(({ timerStartedEventAttributes: started }) => started != null);
  const before = timer === undefined ? [] : events.slice(0, events.indexOf(timer));
  const workflowTask = before.findLast(({ workflowTaskStartedEventAttributes: started }) => started != null);
  const waits = tsToMs(timer?.timerStartedEventAttributes?.startToFireTimeout);
  const [firstTask, three] = [tsToMs(workflowTask?.eventTime), Date.parse('2027-01-31T03:00:00.000Z')];
  expect(toBusiness(clock, firstTask + waits)).toBe(three);
  const { dueBy } = calls[1]?.input as DailyInput<'consents'>;
  expect(dueBy).toBeGreaterThanOrEqual(three + 7 * DAY);
});

test('each day checks its own period of due dates and records', async () => {
  const { calls, details, status } = await live({ now: '2027-02-26T12:00:00.000Z', lasts: 3 * DAY }, 'daily works');
  const days = ['2027-02-27T03:00:00.000Z', '2027-02-28T03:00:00.000Z', '2027-03-01T03:00:00.000Z'];
  expect(namesAt(calls)).toEqual([atFirst('2027-02-26T12:00:00.000Z'), ...days.flatMap(ofADay)]);
  const inputs = <T>(name: HousekeepingCall['name']) =>
    calls.filter((call) => call.name === name).map(({ input }) => input as T);
  const looked = inputs<DailyInput<'consents'>>('checkDueConsents');
  expect(looked.map(({ dueBy, after }) => [minuteOf(dueBy - 7 * DAY), after])).toEqual(days.map((day) => [day, null]));
  const reconciled = inputs<ReconcileInput>('reconcileLedger');
  expect(reconciled.map(({ period }) => [minuteOf(period.to), period.to - period.from])).toEqual(
    days.map((day) => [day, 31 * DAY]),
  );
  expect(reconciled).toMatchObject(Array(3).fill({ actor: 'dueday', announce: true }));
  expect(reconciled.map(({ until }) => minuteOf(until ?? NaN))).toEqual([...days.slice(1), '2027-03-02T03:00:00.000Z']);
  expect(new Set(reconciled.map(({ runId }) => runId)).size).toBe(3);
  expect(details.split('\n')).toEqual([
    '- Next: 2027-03-02T03:00:00.000Z',
    expect.stringMatching(/^- Last: 2027-03-01T03:00:0/),
    '- Consents: 0 asked, 0 ended, 0 not readable',
    '- Reconciliation: 4 payments compared, 0 differences',
    '- Leftovers: nothing removed',
    '- Workflows: 0 checked, 0 without a workflow',
  ]);
  expect(status).toBe('RUNNING');
});

test('every thirty days a new run continues from the end of the previous one', async () => {
  const { calls, histories } = await live(
    { now: '2027-01-01T00:00:00.000Z', lasts: 33 * DAY },
    'daily works, continued',
  );
  expect(calls.filter(({ name }) => name === 'removeLeftovers').map(({ at }) => at)).toEqual(
    Array.from({ length: 33 }, (_, day) => toIso(Date.UTC(2027, 0, 1 + day, 3))),
  );
  expect(histories).toHaveLength(2);
});

test('pages of consents are checked in order, and the day’s counts are their sum', async () => {
  const pages = [consents(2000, 3, 'sub_m'), consents(10, 1)];
  const { calls, details } = await live({
    now: '2027-01-31T02:00:00.000Z',
    lasts: 2 * HOUR,
    consents: (calls) => pages[calls - 2] ?? consents(0),
  });
  const [first, second] = calls.slice(1, 3).map(({ input }) => input as DailyInput<'consents'>);
  expect(minuteOf(first!.dueBy)).toBe('2027-02-07T03:00:00.000Z');
  expect([first?.after, second?.after]).toEqual([null, 'sub_m']);
  expect(second?.dueBy).toBe(first?.dueBy);
  expect(details).toContain('Consents: 2010 asked, 0 ended, 4 not readable');
});

test('a consent check that takes half a day leaves the rest to the next day, and the other work is done', async () => {
  const { calls, details } = await live({
    now: '2027-01-31T02:00:00.000Z',
    lasts: 20 * HOUR,
    // The first call is the search for lost workflows. Of the calls after it, the first and then every second one has to wait.
    consents: (calls) => {
      if (calls % 2 === 0) throw ApplicationFailure.create({ message: 'later', nextRetryDelay: '5 hours' });
      return consents(2000, 0, '1801364400000/sub_m');
    },
  });
  const names = calls.map(({ name }) => name).filter((name) => name !== 'checkDueConsents');
  expect(names).toEqual(['findOrphans', 'removeLeftovers', 'findOrphans', 'reconcileLedger']);
  expect(details).toContain('Consents: 6000 asked, 0 ended, 0 not readable');
  expect(calls.at(-1)?.at).toBe('2027-01-31T18:00:00.000Z');
});

test('a consent check that is carried over into a new run continues there as part of the same day', async () => {
  const day = Date.parse('2027-01-31T03:00:00.000Z');
  const counts = { asked: 50_000, ended: 4, 'not readable': 1 };
  const { calls, details } = await live(
    {
      now: '2027-01-31T05:00:00.000Z',
      lasts: HOUR,
      state: { ...FIRST, startedAt: day, part: 'consents', after: 'sub_m', counts },
      consents: () => consents(7),
    },
    'a check carried over',
  );
  expect(calls[0]).toMatchObject({ at: '2027-01-31T05:00:00.000Z', input: { dueBy: day + 7 * DAY, after: 'sub_m' } });
  expect(calls).toHaveLength(4);
  expect(details).toContain('Consents: 50007 asked, 4 ended, 1 not readable');
  expect(details).toContain('Next: 2027-02-01T03:00:00.000Z');
});

test('a part that fails ends neither the day nor the workflow, and is reported', async () => {
  const broken = () => {
    throw ApplicationFailure.nonRetryable('the disk is full');
  };
  const { calls, details, status } = await live(
    {
      now: '2027-01-31T02:00:00.000Z',
      lasts: DAY + 2 * HOUR,
      consents: broken,
      reconciliation: broken,
      leftovers: broken,
    },
    'a day of failures',
  );
  const days = ['2027-01-31T03:00:00.000Z', '2027-02-01T03:00:00.000Z'];
  expect(namesAt(calls)).toEqual([atFirst('2027-01-31T02:00:00.000Z'), ...days.flatMap(ofADay)]);
  expect(details).toContain('Consents: failed: the disk is full');
  expect(details).toContain('Reconciliation: failed: the disk is full');
  expect(details).toContain('Leftovers: failed: the disk is full');
  expect(status).toBe('RUNNING');
});

test('a part that fails for hours is retried, then given up, and the next day starts on time', async () => {
  const { calls, details } = await live({
    now: '2027-01-31T02:00:00.000Z',
    lasts: 2 * DAY,
    leftovers: () => {
      throw ApplicationFailure.create({ message: 'PostgreSQL is away', nextRetryDelay: '1 hour' });
    },
  });
  expect(calls.filter(({ name }) => name === 'checkDueConsents').map(({ at }) => at)).toEqual([
    '2027-01-31T03:00:00.000Z',
    '2027-02-01T03:00:00.000Z',
  ]);
  expect(calls.filter(({ name }) => name === 'removeLeftovers').length).toBeGreaterThan(20);
  expect(details).toContain('Leftovers: failed: PostgreSQL is away');
});

test('a requested reconciliation returns its result under its run’s id', async () => {
  const asked: ReconcileInput[] = [];
  const taskQueue = `reconciliation-${randomUUID()}`;
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    ...testWorkflows(),
    activities: {
      async reconcileLedger(input: ReconcileInput): Promise<ReconciliationResult> {
        asked.push(input);
        return { kind: 'service_unavailable', runId: input.runId, reason: 'HTTP 503' };
      },
    },
  });
  const input: ReconciliationInput = { period: { from: 0, to: DAY }, actor: 'till', timeout: 5000, announce: false };
  const workflowId = `reconciliation/${taskQueue}`;
  const result = await worker.runUntil(() =>
    env.client.workflow.execute(RECONCILIATION_WORKFLOW, { workflowId, taskQueue, args: [input] }),
  );
  await recordHistories(env, workflowId, 'reconciliation');
  expect(asked).toEqual([{ ...input, runId: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
  expect(result).toEqual({ kind: 'service_unavailable', runId: asked[0]?.runId, reason: 'HTTP 503' });
});
