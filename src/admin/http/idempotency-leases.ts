import { type IdempotentRun, renewIdempotent, type Pool } from '../../ledger';
import { type Logger, loggable } from '../../platform/log';

/** No request takes as long: one that still runs after it hangs, and is renewed no more. Real ms. */
export const LONGEST_RUN_MS = 180_000;

/** Real ms. Several renewals may fail before a lease of 10 s is over. */
const RENEW_EVERY_MS = 2_000;

/** The keys whose requests run in this process: their leases are renewed together, for as long as any of them runs. */
export class IdempotencyLeases {
  /** By the id of the run; `since` is by the monotonic clock. */
  private readonly held = new Map<string, { readonly run: IdempotentRun; readonly since: number }>();
  private timer: NodeJS.Timeout | undefined;
  private isRenewing = false;

  constructor(
    private readonly db: Pool,
    private readonly logger: Logger,
  ) {}

  hold(run: IdempotentRun): void {
    this.held.set(run.runId, { run, since: performance.now() });
    // Never what keeps the process alive.
    this.timer ??= setInterval(() => void this.renew(), RENEW_EVERY_MS).unref();
  }

  release({ runId }: IdempotentRun): void {
    this.held.delete(runId);
    if (this.held.size === 0) this.stop();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** One at a time: a slow one is not followed by a queue. What fails is tried again at the next turn. */
  private async renew(): Promise<void> {
    const runs = this.living();
    if (this.isRenewing || runs.length === 0) return;
    this.isRenewing = true;
    try {
      await renewIdempotent(this.db, runs);
    } catch (error) {
      this.logger.warn({ err: loggable(error) }, 'the leases of idempotency keys could not be renewed');
    } finally {
      this.isRenewing = false;
    }
  }

  private living(): IdempotentRun[] {
    const oldest = performance.now() - LONGEST_RUN_MS;
    return [...this.held.values()].filter(({ since }) => since > oldest).map(({ run }) => run);
  }
}
