import type { Clock } from '../src/clock';
import type { Activities, SubscriptionRef } from '../src/contract/activities';
import type { BroughtRequest } from '../src/contract/requests';
import { type createPool, applyChange, type LedgerWrites, discardDraft, readLedgerState } from '../src/ledger';
import type { Logger } from '../src/log';
import type { Notifier } from '../src/notices';
import type { PaymentService } from '../src/payment-service';
import type { Telemetry } from '../src/telemetry';
import type { Polling } from './polling';

/** What an activity works with. */
export interface Dependencies {
  readonly ledger: ReturnType<typeof createPool>;
  /** Whether the ledger can be written. */
  readonly writes: LedgerWrites;
  readonly service: PaymentService;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly log: Logger;
  readonly workflows: WorkflowDirectory;
  readonly polling: Polling;
  readonly counting: Counting;
  readonly settings: ActivitySettings;
}

/** How attempts get on, and what was refused, for metrics. */
export type Counting = Pick<Telemetry, 'recordLateness' | 'recordAttempt' | 'recordUnrecorded'>;

/** Where no metrics are shown. */
export const NO_COUNTING: Counting = {
  recordLateness: () => undefined,
  recordAttempt: () => undefined,
  recordUnrecorded: () => undefined,
};

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
  /** How many days back the service lists authorizations (rule 39); left out if it lists all. */
  readonly listDays?: number | undefined;
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

/** What was asked past the admin API, and is in the trail as refused. */
export function reportUnrecorded(
  { log, counting }: Dependencies,
  { subscriptionId, request }: SubscriptionRef & { readonly request?: BroughtRequest },
  why: string,
): void {
  const verb = request?.verb ?? 'unknown';
  counting.recordUnrecorded(verb);
  log.warn({ security: 'request.unrecorded', subscriptionId, request: verb, why }, 'security event');
}

/** The workflow's own decisions, into the ledger. */
export function recordActivities(deps: Dependencies): Pick<Activities, 'record' | 'readLedger' | 'discardDraft'> {
  const { ledger, clock } = deps;
  return {
    async record(change) {
      const applied = await applyChange(ledger, change);
      if (applied.refused !== undefined) reportUnrecorded(deps, change, applied.refused);
      return applied;
    },
    readLedger: ({ subscriptionId, policy, spread }) =>
      readLedgerState(ledger, subscriptionId, { policy, spread }, clock.now()),
    discardDraft: ({ subscriptionId }) => discardDraft(ledger, 'subscriptions', subscriptionId),
  };
}
