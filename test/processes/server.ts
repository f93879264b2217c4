import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerLife } from '../../src/embedded/server-life';
import type { Killable } from './killable';

/** Real ms in which a server that was killed must serve again, also where its first start fails. */
const PATIENCE = 120_000;
const PAUSE = 200;

/** PostgreSQL or Temporal: kept in a folder, which names the process group that serves it. */
export class Server implements Killable {
  private life: ServerLife | null = null;
  private group: number | null = null;
  private starting: Promise<void> = Promise.resolve();

  constructor(
    readonly name: string,
    private readonly folder: string,
    private readonly launch: () => Promise<ServerLife>,
  ) {}

  get pid(): number | null {
    return this.group;
  }

  async start(): Promise<void> {
    if (this.life !== null) throw new Error(`${this.name} is up already`);
    this.starting = this.bringUp();
    await this.starting;
  }

  private async bringUp(): Promise<void> {
    this.life = await this.launchInTime();
    this.group = await this.readGroup();
  }

  async kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' = 'SIGKILL'): Promise<void> {
    if (this.group === null) throw new Error(`${this.name} is down`);
    process.kill(-this.group, signal);
    // What is left of it goes, and its folder becomes free.
    if (signal === 'SIGKILL') await this.stop();
  }

  async stop(): Promise<void> {
    // A start under way ends first; the caller that began it hears how.
    await this.starting.catch(() => undefined);
    const { life } = this;
    [this.life, this.group] = [null, null];
    await life?.stop();
  }

  /** The first tries may meet what the killed one left: a port or memory not yet free. */
  private async launchInTime(): Promise<ServerLife> {
    const patienceEnds = performance.now() + PATIENCE;
    for (;;) {
      try {
        return await this.launch();
      } catch (error) {
        if (performance.now() > patienceEnds) throw error;
        await pause(PAUSE);
      }
    }
  }

  private async readGroup(): Promise<number> {
    const claim = JSON.parse(await readFile(join(this.folder, 'in-use.json'), 'utf8')) as { server: { pid: number } };
    return claim.server.pid;
  }
}
