import { Connection, isGrpcServiceError } from '@temporalio/client';
import { MINUTE, SECOND } from '../../src/domain/time';
import type { DuedayProcess } from '../cli/dueday-process';
import type { Fault, Finding } from './fault';
import { NO_ANSWER } from './recording';
import { LASTS } from './servers';
import { mostInASecond } from './service-line';
import { CAP, DUE_DURING_FAULT, type Stage } from './stage';

/** Faults of what an operator has set, and of what lies between the parts. */

const NOWHERE = '127.0.0.1:1';
const OTHER_NAMESPACE = 'another-installation';
/** gRPC's code. */
const ALREADY_EXISTS = 6;

/** Replaces the worker by one that must refuse to start, and keeps its output. */
function misled(env: Readonly<Record<string, string>>) {
  let refused: DuedayProcess | null = null;
  return {
    async begin(stage: Stage) {
      await stage.running.worker.end();
      refused = stage.replace('worker', env);
    },
    async look(): Promise<readonly Finding[]> {
      const { code } = refused?.hasEnded() === true ? await refused.ended : { code: null };
      const said = refused?.stderr().trim() ?? '';
      return [
        {
          what: 'the worker refuses to start, in one line',
          holds: code !== null && code !== 0 && said.split('\n').length === 1,
          found: `exit ${code ?? 'none'}: ${said}`,
        },
      ];
    },
    async end(stage: Stage): Promise<readonly Finding[]> {
      await stage.running.worker.end();
      stage.replace('worker');
      return [];
    },
  };
}

const wrong = {
  lasts: LASTS,
  dueIn: DUE_DURING_FAULT,
  unready: [NO_ANSWER],
  metric: null,
  alert: 'DuedayWorkerNotPolling',
  alsoFires: [],
} as const;

const otherNamespace = misled({ TEMPORAL_NAMESPACE: OTHER_NAMESPACE });

export const wrongNamespace: Fault = {
  ...wrong,
  ...otherNamespace,
  name: 'a worker comes back with the namespace of another installation',
  doctor: {
    says: /^temporal namespace +failed /m,
    env: { TEMPORAL_NAMESPACE: OTHER_NAMESPACE },
  },
  async begin(stage) {
    const connection = await Connection.connect({ address: stage.stack.temporalAddress });
    try {
      await connection.workflowService.registerNamespace({
        namespace: OTHER_NAMESPACE,
        workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
      });
    } catch (error) {
      // The namespace exists already if this fault was played before.
      const code: number | null = isGrpcServiceError(error) ? error.code : null;
      if (code !== ALREADY_EXISTS) throw error;
    } finally {
      await connection.close();
    }
    // Temporal's cache knows the new namespace only after a moment.
    await new Promise((resolve) => setTimeout(resolve, 15 * SECOND));
    await otherNamespace.begin(stage);
  },
};

export const wrongAddress: Fault = {
  ...wrong,
  ...misled({ TEMPORAL_ADDRESS: NOWHERE }),
  name: 'a worker comes back with an address at which no Temporal is',
  doctor: { says: /^temporal +failed /m, env: { TEMPORAL_ADDRESS: NOWHERE } },
};

const SLOW = { NODE_OPTIONS: `--require ${require.resolve('./slow-lookup.cjs')}` };
const AT_ONCE = 30;

/** The reading of the monotonic clock from which calls are counted, ms. */
let slowSince = 0;

export const slowConnecting: Fault = {
  name: 'names are resolved after four seconds, behind the cap on calls',
  lasts: 2 * MINUTE,
  dueIn: Array.from({ length: AT_ONCE }, () => 90 * SECOND),
  unready: [],
  doctor: null,
  metric: {
    name: 'dueday_payment_service_call_seconds_sum',
    shows: (sums) => Math.max(...sums.values()) > 4,
  },
  alert: null,
  alsoFires: [],
  async begin(stage) {
    await stage.running.worker.end();
    slowSince = performance.now();
    stage.replace('worker', SLOW);
    await stage.ready();
  },
  async end(stage) {
    const most = mostInASecond(stage.line.arrivals, slowSince);
    await stage.running.worker.end();
    stage.replace('worker');
    return [
      {
        what: 'no second has more calls than the cap',
        holds: most <= CAP,
        found: `at most ${most} of ${CAP}, ${stage.line.arrivals.filter((at) => at >= slowSince).length} in all`,
      },
    ];
  },
};

/** Calls a second: so few that what is due on one day takes two. */
const LOW_CAP = { PAYMENT_SERVICE_MAX_RPS: '0.05' };

export const firstOfTheMonth: Fault = {
  name: 'more falls due on one day than the cap on calls can do: the first of the month',
  lasts: LASTS,
  // 150 calls: fifty hours of business time at this cap.
  dueIn: Array.from({ length: AT_ONCE }, () => 4 * MINUTE),
  unready: [],
  doctor: { says: /^busiest day +warning /m, env: LOW_CAP },
  metric: { name: 'dueday_hours_to_collect', shows: (hours) => Math.max(...hours.values()) > 24 },
  alert: 'DuedayCapTooLow',
  alsoFires: [],
  async begin(stage) {
    await setCap(stage, LOW_CAP);
  },
  async end(stage) {
    await setCap(stage, {});
    return [];
  },
};

async function setCap(stage: Stage, env: Readonly<Record<string, string>>): Promise<void> {
  await Promise.all([stage.running.worker.end(), stage.running.api.end()]);
  stage.replace('worker', env);
  stage.replace('api', env);
  await stage.ready();
}
