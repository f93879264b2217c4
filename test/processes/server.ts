import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerLife } from '../../src/embedded/server-life';
import type { Killable } from './killable';

/** Real ms within which a killed server must serve again, even if its first start fails. */
const TIMEOUT = 120_000;
const PAUSE = 200;

/** PostgreSQL or Temporal on a folder, which identifies its process group. */
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
    // Ends the remaining processes and frees the folder.
    if (signal === 'SIGKILL') await this.stop();
  }

  async stop(): Promise<void> {
    // A start in progress ends first; its caller gets the result.
    await this.starting.catch(() => undefined);
    const { life } = this;
    [this.life, this.group] = [null, null];
    await life?.stop();
  }

  /** The first tries may fail because a port or memory of the killed process is not yet free. */
  private async launchInTime(): Promise<ServerLife> {
    const timesOutAt = performance.now() + TIMEOUT;
    for (;;) {
      try {
        return await this.launch();
      } catch (error) {
        if (performance.now() > timesOutAt) throw error;
        await pause(PAUSE);
      }
    }
  }

  private async readGroup(): Promise<number> {
    const claim = JSON.parse(await readFile(join(this.folder, 'in-use.json'), 'utf8')) as { server: { pid: number } };
    return claim.server.pid;
  }
}
