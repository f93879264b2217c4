import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { decideDaily } from '../../activities/housekeeping/decide-daily';
import {
  HOUSEKEEPING_WORKFLOW,
  type HousekeepingActivities,
  type ReconcileInput,
  type ReconciliationResult,
} from '../../src/contract/housekeeping';
import { housekeepingWorkflowId } from '../../src/contract/workflow-ids';
import type { DailyOutcome, DailyState } from '../../src/domain/daily-work';
import { type ClockSetting, type Instant, MINUTE, toBusiness, toIso } from '../../src/domain/time';
import { createClock } from '../../src/platform/clock';
import type { PathName } from '../replay/paths';
import { historiesOf, recordHistories } from '../replay/recording';
import { terminateAtRest } from './at-rest';
import { testWorkflows } from './temporal';

/** A call of an activity by the housekeeping workflow. */
export interface HousekeepingCall {
  readonly name: keyof HousekeepingActivities;
  /** The minute of the call. A call that comes a moment early shows the minute before. */
  readonly at: string;
  readonly input: unknown;
}

/** The answers of the fake activities. Activities without an answer here find nothing to do. */
export interface HousekeepingScript {
  /** Business time at which the workflow starts. */
  readonly now: string;
  /** How long the workflow runs, in ms. */
  readonly lasts: number;
  /** The state that an earlier run has left; null by default. */
  readonly state?: DailyState;
  /** @param calls the number of calls of any activity so far, including this one */
  readonly consents?: (calls: number) => DailyOutcome;
  readonly reconciliation?: (input: ReconcileInput) => ReconciliationResult;
  readonly leftovers?: () => DailyOutcome;
}

/** The answer about one page of consents. */
export function consents(asked: number, unreadable = 0, after: string | null = null): DailyOutcome {
  return { kind: 'page', counts: { asked, ended: 0, 'not readable': unreadable }, after };
}

const QUIET = consents(0);
const NO_ORPHAN: DailyOutcome = { kind: 'page', counts: { checked: 0, 'without a workflow': 0 }, after: null };
const NOTHING_LEFT: DailyOutcome = { kind: 'done', words: 'nothing removed' };

/**
 * Runs the housekeeping workflow for `script.lasts` ms of business time, and then terminates it.
 *
 * @param env an environment that skips time
 * @param path the path under which its histories are recorded; without it they are not
 */
export async function runHousekeeping(env: TestWorkflowEnvironment, script: HousekeepingScript, path?: PathName) {
  const clock: ClockSetting = {
    virtualStart: Date.parse(script.now),
    realStart: await env.currentTimeMs(),
    speed: 1,
  };
  const calls: HousekeepingCall[] = [];
  const taskQueue = `housekeeping-${randomUUID()}`;
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    ...testWorkflows(),
    activities: fakeActivities(env, clock, script, calls),
  });
  const workflowId = housekeepingWorkflowId(taskQueue);
  return worker.runUntil(async () => {
    const handle = await env.client.workflow.start(HOUSEKEEPING_WORKFLOW, {
      workflowId,
      taskQueue,
      args: [{ clock, state: script.state ?? null }],
    });
    await env.sleep(script.lasts);
    const [histories, details] = [await historiesOf(env.client, workflowId), await currentDetails(env, workflowId)];
    if (path !== undefined) await recordHistories(env, workflowId, path);
    const { status } = await handle.describe();
    await terminateAtRest(handle);
    return { calls, histories, details, clock, status: status.name };
  });
}

/** Fake activities that answer from the script, in business time; decisions are real. */
function fakeActivities(
  env: TestWorkflowEnvironment,
  clock: ClockSetting,
  script: HousekeepingScript,
  calls: HousekeepingCall[],
): HousekeepingActivities {
  const note = async (name: HousekeepingCall['name'], input: unknown) => {
    calls.push({ name, at: minuteOf(toBusiness(clock, await env.currentTimeMs())), input });
  };
  return {
    async decideDaily(input) {
      const now = toBusiness(clock, await env.currentTimeMs());
      return decideDaily({ clock: { ...createClock(clock), now: () => now } }, input);
    },
    async checkDueConsents(input) {
      await note('checkDueConsents', input);
      return script.consents?.(calls.length) ?? QUIET;
    },
    async reconcileLedger(input) {
      await note('reconcileLedger', input);
      return script.reconciliation?.(input) ?? compared(input);
    },
    async findOrphans(input) {
      await note('findOrphans', input);
      return NO_ORPHAN;
    },
    async removeLeftovers() {
      await note('removeLeftovers', null);
      return script.leftovers?.() ?? NOTHING_LEFT;
    },
  };
}

function compared({ runId }: ReconcileInput): ReconciliationResult {
  return { kind: 'compared', runId, payments: 4, differences: 0 };
}

/** The minute of an instant. Seconds vary, because the server's time moves on a little even while nothing is skipped. */
export function minuteOf(instant: Instant): string {
  return toIso(Math.floor(instant / MINUTE) * MINUTE);
}

async function currentDetails(env: TestWorkflowEnvironment, workflowId: string): Promise<string> {
  const metadata = await env.client.workflow.getHandle(workflowId).query('__temporal_workflow_metadata');
  return (metadata as { currentDetails: string }).currentDetails;
}
