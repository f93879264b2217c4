import type { Clock } from '../src/platform/clock';
import type { SubscriptionId } from '../src/domain/ids';
import type { createPool, LedgerWrites } from '../src/ledger';
import type { Logger } from '../src/platform/log';
import type { PaymentService } from '../src/payment-service';
import type { Telemetry } from '../src/platform/metrics';
import type { InPlaceSlots, Polling } from './polling';

/** The dependencies of activities. */
export interface Dependencies {
  readonly ledger: ReturnType<typeof createPool>;
  /** Whether the ledger can be written. */
  readonly writes: LedgerWrites;
  readonly service: PaymentService;
  readonly clock: Clock;
  readonly log: Logger;
  readonly workflows: WorkflowDirectory;
  readonly polling: Polling;
  /** The slots for attempts within workflow tasks; omitted if attempts are not made there. */
  readonly inPlace?: InPlaceSlots | undefined;
  readonly counting: Counting;
  readonly settings: ActivitySettings;
}

/** The progress of attempts, for metrics. */
export type Counting = Pick<Telemetry, 'recordLateness' | 'recordAttempt'>;

/** For processes without metrics. */
export const NO_COUNTING: Counting = {
  recordLateness: () => undefined,
  recordAttempt: () => undefined,
};

/** Workflows in Temporal. */
export interface WorkflowDirectory {
  /** Whether a workflow with this id is running. @throws if Temporal is unavailable. */
  isRunning(workflowId: string): Promise<boolean>;
  /** Notifies a subscription's workflow of its row's revision. @throws if Temporal is unavailable. */
  notify(subscriptionId: SubscriptionId, revision: number): Promise<void>;
}

/** What the start of a worker passes in. Attempts and the daily work use the pool `ledger`, everything else the pool `steering`. */
export interface WorkerDependencies extends Dependencies {
  readonly steering: Dependencies['ledger'];
}

export interface ActivitySettings {
  /** Real ms. An authorization that is still not listed this long after an unknown outcome counts as never made. */
  readonly settle: number;
  /** How many days back the service lists authorizations (rule 39); omitted if it lists all. */
  readonly listDays?: number | undefined;
  /** Real ms that one request to the service may take. */
  readonly requestTimeout: number;
  /** Days within which each payment is compared at least once, even if nothing about it changes. */
  readonly reconcileEveryDays: number;
  /** Days of business time from the end of all subscriptions and payments of a payer to the payer's erasure; omitted: never erased. */
  readonly payerRetentionDays?: number | undefined;
  /** The console's address for operators: workflows link to it. */
  readonly consoleUrl?: string | undefined;
  /** Identifies this worker process in the ledger. */
  readonly owner: string;
}
