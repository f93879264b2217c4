/** Work in turns: each begins when the one before has ended, however it ended. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  get idle(): boolean {
    return this.waiting === 0;
  }

  take<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    const done = () => {
      this.waiting -= 1;
    };
    const turn = this.last.then(work, work);
    this.last = turn.then(done, done);
    return turn;
  }
}
