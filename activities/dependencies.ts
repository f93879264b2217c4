import type { Clock } from '../src/platform/clock';
import type { SubscriptionId } from '../src/domain/ids';
import type { createPool, LedgerWrites } from '../src/ledger';
import type { Logger } from '../src/platform/log';
import type { PaymentService } from '../src/payment-service';
import type { Telemetry } from '../src/platform/metrics';
import type { Polling } from './polling';

/** What an activity works with. */
export interface Dependencies {
  readonly ledger: ReturnType<typeof createPool>;
  /** Whether the ledger can be written. */
  readonly writes: LedgerWrites;
  readonly service: PaymentService;
  readonly clock: Clock;
  readonly log: Logger;
  readonly workflows: WorkflowDirectory;
  readonly polling: Polling;
  readonly counting: Counting;
  readonly settings: ActivitySettings;
}

/** How attempts get on, for metrics. */
export type Counting = Pick<Telemetry, 'recordLateness' | 'recordAttempt'>;

/** Where no metrics are shown. */
export const NO_COUNTING: Counting = {
  recordLateness: () => undefined,
  recordAttempt: () => undefined,
};

/** What Temporal says of workflows. */
export interface WorkflowDirectory {
  /** Whether one of this id runs. @throws where Temporal cannot be asked. */
  isRunning(workflowId: string): Promise<boolean>;
  /** Notifies the workflow of a subscription of its row's revision. @throws if Temporal cannot be asked. */
  notify(subscriptionId: SubscriptionId, revision: number): Promise<void>;
}

/** Handed in by the command that starts the worker: `ledger` for what collects, `steering` for everything else. */
export interface WorkerDependencies extends Dependencies {
  readonly steering: Dependencies['ledger'];
}

export interface ActivitySettings {
  /** Real ms after an unknown outcome from which a missing authorization counts as never made. */
  readonly settle: number;
  /** How many days back the service lists authorizations (rule 39); left out if it lists all. */
  readonly listDays?: number | undefined;
  /** Real ms for one request to the service. */
  readonly requestTimeout: number;
  /** Days within which each payment is compared at least once, also where nothing about it changes. */
  readonly reconcileEveryDays: number;
  /** Business days after which a payer is erased of whom all has ended; kept for good where there are none. */
  readonly payerRetentionDays?: number | undefined;
  /** Where operators reach the console: workflows link to it. */
  readonly consoleUrl?: string | undefined;
  /** Names this worker process in the ledger. */
  readonly owner: string;
}
