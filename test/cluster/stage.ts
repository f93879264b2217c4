import type { Program } from '../processes/program';
import { StackInStorm } from '../storm/stack-in-storm';
import type { Check, Say } from '../support/campaign';
import { type RoundRobinProxy, startRoundRobinProxy } from '../support/round-robin-proxy';
import { registerAsOperator } from './operator';
import { openTemporalCluster, type TemporalCluster } from './temporal-cluster';

const WORKERS = 2;
const APIS = 2;
const ENV = {
  ADMIN_TRUSTED_PROXIES: '127.0.0.1',
  // Short, because the service answers at once: by then it lists what a killed worker has sent.
  PAYMENT_SERVICE_SETTLE_SECONDS: '5',
};

/** Temporal's server on PostgreSQL, two workers, and two APIs behind a proxy at the address that callers use. */
export class Stage {
  apis: readonly Program[] = [];
  private opened: RoundRobinProxy | null = null;

  private constructor(
    readonly storm: StackInStorm,
    readonly temporal: TemporalCluster,
    /** Whether the administrator's command in docs/guides/deploy.md has registered the search attributes. */
    readonly registered: Check,
  ) {}

  static async open(say: Say): Promise<Stage> {
    const opened: { temporal?: TemporalCluster } = {};
    const storm = await StackInStorm.open({
      env: ENV,
      workers: WORKERS,
      // The simulator accepts a second debit of a date, so that it is counted and not refused.
      sandbox: { brokenRules: ['one-debit-per-date'] },
      openTemporal: async (folder) => (opened.temporal = await openTemporalCluster(folder)),
    });
    const temporal = opened.temporal!;
    try {
      const registered = await registerAsOperator(temporal);
      say(`Temporal's server ${temporal.version} on PostgreSQL serves`);
      return new Stage(storm, temporal, registered);
    } catch (error) {
      await storm.close();
      throw error;
    }
  }

  get proxy(): RoundRobinProxy {
    if (this.opened === null) throw new Error('the proxy is not up');
    return this.opened;
  }

  async startApis(): Promise<void> {
    const { stack } = this.storm;
    const urls: string[] = [];
    for (let n = 0; n < APIS; n++) {
      const api = await this.storm.startApi({ ADMIN_PORT: '0' });
      this.apis = [...this.apis, api];
      urls.push((await api.process.says('admin API on ')).url ?? '');
    }
    this.opened = await startRoundRobinProxy(Number(stack.env['ADMIN_PORT']), urls);
  }

  async close(): Promise<void> {
    await this.opened?.close();
    await this.storm.close();
  }
}
