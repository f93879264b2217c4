/**
 * Concurrent calls on one worker: enough that the service's response time does not hold up the work, and few enough to
 * leave connections and CPU to collecting. If calls are capped, they also wait behind all others (`daily_work`).
 */
const CONCURRENCY = 16;

/** Concurrent calls while sending is halted because the ledger was restored: nothing is collected, so all calls are available. */
export const RESTORE_CONCURRENCY = 4 * CONCURRENCY;

/** Items per batch, a multiple of the concurrency: few enough that a dying worker loses little and that writes are short. */
export const CHECK_BATCH_SIZE = 6 * CONCURRENCY;
export const RESTORE_BATCH_SIZE = 6 * RESTORE_CONCURRENCY;

/** @param size items per batch; the last may be smaller */
export async function* inBatches<Item>(
  items: AsyncIterable<Item>,
  size: number,
): AsyncGenerator<readonly Item[], void> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The result for one item; `unreadable` if the service gave no usable answer. */
interface CheckResult {
  readonly kind: string;
}

type Unreadable<Result extends CheckResult> = Extract<Result, { readonly kind: 'unreadable' }>;

export interface Checked<Item, Result extends CheckResult> {
  /** One for each item that was checked, in their order. */
  readonly results: readonly { readonly item: Item; readonly result: Result }[];
  /** The result after which no other check was started, because the service is unavailable; null otherwise. */
  readonly unavailable: Unreadable<Result> | null;
}

export interface Checks<Item, Result extends CheckResult> {
  readonly items: readonly Item[];
  readonly signal: AbortSignal;
  /** Concurrent checks; if omitted, few enough not to slow down collecting. */
  readonly concurrency?: number;
  check(item: Item): Promise<Result>;
  /** @param inARow the number of consecutive unreadable results, including this one */
  isUnavailable(result: Unreadable<Result>, inARow: number): boolean;
}

/**
 * Checks every item, a few concurrently, until the service is unavailable. After an error or the signal no further check starts;
 * the error, or the signal's reason, is thrown once the checks in progress have ended.
 */
export async function checkUntilUnavailable<Item, Result extends CheckResult>(
  checks: Checks<Item, Result>,
): Promise<Checked<Item, Result>> {
  const { items, signal, concurrency = CONCURRENCY } = checks;
  const results: { readonly item: Item; readonly result: Result }[] = [];
  const queue = [...items.entries()];
  let inARow = 0;
  let unavailable: Unreadable<Result> | null = null;
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      try {
        signal.throwIfAborted();
        const [position, item] = next;
        const result = await checks.check(item);
        results[position] = { item, result };
        inARow = isUnreadable(result) ? inARow + 1 : 0;
        if (!isUnreadable(result) || !checks.isUnavailable(result, inARow)) continue;
        unavailable = result;
        queue.length = 0;
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, lane));
  const fault = ended.find((each) => each.status === 'rejected');
  if (fault !== undefined) throw fault.reason;
  // Object.values skips the positions of checks that were not started.
  return { results: Object.values(results), unavailable };
}

function isUnreadable<Result extends CheckResult>(result: Result): result is Unreadable<Result> {
  return result.kind === 'unreadable';
}
