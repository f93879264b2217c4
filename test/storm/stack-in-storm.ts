import { randomInt, randomUUID } from 'node:crypto';
import { DAY, HOUR, type Instant, MINUTE, SECOND, toIso } from '../../src/domain/time';
import { createPool, type Pool } from '../../src/ledger';
import { apiOf, openProcessStack, type ProcessStack, type ProcessStackOptions } from '../processes/local-stack';
import type { Program } from '../processes/program';
import type { Say } from '../support/campaign';
import { importAll } from '../support/import-call';
import { grantMandate } from '../support/mandate';
import { waitUntil } from '../support/wait-until';
import { type Arrival, type Meter, startMeter } from './meter';

export interface Made {
  readonly id: string;
  readonly paymentId: string;
}

export interface Creation {
  readonly status: number;
  /** Null if nothing was made. */
  readonly made: Made | null;
  /** What the response says if nothing was made. */
  readonly detail: string;
}

export interface StormOptions extends Pick<ProcessStackOptions, 'openTemporal' | 'sandbox'> {
  /** Variables of every program, beside those of the stack. */
  readonly env?: Readonly<Record<string, string>>;
  /** How many workers there are: three where not given. */
  readonly workers?: number;
}

const START = Date.parse('2027-01-31T10:00:00.000Z');
const WORKERS = 3;
/** The number of callers that create the subscriptions. */
const CALLERS = 8;
/** How many are created first, while programs are still cold; and how many then, to measure the time that one takes. */
const COLD = 24;
const TIMED = 96;
/** How many are imported first, to measure the time that one takes, while programs are still cold. */
const IMPORTED_FIRST = 200;
const WARNINGS_SHOWN = 5;
const MAX_ATTEMPTS = 3;

/** The body of POST /v1/subscriptions: a payer who approves at once and always pays. */
export function orderOf(firstPaymentAt: Instant, subscriptionId = `storm-${randomUUID()}`): object {
  const first = toIso(firstPaymentAt);
  return {
    subscriptionId,
    amount: { value: 1999, currency: 'EUR' },
    repetition: 'MONTHLY',
    startAt: first,
    firstPaymentAt: first,
    returnURL: 'https://shop.example/return',
    billingAddress: {
      name: 'Ada Byron',
      street: 'Ring 1',
      postalCode: '10115',
      city: 'Berlin',
      country: 'DE',
      email: 'wallet+approves+auto@example.test',
    },
    payer: { email: 'ada@payer.example', reference: `storm-${randomInt(2 ** 31)}` },
  };
}

/** Real processes in real time: the payment service, workers and the admin API. */
export class StackInStorm {
  workers: readonly Program[] = [];
  private apis: readonly Program[] = [];
  /** Real ms that the workers took to start; they are assumed to take as long again. */
  private cameUpIn = 0;
  /** Connections as a worker has them. */
  readonly db: Pool;

  private constructor(
    readonly stack: ProcessStack,
    private readonly meter: Meter,
    private readonly count: number,
  ) {
    this.db = createPool({ databaseUrl: stack.databaseUrl, max: 4 });
  }

  /** Every request that arrived at the payment service. */
  get arrivals(): readonly Arrival[] {
    return this.meter.arrivals;
  }

  static async open({ env, workers = WORKERS, sandbox, openTemporal }: StormOptions = {}): Promise<StackInStorm> {
    const stack = await openProcessStack({
      startAt: START,
      speed: 1,
      sandbox: { autoDecisionMs: 0, ...sandbox },
      env: { LOG_LEVEL: 'warn', ...env },
      ...(openTemporal === undefined ? {} : { openTemporal }),
    });
    return new StackInStorm(stack, await startMeter(stack.sandboxUrl), workers);
  }

  private get env(): Readonly<Record<string, string>> {
    return { LOG_LEVEL: 'info', PAYMENT_SERVICE_BASE_URL: this.meter.url };
  }

  async close(): Promise<void> {
    await this.db.end();
    await this.stack.close();
    this.meter.stop();
  }

  /** @param cap calls a second; none if null */
  async startWorkers(cap: number | null): Promise<void> {
    const env = { ...this.env, ...(cap === null ? {} : { PAYMENT_SERVICE_MAX_RPS: String(cap) }) };
    this.workers = Array.from({ length: this.count }, (_, n) => this.stack.program('worker', `worker ${n}`, env));
    const startedAt = performance.now();
    await Promise.all(this.workers.map((worker) => worker.start()));
    this.cameUpIn = performance.now() - startedAt;
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }

  /** Starts one more API. */
  async startApi(env: Readonly<Record<string, string>> = {}): Promise<Program> {
    const api = this.stack.program('api', `api ${this.apis.length}`, { ...this.env, ...env });
    this.apis = [...this.apis, api];
    await api.start();
    return api;
  }

  /** The warnings in the logs of the current programs. */
  warnings(): readonly string[] {
    const running = [...this.workers, ...this.apis].filter(({ pid }) => pid !== null);
    return running.flatMap(({ name, process }) => {
      const lines = process.stdout().split('\n');
      const warned = lines.filter((line) => /"level":[456]0/.test(line));
      return warned.slice(-WARNINGS_SHOWN).map((line) => `${name}: ${line}`);
    });
  }

