/**
 * At once on one worker: enough to fill the time in which the payment service answers, and few enough to leave collecting
 * its connections and its processor. Where calls are capped, they wait behind all others besides (`daily_work`).
 */
const LANES = 16;

/**
 * Works on every item, a few at once. A fault, or the signal, lets nothing more begin; it is thrown once what is under way
 * has ended.
 * @returns what came of each, in the order of the items
 */
export async function inLanes<T, R>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      try {
        signal.throwIfAborted();
        const [place, item] = next;
        results[place] = await work(item);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: LANES }, lane));
  const fault = ended.find((each) => each.status === 'rejected');
  if (fault !== undefined) throw fault.reason;
  return results;
}
