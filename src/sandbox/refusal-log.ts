import type { Rejection } from './bank/wallets';

/** A request that the service itself refused. Injected faults are not counted. */
export interface RecordedRefusal extends Rejection {
  /** Business time. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly paymentId: string | null;
}

export type RefusalLog = ReturnType<typeof createRefusalLog>;

const MAX_RECENT = 10_000;

export function createRefusalLog() {
  const recent: RecordedRefusal[] = [];
  const counts = new Map<string, number>();
  return {
    add: (refusal: RecordedRefusal) => {
      counts.set(refusal.detail, (counts.get(refusal.detail) ?? 0) + 1);
      recent.push(refusal);
      if (recent.length > MAX_RECENT) recent.shift();
    },
    /** Oldest first; the newest {@link MAX_RECENT} only. */
    list: () => [...recent],
    /** How often each detail was returned since the start. */
    counts: (): Record<string, number> => Object.fromEntries(counts),
  };
}
