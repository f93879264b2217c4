import { HOUR } from '../../src/domain/time';
import { arrivedOf, type Attempt } from '../scenarios/admin-api';
import type { Life, Surroundings } from '../scenarios/life';
import type { Terms } from '../scenarios/order';
import { adminApiOf, openGround, placeOrder, type Ground } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';
import { type BreakPoint, DoomedWorkers } from './doomed-workers';

/** The point of an attempt at which each worker is killed or frozen, and the signal. */
const DOOMS = {
  beforeTheRow: ['before the commit of the row', 'SIGKILL'],
  beforeThePost: ['before the POST', 'SIGKILL'],
  atTheAnswer: ['at the answer', 'SIGKILL'],
  beforeTheOutcome: ['before the outcome pending', 'SIGKILL'],
  afterTheOutcome: ['after the commit of the outcome successful', 'SIGKILL'],
  frozenBeforeThePost: ['before the POST', 'SIGSTOP'],
} as const satisfies Record<string, readonly [BreakPoint['point'], BreakPoint['signal']]>;
export type DoomName = keyof typeof DOOMS;
export const DOOM_NAMES = Object.keys(DOOMS) as DoomName[];
const KILLED = DOOM_NAMES.filter((name) => DOOMS[name][1] === 'SIGKILL');

interface Strike {
  readonly life: Life;
  /** The authorizations that the service had at that moment; another worker continues soon after it. */
  readonly authorizations: Life['atService']['authorizations'];
}

export const ONCE = [[0, 'successful']];

/**
 * Real workers, each struck by a real signal at one exact point of one attempt; others take over what it held. Two hours a
 * second: a window is a minute.
 */
export class StruckWorkers {
  private readonly strikes = new Map<DoomName, Promise<Strike>>();

  private constructor(
    readonly ground: Ground,
    readonly surroundings: Surroundings,
    readonly workers: DoomedWorkers,
    private readonly ids: Readonly<Record<DoomName, string>>,
  ) {}

  static async open(more: Readonly<Record<string, string>> = {}): Promise<StruckWorkers> {
    const ground = await openGround();
    const { sandbox, url } = await ground.openSandbox();
    // Long, because the service always answers here, and a busy machine must not look like a silent service.
    const env = { PAYMENT_SERVICE_BASE_URL: url, PAYMENT_SERVICE_TIMEOUT_MS: '15000', ...more };
    // Ids are known before the subscriptions are created, so that workers can be started with break points for them.
    const ids = Object.fromEntries(DOOM_NAMES.map((name) => [name, `${name}-${process.pid}`])) as Record<
      DoomName,
      string
    >;
    const breakPoints = DOOM_NAMES.map((name): BreakPoint => {
      const [point, signal] = DOOMS[name];
      return { subscriptionId: ids[name], point, signal };
    });
    const workers = new DoomedWorkers(ground, env, breakPoints);
    const [admin] = await Promise.all([adminApiOf(ground.start('api', env)), workers.start(), workers.start()]);
    const surroundings = { admin, sandbox, sandboxUrl: url, receiver: ground.receiver };
    const struck = new StruckWorkers(ground, surroundings, workers, ids);
    await struck.orderEach();
    return struck;
  }

  async close(): Promise<void> {
    this.workers.end();
    await this.ground.close();
  }

  /**
   * Creates subscriptions that fall due one after the other, twenty hours apart, so that no kill hits what another
   * worker takes over. They are also created one after the other: the first requests to a program that has just started
   * take seconds on few processors, and an operator's request is refused after ten. The first one is due in 20 s.
   */
  private async orderEach(): Promise<void> {
    const first = Math.ceil(this.ground.clock.now() / HOUR) * HOUR + 40 * HOUR;
    for (const [index, name] of KILLED.entries()) {
      const life = await this.order(name, { firstPaymentAt: first + index * 20 * HOUR });
      const strike = this.awaitStrike(name, life);
      strike.catch(() => undefined);
      this.strikes.set(name, strike);
    }
  }

  private async awaitStrike(name: DoomName, life: Life): Promise<Strike> {
    const worker = await this.workers.struckAt(this.ids[name]);
    const { authorizations } = life.atService;
    expect(await worker.ended).toEqual({ code: null, signal: 'SIGKILL' });
    return { life, authorizations };
  }

  async order(name: DoomName, due: Pick<Terms, 'lead' | 'firstPaymentAt'>): Promise<Life> {
    const terms = { name, subscriptionId: this.ids[name], cents: 1000 + DOOM_NAMES.indexOf(name), ...due };
    const life = await placeOrder(this.surroundings, this.ground.clock, terms);
    return life.approvedWith();
  }

  at(name: DoomName): Promise<Strike> {
    const strike = this.strikes.get(name);
    if (strike === undefined) throw new Error(`no worker is killed at ${name}`);
    return strike;
  }
}

/** Expects one collection, by either worker, and the ledger to agree with the service's own record. @returns the attempts */
export async function collectedOnce(life: Life): Promise<Attempt[]> {
  await life.collected(1);
  expect(life.atService.authorizations).toHaveLength(1);
  expect(life.atService.debits).toHaveLength(1);
  await life.agrees();
  return [...(await life.cycles())[0]!.attempts];
}

/** Expects that the first send never left the killed worker, and that the same attempt was sent again. */
export function expectSentAgain([struckSend, ...more]: readonly Attempt[]): void {
  expect(struckSend).toMatchObject({ attempt: 0, send: 0, outcome: 'not_sent' });
  expect(arrivedOf(more)).toEqual(ONCE);
}

/** A worker is frozen before its POST, and resumes after another one has collected. */
export async function expectFrozenSendsNothing(struck: StruckWorkers): Promise<void> {
  const life = await struck.order('frozenBeforeThePost', { lead: 20 * HOUR });
  const frozen = await struck.workers.struckAt(life.id);
  try {
    expectSentAgain(await collectedOnce(life));
  } finally {
    process.kill(frozen.pid, 'SIGCONT');
  }
  const hasSeen = () => frozen.log().some(({ msg }) => msg === 'attempt.not_sent');
  await waitUntil('it has seen that it is late', hasSeen);
  await frozen.ended;
  await collectedOnce(life);
}
