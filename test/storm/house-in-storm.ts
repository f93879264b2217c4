import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY, HOUR, type Instant, MINUTE, SECOND, toIso } from '../../src/domain/time';
import { createPool, type Pool } from '../../src/ledger';
import { openProcessHouse, type ProcessHouse } from '../processes/house';
import type { Program } from '../processes/program';
import { type Arrival, type Meter, startMeter } from './meter';

export type Say = (line: string) => void;

export interface Made {
  readonly id: string;
  readonly paymentId: string;
}

const START = Date.parse('2027-01-31T10:00:00.000Z');
const WORKERS = 3;
/** Callers of the admin API while what is to be due is created. */
const CALLERS = 8;
const WARM_UP = 24;

/** Real processes in real time: the payment service, three workers and the admin API. */
export class HouseInStorm {
  workers: readonly Program[] = [];
  /** Real ms that the workers took to come up; as long, on this machine, they take once more. */
  private cameUpIn = 0;
  /** Connections as a worker has them. */
  readonly db: Pool;

  private constructor(
    readonly house: ProcessHouse,
    private readonly meter: Meter,
  ) {
    this.db = createPool({ databaseUrl: house.databaseUrl, max: 4 });
  }

  /** Every request that arrived at the payment service. */
  get arrivals(): readonly Arrival[] {
    return this.meter.arrivals;
  }

  static async open(): Promise<HouseInStorm> {
    const sandbox = { autoDecisionMs: 0 };
    const house = await openProcessHouse({ startAt: START, speed: 1, sandbox, env: { LOG_LEVEL: 'warn' } });
    return new HouseInStorm(house, await startMeter(house.sandboxUrl));
  }

  private get env(): Readonly<Record<string, string>> {
    return { LOG_LEVEL: 'info', PAYMENT_SERVICE_BASE_URL: this.meter.url };
  }

  async close(): Promise<void> {
    await this.db.end();
    await this.house.close();
    this.meter.stop();
  }

  /** @param cap calls a second; none where null */
  async startWorkers(cap: number | null): Promise<void> {
    const env = { ...this.env, ...(cap === null ? {} : { PAYMENT_SERVICE_MAX_RPS: String(cap) }) };
    this.workers = Array.from({ length: WORKERS }, (_, n) => this.house.program('worker', `worker ${n}`, env));
    const begun = performance.now();
    await Promise.all(this.workers.map((worker) => worker.start()));
    this.cameUpIn = performance.now() - begun;
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }

  async startApi(): Promise<void> {
    await this.house.program('api', 'api', this.env).start();
  }

  /** POST /v1/subscriptions. @returns what was made, null where it was not, and the answer's status */
  async create(firstPaymentAt: Instant): Promise<{ readonly status: number; readonly made: Made | null }> {
    const first = toIso(firstPaymentAt);
    const { status, body } = await this.house.admin.post<{ subscriptionId: string; paymentId: string }>(
      '/v1/subscriptions',
      {
        ...{ amount: { value: 1999, currency: 'EUR' }, repetition: 'MONTHLY', startAt: first, firstPaymentAt: first },
        returnURL: 'https://shop.example/return',
        billingAddress: {
          ...{ name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
          email: 'wallet+approves+auto@example.test',
        },
        payer: { email: 'ada@payer.example', reference: `storm-${randomInt(2 ** 31)}` },
      },
    );
    return { status, made: status === 201 ? { id: body.subscriptionId, paymentId: body.paymentId } : null };
  }

  /** Creates so many that fall due in one instant, all of them active before it. */
  async createDue(count: number, say: Say): Promise<{ readonly due: readonly Made[]; readonly dueAt: Instant }> {
    const { clock } = this.house;
    const begun = performance.now();
    await this.createMany(WARM_UP, clock.now() + 30 * DAY);
    const each = (performance.now() - begun) / WARM_UP;
    const dueAt = Math.ceil(clock.now() + MINUTE / 3 + 3 * this.cameUpIn + 1.5 * each * count);
    say(
      `creating ${count}, ${Math.round(SECOND / each)} a second, due in ${Math.round((dueAt - clock.now()) / SECOND)} s`,
    );
    const due = await this.createMany(count, dueAt);
    await this.untilActive(count + WARM_UP);
    if (clock.now() > dueAt) throw new Error('the due instant came before all were created: the machine was too busy');
    return { due, dueAt };
  }

  private async createMany(count: number, firstPaymentAt: Instant): Promise<readonly Made[]> {
    const all: Made[] = [];
    let left = count;
    const caller = async () => {
      while (left > 0) {
        left -= 1;
        const { status, made } = await this.create(firstPaymentAt);
        if (made === null) throw new Error(`a creation before the storm was answered with ${status}`);
        all.push(made);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return all;
  }

  private async untilActive(count: number): Promise<void> {
    const patienceEnds = performance.now() + HOUR;
    while (performance.now() < patienceEnds) {
      const { rows } = await this.db.query<{ active: number }>(
        `select count(*) as active from subscriptions where status = 'active'`,
      );
      if ((rows[0]?.active ?? 0) >= count) return;
      await pause(SECOND / 2);
    }
    throw new Error('not all consents were read');
  }
}
