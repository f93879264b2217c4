import type { Rejection } from './bank/wallets';

/** A request that the service itself refused. Faults on demand are not counted. */
export interface RecordedRefusal extends Rejection {
  /** Business time. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly paymentId: string | null;
}

export type RefusalLog = ReturnType<typeof createRefusalLog>;

const KEPT = 10_000;

export function createRefusalLog() {
  const recent: RecordedRefusal[] = [];
  const counts = new Map<string, number>();
  return {
    add: (refusal: RecordedRefusal) => {
      counts.set(refusal.detail, (counts.get(refusal.detail) ?? 0) + 1);
      recent.push(refusal);
      if (recent.length > KEPT) recent.shift();
    },
    /** Oldest first; the newest {@link KEPT} only. */
    list: () => [...recent],
    /** How often each detail was answered, over all time. */
    counts: (): Record<string, number> => Object.fromEntries(counts),
  };
}
