import type { Clock } from '../src/clock';
import type { Activities } from '../src/contract/activities';
import { type createPool, applyChange, deleteDraft, readLedgerState } from '../src/ledger';
import type { Logger } from '../src/log';
import type { Notifier } from '../src/notices';
import type { PaymentService } from '../src/payment-service';
import type { Telemetry } from '../src/telemetry';
import type { Polling } from './polling';

/** What an activity works with. */
export interface Dependencies {
  readonly ledger: ReturnType<typeof createPool>;
  readonly service: PaymentService;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly log: Logger;
  readonly workflows: WorkflowDirectory;
  readonly polling: Polling;
  readonly counting: AttemptCounting;
  readonly settings: ActivitySettings;
}

/** How attempts get on, for metrics. */
export type AttemptCounting = Pick<Telemetry, 'recordLateness' | 'recordAttempt'>;

/** Where no metrics are shown. */
export const NO_COUNTING: AttemptCounting = { recordLateness: () => undefined, recordAttempt: () => undefined };

/** What Temporal says of workflows. */
export interface WorkflowDirectory {
  /** Whether one of this id runs. @throws where Temporal cannot be asked. */
  isRunning(workflowId: string): Promise<boolean>;
}

/** Handed in by the command that starts the worker: `ledger` for what collects, `steering` for everything else. */
export interface WorkerDependencies extends Dependencies {
  readonly steering: Dependencies['ledger'];
}

export interface ActivitySettings {
  /** Real ms after an unknown outcome from which a missing authorization counts as never made. */
  readonly settle: number;
  /** Real ms for one request to the service. */
  readonly requestTimeout: number;
  /** Real seconds between deliveries of one notice, the last repeated. */
  readonly noticeBackoff: readonly number[];
  /** Days within which each payment is compared at least once, also where nothing about it changes. */
  readonly reconcileEveryDays: number;
  /** Business days after which a payer is erased of whom all has ended; kept for good where there are none. */
  readonly payerRetentionDays?: number | undefined;
  /** Names this worker process in the ledger. */
  readonly owner: string;
}

/** The workflow's own decisions, into the ledger. */
export function recordActivities({
  ledger,
  clock,
}: Dependencies): Pick<Activities, 'record' | 'readLedger' | 'discardDraft'> {
  return {
    record: (change) => applyChange(ledger, change),
    readLedger: ({ subscriptionId, policy, spread }) =>
      readLedgerState(ledger, subscriptionId, { policy, spread }, clock.now()),
    discardDraft: ({ subscriptionId }) => deleteDraft(ledger, subscriptionId),
  };
}
