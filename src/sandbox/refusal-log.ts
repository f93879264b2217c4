import type { Rejection } from './bank/wallets';

/** A request that the service itself refused. Faults on demand are not counted. */
export interface RecordedRefusal extends Rejection {
  /** Business time. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly paymentId: string | null;
}

export interface RefusalLog {
  add(refusal: RecordedRefusal): void;
  /** Oldest first; the newest {@link KEPT} only. */
  list(): readonly RecordedRefusal[];
  /** How often each detail was answered, over all time. */
  counts(): Readonly<Record<string, number>>;
}

const KEPT = 10_000;

export function createRefusalLog(): RefusalLog {
  const recent: RecordedRefusal[] = [];
  const counts = new Map<string, number>();
  return {
    add: (refusal) => {
      counts.set(refusal.detail, (counts.get(refusal.detail) ?? 0) + 1);
      recent.push(refusal);
      if (recent.length > KEPT) recent.shift();
    },
    list: () => [...recent],
    counts: () => Object.fromEntries(counts),
  };
}
