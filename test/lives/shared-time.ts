import type { SkippedTime } from '../../src/simulation/skipped-time';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
  readonly fail: (fault: unknown) => void;
}

/** One time for many lives: it passes while all of them wait, to the instant that the first of them waits for. */
export class SharedTime {
  private living = 0;
  private sleepers: Sleeper[] = [];
  private passing = false;

  constructor(private readonly time: SkippedTime) {}

  /** How many lives are lived, and how many of them wait for time. */
  get state(): string {
    return `${this.sleepers.length} of ${this.living} wait${this.passing ? ', time passes' : ''}`;
  }

  now(): number {
    return this.time.clock.now();
  }

  /** The work of one more life, for which time waits. */
  async live(work: () => Promise<void>): Promise<void> {
    this.living += 1;
    try {
      await work();
    } finally {
      this.living -= 1;
      this.pass();
    }
  }

  passUntil(at: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.sleepers.push({ at, wake: resolve, fail: reject });
      this.pass();
    });
  }

  private pass(): void {
    if (this.passing || this.sleepers.length === 0 || this.sleepers.length < this.living) return;
    this.passing = true;
    void this.passToFirst();
  }

  private async passToFirst(): Promise<void> {
    const at = Math.min(...this.sleepers.map((sleeper) => sleeper.at));
    try {
      await this.time.passUntil(at);
      const due = this.sleepers.filter((sleeper) => sleeper.at <= at);
      this.sleepers = this.sleepers.filter((sleeper) => sleeper.at > at);
      due.forEach(({ wake }) => wake());
    } catch (fault) {
      this.sleepers.splice(0).forEach(({ fail }) => fail(fault));
    } finally {
      this.passing = false;
      this.pass();
    }
  }
}
