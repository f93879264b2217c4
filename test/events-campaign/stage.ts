import { setTimeout as pause } from 'node:timers/promises';
import { HOUR, SECOND } from '../../src/domain/time';
import { StackInStorm } from '../storm/stack-in-storm';
import type { Say } from '../support/campaign';
import { KeptProgram } from '../torture/kills';
import { readStanding, type Standing, TYPES } from './ledger';
import { Listener } from './listener';

/** The number of APIs, which deliver events. */
const APIS = 2;
/** Real ms after which something that is waited for counts as missing. */
const TIMEOUT = HOUR / 2;

/** Real processes, and the shop's three endpoints. */
export class Stage {
  private constructor(
    readonly storm: StackInStorm,
    readonly apis: readonly KeptProgram[],
    /** The endpoint that is down for a part of the time. */
    readonly dead: Listener,
    readonly slow: Listener,
    readonly well: Listener,
  ) {}

  /** @param env variables of every program */
  static async open(env: Readonly<Record<string, string>>): Promise<Stage> {
    const storm = await StackInStorm.open({ env });
    const apis = Array.from({ length: APIS }, (_, n) => {
      // Callers use only the first API; the others listen on any free port.
      const ADMIN_PORT = n === 0 ? (storm.stack.env['ADMIN_PORT'] ?? '') : '0';
      return new KeptProgram(storm.stack.program('api', `api ${n}`, { LOG_LEVEL: 'info', ADMIN_PORT }), null);
    });
    const [dead, slow, well] = [Listener.open('dead', 0), Listener.open('slow', 150), Listener.open('well', 0)];
    return new Stage(storm, apis, await dead, await slow, await well);
  }

  get listeners(): readonly Listener[] {
    return [this.dead, this.slow, this.well];
  }

  async start(): Promise<void> {
    await Promise.all(this.apis.map((api) => api.start()));
    await this.storm.startWorkers(null);
  }

  async close(): Promise<void> {
    await Promise.all(this.apis.map((api) => api.stop()));
    await this.storm.close();
    this.listeners.forEach((listener) => listener.close());
  }

  async makeEndpoints(enabled = true): Promise<void> {
    for (const listener of this.listeners) {
      const { status, body } = await this.storm.stack.admin.post<Listener['endpoint']>('/v1/webhook-endpoints', {
        url: listener.url,
        types: TYPES,
        enabled,
      });
      if (status !== 201) throw new Error(`the endpoint ${listener.name} was answered with ${status}`);
      listener.endpoint = body;
    }
  }

  async deleteEndpoints(): Promise<void> {
    for (const { name, endpoint } of this.listeners) {
      const { status } = await this.storm.stack.admin.delete(`/v1/webhook-endpoints/${endpoint.endpointId}`);
      if (status !== 200) throw new Error(`the deletion of the endpoint ${name} was answered with ${status}`);
    }
  }

  /** @returns null if the condition was not met in time: the judge then reports what is missing */
  async until(what: string, say: Say, holds: (standing: Standing) => boolean): Promise<Standing | null> {
    const timesOutAt = performance.now() + TIMEOUT;
    let saidAt = performance.now();
    while (performance.now() < timesOutAt) {
      const standing = await readStanding(this.storm.db);
      if (holds(standing)) return standing;
      if (performance.now() - saidAt >= 10 * SECOND) {
        saidAt = performance.now();
        const { collected, pending, dead } = standing;
        say(`${what}: ${collected} collected, ${pending} deliveries pending, ${dead} dead letters`);
      }
      await pause(SECOND / 2);
    }
    return null;
  }
}
