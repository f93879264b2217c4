const WINDOW_MS = 60_000;
/** Addresses remembered at most: memory stays flat whoever tries. */
const MAX_ADDRESSES = 10_000;

interface Count {
  failures: number;
  readonly endsAt: number;
}

/**
 * Counts failed authentication by address, a minute at a time. Past the limit an address is refused without a look at
 * the key, unless this process has seen that key be good: a stranger's guesses shut nobody else out who is at work.
 */
export class FailedAttempts {
  private readonly counts = new Map<string, Count>();
  private readonly good = new Set<string>();

  constructor(
    private readonly limit: number,
    private readonly realNow: () => number,
  ) {}

  /** Seconds to wait, or 0 where the key may be looked at. */
  waitFor(address: string, keyHash: string): number {
    const count = this.counts.get(address);
    if (count === undefined || count.endsAt <= this.realNow()) return 0;
    if (count.failures < this.limit || this.good.has(keyHash)) return 0;
    return Math.ceil((count.endsAt - this.realNow()) / 1000);
  }

  failed(address: string, keyHash: string): void {
    this.good.delete(keyHash);
    const count = this.counts.get(address);
    if (count !== undefined && count.endsAt > this.realNow()) {
      count.failures += 1;
      return;
    }
    this.counts.delete(address);
    makeRoom(this.counts);
    this.counts.set(address, { failures: 1, endsAt: this.realNow() + WINDOW_MS });
  }

  succeeded(keyHash: string): void {
    if (this.good.has(keyHash)) return;
    makeRoom(this.good);
    this.good.add(keyHash);
  }
}

/** Maps and sets keep the order of insertion: the first is the oldest. */
function makeRoom(kept: Map<string, unknown> | Set<string>): void {
  if (kept.size < MAX_ADDRESSES) return;
  const oldest = kept.keys().next();
  if (oldest.done !== true) kept.delete(oldest.value);
}