  /** POST /v1/subscriptions. */
  async create(firstPaymentAt: Instant, subscriptionId?: string): Promise<Creation> {
    const { status, body } = await this.stack.admin.post<{
      subscriptionId: string;
      paymentId: string;
      detail?: string;
    }>('/v1/subscriptions', orderOf(firstPaymentAt, subscriptionId));
    const made = status === 201 ? { id: body.subscriptionId, paymentId: body.paymentId } : null;
    return { status, made, detail: body.detail ?? '' };
  }

  /**
   * Creates this many subscriptions that fall due in one instant, all of them active before it.
   * @returns these, and how many were created in all: some that fall due later come first, to measure how long one takes
   */
  async createDue(
    count: number,
    say: Say,
  ): Promise<{ readonly due: readonly Made[]; readonly dueAt: Instant; readonly all: number }> {
    const { clock } = this.stack;
    const before = await this.countActive();
    await this.createMany(COLD, clock.now() + 30 * DAY);
    const startedAt = performance.now();
    await this.createMany(TIMED, clock.now() + 30 * DAY);
    const each = (performance.now() - startedAt) / TIMED;
    const all = COLD + TIMED + count;
    const dueAt = this.planDue('creating', { count, each, reserve: 0 }, say);
    const due = await this.createMany(count, dueAt);
    await waitUntil('all consents are read', async () => (await this.countActive()) >= before + all, HOUR);
    this.requireBefore(dueAt);
    return { due, dueAt, all };
  }

  /**
   * Imports this many subscriptions that fall due at the same instant, and waits until their workflows are started. Much faster
   * than {@link createDue}, for campaigns to which it does not matter how a subscription came about.
   * @param reserve real ms to leave before the due instant, in addition to the time in which programs start
   */
  async importDue(
    count: number,
    reserve: number,
    say: Say,
  ): Promise<{ readonly due: readonly Made[]; readonly dueAt: Instant }> {
    const { clock } = this.stack;
    const startedAt = performance.now();
    await this.importMany(IMPORTED_FIRST, clock.now() + 30 * DAY);
    const each = (performance.now() - startedAt) / IMPORTED_FIRST;
    const dueAt = this.planDue('importing', { count, each, reserve }, say);
    const due = await this.importMany(count, dueAt);
    this.requireBefore(dueAt);
    return { due, dueAt };
  }

  /** @param each real ms that one took @returns an instant by which all should exist, and programs have started again */
  private planDue(
    doing: 'creating' | 'importing',
    { count, each, reserve }: { readonly count: number; readonly each: number; readonly reserve: number },
    say: Say,
  ): Instant {
    const takes = reserve + MINUTE / 3 + 3 * this.cameUpIn + 1.5 * each * count;
    say(`${doing} ${count}, ${Math.round(SECOND / each)} a second, due in ${Math.round(takes / SECOND)} s`);
    return Math.ceil(this.stack.clock.now() + takes);
  }

  private requireBefore(dueAt: Instant): void {
    if (this.stack.clock.now() > dueAt)
      throw new Error('the due instant came before all were there: the machine was too busy');
  }

  private async importMany(count: number, firstPaymentAt: Instant): Promise<readonly Made[]> {
    const grantedAt = this.stack.clock.now() - HOUR;
    const mandates = Array.from({ length: count }, () => {
      const id = `storm-${randomUUID()}`;
      return { id, ...grantMandate(this.stack, { subscriptionId: id, cents: 1999, firstPaymentAt, grantedAt }) };
    });
    const { url, key } = apiOf(this.stack);
    await importAll(
      url,
      key,
      mandates.map(({ line }) => line),
    );
    const areStarted = async () => (await this.db.query('select from workflow_starts limit 1')).rowCount === 0;
    await waitUntil('every workflow is started', areStarted, HOUR);
    return mandates.map(({ id, paymentId }) => ({ id, paymentId }));
  }

  private async createMany(count: number, firstPaymentAt: Instant): Promise<readonly Made[]> {
    const all: Made[] = [];
    let left = count;
    const caller = async () => {
      while (left > 0) {
        left -= 1;
        all.push(await this.createWithTimeout(firstPaymentAt));
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return all;
  }

  /** Repeats a creation that is answered 502, as the answer says (rule 18); the API logs the reason. */
  private async createWithTimeout(firstPaymentAt: Instant): Promise<Made> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { status, made, detail } = await this.create(firstPaymentAt);
      if (made !== null) return made;
      if (status !== 502) throw new Error(`a creation before the storm was answered with ${status}: ${detail}`);
    }
    throw new Error(`a creation before the storm was answered with 502, ${MAX_ATTEMPTS} times`);
  }

  /** How many of them have a collected cycle. */
  async countCollected(among: readonly Made[]): Promise<number> {
    const { rows } = await this.db.query<{ collected: number }>(
      `select count(*) as collected from cycles where status = 'collected' and subscription_id = any($1)`,
      [among.map(({ id }) => id)],
    );
    return rows[0]?.collected ?? 0;
  }

  private async countActive(): Promise<number> {
    const { rows } = await this.db.query<{ active: number }>(
      `select count(*) as active from subscriptions where status = 'active'`,
    );
    return rows[0]?.active ?? 0;
  }
}
