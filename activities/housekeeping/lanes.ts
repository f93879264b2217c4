/**
 * At once on one worker: enough to fill the time in which the payment service answers, and few enough to leave collecting
 * its connections and its processor. Where calls are capped, they wait behind all others besides (`daily_work`).
 */
const LANES = 16;

/** While sending is halted as the ledger was restored: nothing is collected meanwhile, and the whole cap on calls is theirs. */
export const LANES_OF_RESTORE = 4 * LANES;

/** Looked at together, in rounds that are full: few enough that a worker that dies costs little, and that what is written is short. */
export const LOOKED_AT_ONCE = 6 * LANES;
export const COMPARED_AT_ONCE_AFTER_RESTORE = 6 * LANES_OF_RESTORE;

/** @param size items of each, but of the last */
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

/** What is seen of one item; `unreadable` where the service gave no answer that says. */
interface Look {
  readonly kind: string;
}

type Unreadable<L extends Look> = Extract<L, { readonly kind: 'unreadable' }>;

export interface Looked<Item, L extends Look> {
  /** Of each item that was looked at, in their order. */
  readonly looks: readonly { readonly item: Item; readonly look: L }[];
  /** The one after which no other was begun, as the service is away; null where it is not. */
  readonly away: Unreadable<L> | null;
}

export interface Looking<Item, L extends Look> {
  readonly items: readonly Item[];
  readonly signal: AbortSignal;
  /** At once; as many as leave collecting its connections where left out. */
  readonly lanes?: number;
  look(item: Item): Promise<L>;
  /** @param inARow how many could not be read one after the other, this one the last */
  isAway(look: Unreadable<L>, inARow: number): boolean;
}

/**
 * Looks at every item, a few at once, until the service is away. A fault, or the signal, lets nothing more begin; it is
 * thrown once what is under way has ended.
 */
export async function lookUntilAway<Item, L extends Look>(looking: Looking<Item, L>): Promise<Looked<Item, L>> {
  const { items, signal, lanes = LANES } = looking;
  const results: { readonly item: Item; readonly look: L }[] = [];
  const queue = [...items.entries()];
  let inARow = 0;
  let away: Unreadable<L> | null = null;
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      try {
        signal.throwIfAborted();
        const [place, item] = next;
        const look = await looking.look(item);
        results[place] = { item, look };
        inARow = isUnreadable(look) ? inARow + 1 : 0;
        if (!isUnreadable(look) || !looking.isAway(look, inARow)) continue;
        away = look;
        queue.length = 0;
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const fault = ended.find((each) => each.status === 'rejected');
  if (fault !== undefined) throw fault.reason;
  // It leaves out the places of those that were not begun.
  return { looks: Object.values(results), away };
}

function isUnreadable<L extends Look>(look: L): look is Unreadable<L> {
  return look.kind === 'unreadable';
}
