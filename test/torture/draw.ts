/** Random numbers that depend only on a seed: mulberry32, good enough to draw faults. */
export class Draw {
  constructor(private state: number) {}

  /** A number from 0 up to but excluding 1. */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(from: number, to: number): number {
    return from + this.fraction() * (to - from);
  }

  chance(of: number): boolean {
    return this.fraction() < of;
  }

  /** Picks an item with a probability by its weight. @throws Error for an empty list */
  pick<T>(list: readonly (readonly [weight: number, item: T])[]): T {
    let left = this.fraction() * list.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of list) {
      left -= weight;
      if (left < 0) return item;
    }
    const last = list.at(-1);
    if (last === undefined) throw new Error('nothing to pick from');
    return last[1];
  }

  shuffled<T>(list: readonly T[]): T[] {
    const keyed = list.map((item) => ({ item, key: this.fraction() }));
    return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
  }
}

/** Draws the items of a list in random order, and shuffles them again once all are drawn, so that each comes up. */
export class Deck<T> {
  private rest: T[] = [];

  constructor(
    private readonly draw: Draw,
    private readonly cards: readonly T[],
  ) {}

  deal(): T {
    if (this.rest.length === 0) this.rest = this.draw.shuffled(this.cards);
    const card = this.rest.pop();
    if (card === undefined) throw new Error('an empty deck');
    return card;
  }
}
