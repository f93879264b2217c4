/** The time of a simulation, which passes only on request. Epoch ms. */
interface Time {
  now(): number;
  passUntil(at: number): Promise<void>;
}

interface Sleeper {
  readonly name: string;
  readonly at: number;
  readonly wake: () => void;
  readonly fail: (fault: unknown) => void;
}

/** One time for many lives: it passes while all of them wait, to the instant that the first of them waits for. */
export class SharedTime {
  private readonly living: string[] = [];
  private sleepers: Sleeper[] = [];
  private passing = false;
  private readonly doing = new Map<string, string>();
  private taken = 0;

  constructor(private readonly time: Time) {}

  /** How many lives are lived, and how many of them wait for time. */
  get state(): string {
    return `${this.sleepers.length} of ${this.living.length} wait${this.passing ? ', time passes' : ''}`;
  }

  /** How many steps the lives have taken: what they have started to do, and how often they have waited. */
  get steps(): number {
    return this.taken;
  }

  /** The lives that do not wait for time, and what each does: no time passes before they do. */
  get busy(): readonly { readonly name: string; readonly doing: string }[] {
    const waiting = new Set(this.sleepers.map(({ name }) => name));
    const busy = this.living.filter((name) => !waiting.has(name));
    return busy.map((name) => ({ name, doing: this.doing.get(name) ?? 'starts' }));
  }

  /** Records what a life does from now on, for the report on a run that hangs. */
  note(name: string, doing: string): void {
    this.taken += 1;
    this.doing.set(name, doing);
  }

  now(): number {
    return this.time.now();
  }

  /** Runs the work of one more life; time does not pass while it works. */
  async live(name: string, work: () => Promise<void>): Promise<void> {
    this.living.push(name);
    try {
      await work();
    } finally {
      this.living.splice(this.living.indexOf(name), 1);
      this.pass();
    }
  }

  passUntil(name: string, at: number): Promise<void> {
    this.taken += 1;
    return new Promise((resolve, reject) => {
      this.sleepers.push({ name, at, wake: resolve, fail: reject });
      this.pass();
    });
  }

  private pass(): void {
    if (this.passing || this.sleepers.length === 0 || this.sleepers.length < this.living.length) return;
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
