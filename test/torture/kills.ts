import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toIso } from '../../src/domain/time';
import type { ProcessStack } from '../processes/local-stack';
import type { Program } from '../processes/program';
import type { Server } from '../processes/server';
import { type KillPlan, type Target, TARGETS } from './plan';
import { reach } from './reach';

/** Prints a line. */
export type Say = (line: string) => void;

/** The processes that may be killed: several workers, and one of each other kind. */
export interface Victims {
  readonly worker: readonly KeptProgram[];
  readonly api: readonly KeptProgram[];
  readonly temporal: readonly Server[];
  readonly postgres: readonly Server[];
}

/** Real ms before a program that ended by itself is started again. */
const PAUSE = 200;

/** A program that is started again whenever it ends, as a service manager does. */
export class KeptProgram {
  /** Each way in which it ended without being killed. */
  readonly endings: string[] = [];
  private isOver = false;
  private isKilled = false;
  private keeping: Promise<void> = Promise.resolve();

  /** @param logs the folder for what each of its processes wrote; null: nowhere */
  constructor(
    private readonly program: Program,
    private readonly logs: string | null,
  ) {}

  get name(): string {
    return this.program.name;
  }

  async start(): Promise<void> {
    await this.program.start();
    this.keeping = this.keep();
  }

  /** Kills the program, and resolves once it has ended. It is then started again. */
  async kill(): Promise<void> {
    while (this.program.pid === null) await pause(PAUSE);
    this.isKilled = true;
    await this.program.kill();
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.program.stop();
    await this.keeping;
  }

  private get isMeant(): boolean {
    return this.isKilled || this.isOver;
  }

  private async keep(): Promise<void> {
    while (!this.isOver) {
      const running = this.program.pid === null ? this.program.launch() : this.program.process;
      const { code, signal } = await running.ended;
      const text = running.stdout() + running.stderr();
      if (this.logs !== null) await mkdir(this.logs, { recursive: true });
      if (this.logs !== null) await writeFile(join(this.logs, `${this.program.name} ${running.pid}.log`), text);
      if (!this.isMeant) {
        this.endings.push(`${signal ?? code}: ${lastOf(text)}`);
        await pause(PAUSE);
      }
      this.isKilled = false;
    }
  }
}

function lastOf(text: string): string {
  return text.trim().split('\n').slice(-2).join(' | ').slice(-600);
}

/** Carries out the plan's kills at their moments; what is killed is started again at once. */
export class Kills {
  readonly done: Record<Target, number> = { worker: 0, api: 0, temporal: 0, postgres: 0 };
  /** Real ms from each kill of a server until it served again. */
  readonly outages: number[] = [];
  private readonly turns = new Map<object, Promise<void>>();

  constructor(
    private readonly stack: ProcessStack,
    private readonly say: Say,
    private readonly victims: Victims,
  ) {}

  get count(): number {
    return TARGETS.reduce((sum, target) => sum + this.done[target], 0);
  }

  async execute(plans: readonly KillPlan[]): Promise<void> {
    for (const plan of plans) {
      await reach(this.stack, plan.at);
      const among: readonly (KeptProgram | Server)[] = this.victims[plan.target];
      const victim = among[Math.floor(plan.which * among.length)];
      if (victim === undefined) throw new Error(`there is no ${plan.target}`);
      // A server that is still starting is killed once it is up; the kills of other processes do not wait for that.
      const turn = (this.turns.get(victim) ?? Promise.resolve()).then(() => this.kill(victim, plan.target));
      turn.catch(() => undefined);
      this.turns.set(victim, turn);
    }
    await Promise.all(this.turns.values());
  }

  private async kill(victim: KeptProgram | Server, target: Target): Promise<void> {
    const startedAt = performance.now();
    await victim.kill();
    this.done[target] += 1;
    const at = toIso(this.stack.clock.now());
    if (!(victim instanceof KeptProgram)) {
      await victim.start();
      this.outages.push(performance.now() - startedAt);
    }
    this.say(`${at}: killed ${victim.name}; ${Math.round(performance.now() - startedAt)} ms`);
  }
}
