import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuedayProcess } from '../cli/dueday-process';
import type { Ground } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';

const PRELOAD = join(__dirname, 'break-point.cjs');

/** The point of one attempt at which a worker is killed or frozen: see break-point.cjs. */
export interface BreakPoint {
  readonly subscriptionId: string;
  readonly point: string;
  readonly signal: 'SIGKILL' | 'SIGSTOP';
}

/**
 * Workers each of which is replaced when it ends, as a service manager would do. Each break point strikes the first
 * worker that comes to it, once.
 */
export class DoomedWorkers {
  private readonly marks = mkdtempSync(join(tmpdir(), 'dueday-break-'));
  private readonly all: DuedayProcess[] = [];
  private over = false;

  constructor(
    private readonly ground: Ground,
    private readonly env: Readonly<Record<string, string>>,
    private readonly breakPoints: readonly BreakPoint[],
  ) {}

  /** Starts one more worker, which is replaced by another one whenever it ends. */
  async start(): Promise<void> {
    const worker = this.ground.startToBeKilled('worker', {
      ...this.env,
      NODE_OPTIONS: `--require ${PRELOAD}`,
      BREAK_POINTS: JSON.stringify(this.breakPoints),
      BREAK_MARKS: this.marks,
    });
    this.all.push(worker);
    void worker.ended.then(() => (this.over ? undefined : this.start().catch(() => undefined)));
    await worker.says('worker started');
  }

  get living(): DuedayProcess[] {
    return this.all.filter((worker) => !worker.hasEnded());
  }

  /** The worker that was killed or frozen at the break point of this subscription. */
  async struckAt(subscriptionId: string): Promise<DuedayProcess> {
    const mark = join(this.marks, subscriptionId);
    const pid = () => (existsSync(mark) ? readFileSync(mark, 'utf8') : '');
    await waitUntil(`a worker is struck at ${subscriptionId}`, () => pid() !== '');
    return this.all.find((worker) => String(worker.pid) === pid())!;
  }

  /** Ends all workers, and starts no more. */
  end(): void {
    this.over = true;
    // SIGKILL, because a frozen process would not handle any other signal.
    for (const { pid } of this.living) process.kill(pid, 'SIGKILL');
    rmSync(this.marks, { recursive: true, force: true });
  }
}
