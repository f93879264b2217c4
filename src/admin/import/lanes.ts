/** Work that names the same key goes one after the other, in the order in which it came; all else at once. */
export class Lanes {
  private readonly last = new Map<string, Promise<void>>();

  /** How many keys are being worked on. */
  get size(): number {
    return this.last.size;
  }

  async run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const turn = Promise.all(keys.map((key) => this.last.get(key) ?? Promise.resolve())).then(work);
    const over = turn.then(nothing, nothing);
    keys.forEach((key) => this.last.set(key, over));
    try {
      return await turn;
    } finally {
      keys.filter((key) => this.last.get(key) === over).forEach((key) => this.last.delete(key));
    }
  }
}

function nothing(): void {
  return undefined;
}
