import { type IdempotentRun, renewIdempotent, type Pool } from '../../ledger';
import { type Logger, loggable } from '../../platform/log';

/** No request takes this long: one that still runs after it hangs, and its lease is no longer renewed. Real ms. */
export const MAX_RUN_MS = 180_000;

/** Real ms. Several renewals may fail before a lease of 10 s expires. */
const RENEW_EVERY_MS = 2_000;

/** The idempotency keys whose requests run in this process. Their leases are renewed together while any of them runs. */
export class IdempotencyLeases {
  /** The runs of this process by their ids; `since` is on the monotonic clock. */
  private readonly held = new Map<string, { readonly run: IdempotentRun; readonly since: number }>();
  private timer: NodeJS.Timeout | undefined;
  private isRenewing = false;

  constructor(
    private readonly db: Pool,
    private readonly logger: Logger,
  ) {}

  hold(run: IdempotentRun): void {
    this.held.set(run.runId, { run, since: performance.now() });
    // Must not keep the process alive.
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

  /** One renewal at a time, so that slow ones do not queue up. A failed renewal is repeated at the next interval. */
  private async renew(): Promise<void> {
    const runs = this.active();
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

  private active(): IdempotentRun[] {
    const oldest = performance.now() - MAX_RUN_MS;
    return [...this.held.values()].filter(({ since }) => since > oldest).map(({ run }) => run);
  }
}
