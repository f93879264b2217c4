import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import {
  type ActivitySettings,
  createActivities,
  type Dependencies,
  NO_COUNTING,
  NO_POLLING,
  type WorkerDependencies,
} from '../../activities';
import type { Clock } from '../../src/platform/clock';
import type { Activities } from '../../src/contract/activities';
import type { CollectStepInput, Step, StepInput } from '../../src/contract/steps';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, type Instant } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { isFinal } from '../../src/domain/send';
import {
  applyChange,
  type AttemptRecord,
  createPool,
  type EventRecord,
  type Frozen,
  getCycle,
  getSubscription,
  insertDraft,
  listEvents,
  type Pool,
  type SubscriptionDraft,
  watchWrites,
} from '../../src/ledger';
import type { NoticeDeps } from '../../src/jobs/deliver-notices';
import { createNotifier, type Notifier, type NotifierOptions } from '../../src/notices';
import {
  type Authorization,
  createPaymentService,
  type PaymentService,
  type ServiceResult,
} from '../../src/payment-service';
import { createSandbox, type Debit, type Sandbox, type SandboxOptions } from '../../src/sandbox';
import { createTestDatabase } from '../support/database';
import { emptyLedger } from '../support/empty-ledger';
import { ActivityDriver, type DriveOptions, type DrivenRun, type Stop } from './activity-driver';
import { type AttemptOutcome, resultOfAttempt } from './attempt-result';
import { HandClock } from '../../src/simulation/hand-clock';

const CREDENTIALS = { clientId: 'merchant-of-the-test', clientSecret: 'client-secret-of-the-test' };
const API_KEY = 'api-key-of-the-test';

/** Personal data that must never be seen outside the ledger and the service; no random id can contain any of it. */
export const PERSON = {
  name: 'Ottilie Unverwechselbar',
  street: 'Geheimweg 4711',
  postalCode: 'QX4 7ZW',
  city: 'Hintertupfingen',
  country: 'DE',
  email: 'ottilie.unverwechselbar@post.example',
};
const REFERENCE = 'customer-0815-geheim';

/** Real ms until authorization and capture are final. */
export const BOOKING = 1_000;
export const SETTLE = 900_000;
export const AMOUNT = euros(1999);

export interface WorldOptions {
  /** The business time at which the world begins. */
  readonly startAt?: Instant;
  /**
   * The time-out of a request in machine ms; the hand clock stands still meanwhile. Only tests of a service that does not answer
   * set it. The default is long, so that a busy machine does not look like such a service.
   */
  readonly timeoutMs?: number;
  readonly settings?: Partial<ActivitySettings>;
  readonly notifier?: Partial<NotifierOptions>;
  readonly sandbox?: Partial<SandboxOptions>;
  /** Whether the service takes refunds of Event Dependent payments. */
  readonly eventDependentRefunds?: boolean;
}

/** The clock of the service's machine. It follows the right clock until a test sets it ahead or back. */
class ServiceClock implements Clock {
  readonly setting;
  /** Ms; negative: behind. */
  ahead = 0;

  constructor(private readonly right: HandClock) {
    this.setting = right.setting;
  }

  now = () => this.right.now() + this.ahead;
  realNow = () => this.right.realNow() + this.ahead;
}

/** What is frozen when a subscription is created. Without a transit margin, attempts may be sent until their window ends. */
export const FROZEN: Frozen = {
  policy: { offsets: [24 * HOUR, 48 * HOUR, 71 * HOUR], transit: 0, gap: 6 * HOUR },
  spread: 0,
};

/** The input of an attempt's activity, and which activity runs it. */
export interface AttemptInput extends CollectStepInput {
  /** Whether the attempt is followed beside the workflow of its subscription, which continues or has ended. */
  readonly isBeside: boolean;
}

/** What became of an attempt. */
export interface Attempted extends DrivenRun<AttemptOutcome> {
  /** The step that the ledger decided at the end of the activity. */
  readonly next: Step;
}

export interface Subscribed {
  readonly subscriptionId: SubscriptionId;
  readonly paymentId: PaymentId;
  readonly dueAt: number;
  readonly collectBy: number;
}

/** One simulated service, one ledger, and workers between them, all on one hand clock. */
export class World {
  readonly driver: ActivityDriver;
  /** Method and path of every request that reached the service. */
  readonly requests: string[] = [];
  private readonly tokens = new Set<string>();

  private constructor(
    readonly clock: HandClock,
    readonly sandbox: Sandbox,
    readonly deps: WorkerDependencies,
    /** Agrees with `clock` until a test sets it ahead or back. */
    readonly serviceClock: ServiceClock,
    private readonly logged: readonly string[],
    private readonly notifier: Notifier,
  ) {
    this.driver = new ActivityDriver(clock);
  }

  static async open(ledger: Pool, options: WorldOptions = {}): Promise<World> {
    const { timeoutMs = 120_000, eventDependentRefunds = false } = options;
    const clock = new HandClock(options.startAt);
    const serviceClock = new ServiceClock(clock);
    const logged: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
    const quiet = pino({ level: 'silent' });
    const simulated = { clock: serviceClock, logger: quiet, bookingDelayMs: BOOKING, apiKey: API_KEY };
    const sandbox = createSandbox({ ...simulated, ...CREDENTIALS, eventDependentRefunds, ...options.sandbox });
    const opened: World[] = [];
    sandbox.app.addHook('onRequest', async ({ method, url, headers }) => opened[0]?.note(method, url, headers));
    const { url: baseUrl } = await sandbox.listen(0);
    const service = createPaymentService({
      baseUrl,
      timeoutMs,
      clock,
      logger: log,
      apiKey: API_KEY,
      ...CREDENTIALS,
      // Virtual hours pass in no real time, so an open circuit must not delay calls in real time.
      circuit: { failuresInARow: 1_000_000, firstWaitMs: 1, lastWaitMs: 1 },
    });
    const notifier = createNotifier({ clock, logger: log, ...options.notifier });
    const settings = {
      settle: SETTLE,
      requestTimeout: 30_000,
      reconcileEveryDays: 7,
      owner: 'worker-1',
      ...options.settings,
    };
    const workflows = { isRunning: async () => true, notify: async () => undefined };
    const without = { polling: NO_POLLING, counting: NO_COUNTING, writes: watchWrites(ledger) };
    const deps = { ledger, steering: ledger, service, clock, log, workflows, ...without, settings };
    const world = new World(clock, sandbox, deps, serviceClock, logged, notifier);
    opened.push(world);
    return world;
  }

  /** Closes everything. @throws Error if Temporal has seen a secret or personal data, or if the log contains any */
  async close(): Promise<void> {
    await this.deps.service.close();
    await this.notifier.close();
    await this.sandbox.close();
    this.expectNothingSecret();
  }

  activities(changes: Partial<Dependencies> = {}): Activities {
    return activitiesOf(this, changes);
  }

  /** The dependencies with which notices are delivered. */
  outbox(changes: Partial<NoticeDeps> = {}): NoticeDeps {
    const { ledger: db, clock, log: logger } = this.deps;
    const { notifier } = this;
    return {
      db,
      notifier,
      clock,
      logger,
      noticeBackoff: [5, 30],
      paymentPage: null,
      notify: async () => undefined,
      ...changes,
    };
  }

  /** The service as the activities use it, with some calls replaced. */
  service(changes: Partial<PaymentService>): PaymentService {
    return { ...this.deps.service, ...changes };
  }

  /** Stores a draft, whose consent has not been requested. */
  async draft(changes: Partial<SubscriptionDraft> = {}, frozen: Frozen = FROZEN): Promise<SubscriptionId> {
    const subscriptionId = changes.subscriptionId ?? (`sub_${randomUUID()}` as SubscriptionId);
    const now = this.clock.now();
    await insertDraft(
      this.deps.ledger,
      {
        subscriptionId,
        workflowId: `subscription/${subscriptionId}`,
        repetition: 'MONTHLY',
        consentAmount: AMOUNT,
        startAt: now,
        firstPaymentAt: now + HOUR,
        endAt: null,
        onExhausted: 'continue',
        returnURL: 'https://shop.example/back',
        payer: { email: PERSON.email, reference: REFERENCE },
        billingAddress: PERSON,
        shippingAddress: null,
        replaces: null,
        warnings: [],
        createdAt: now,
        draftedRealAt: this.clock.realNow(),
        ...changes,
      },
      this.clock.realNow(),
      frozen,
    );
    return subscriptionId;
  }

  /** Creates a subscription in `pending_consent`. */
  async requested(
    changes: Partial<SubscriptionDraft> = {},
    frozen: Frozen = FROZEN,
  ): Promise<Subscribed & { requestedRealAt: number }> {
    const dueAt = changes.firstPaymentAt ?? this.clock.now() + HOUR;
    const subscriptionId = await this.draft({ ...changes, firstPaymentAt: dueAt }, frozen);
    await this.driver.drive(() => this.activities().requestConsent(this.reference({ subscriptionId })));
    const { paymentId = null, consent } = (await getSubscription(this.deps.ledger, subscriptionId)) ?? {};
    if (paymentId === null || consent?.requestedRealAt == null) throw new Error('the consent was not requested');
    return { subscriptionId, paymentId, requestedRealAt: consent.requestedRealAt, dueAt, collectBy: dueAt + 5 * DAY };
  }

  /** Creates a subscription whose payer has approved, and lets time pass until its first due date. */
  async due(
    wallet = 'approves',
    changes: Partial<SubscriptionDraft> = {},
    frozen: Frozen = FROZEN,
  ): Promise<Subscribed> {
    const subscribed = await this.requested(changes, frozen);
    this.sandbox.payer(subscribed.paymentId).approve(wallet);
    await this.patch(subscribed, { status: 'active' });
    this.clock.passUntil(subscribed.dueAt);
    return subscribed;
  }

  async patch(
    { subscriptionId }: Pick<Subscribed, 'subscriptionId'>,
    subscription: Parameters<typeof applyChange>[1]['subscription'],
  ): Promise<void> {
    const key = randomUUID();
    await applyChange(this.deps.ledger, {
      subscriptionId,
      key,
      at: this.clock.now(),
      actor: 'test',
      events: [],
      ...(subscription === undefined ? {} : { subscription }),
    });
  }

  /** The input that a workflow gives its activities before it knows of any change or followed attempt. */
  reference({ subscriptionId }: Pick<Subscribed, 'subscriptionId'>): StepInput {
    return { subscriptionId, revision: 0, followed: [] };
  }

  input(subscribed: Pick<Subscribed, 'subscriptionId'>, changes: Partial<AttemptInput> = {}): AttemptInput {
    return { ...this.reference(subscribed), cycle: 0, attempt: 0, isBeside: false, ...changes };
  }

  /** The input for following an authorization that is pending past its window, in parallel to later cycles. */
  following(subscribed: Pick<Subscribed, 'subscriptionId'>): AttemptInput {
    return this.input(subscribed, { isBeside: true });
  }

  /** What the ledger decides at this moment. */
  async decide(subscribed: Pick<Subscribed, 'subscriptionId'>, followed: StepInput['followed'] = []): Promise<Step> {
    const input = { ...this.reference(subscribed), followed };
    return (await this.driver.drive(() => this.activities().decide(input))).result;
  }

  /** Runs an attempt as its workflow does, until the ledger says what is next. */
  async collect(input: AttemptInput, deps: Partial<Dependencies> = {}, options: DriveOptions = {}): Promise<Attempted> {
    return this.attempted(input, await this.driver.drive(this.attempting(input, deps), options));
  }

  /** Runs an attempt once. */
  async collectOnce(input: AttemptInput, deps: Partial<Dependencies> = {}): Promise<Attempted | Stop> {
    const end = await this.driver.once(this.attempting(input, deps));
    return 'result' in end ? this.attempted(input, end) : end;
  }

  private async attempted(input: AttemptInput, driven: DrivenRun<Step>): Promise<Attempted> {
    const { result: next } = driven;
    return { ...driven, next, result: await resultOfAttempt(this, input, next) };
  }

  private attempting({ isBeside, ...input }: AttemptInput, deps: Partial<Dependencies>): () => Promise<Step> {
    const activities = this.activities(deps);
    return () => (isBeside ? activities.followAttempt(input) : activities.collectPayment(input));
  }

  /** A service that gives this answer to every POST of an authorization; the POST itself is not sent. */
  answering(answer: ServiceResult<Authorization>): Pick<Dependencies, 'service'> {
    return { service: this.service({ initiate: async () => answer }) };
  }

  debits({ paymentId }: { readonly paymentId: PaymentId }): Debit[] {
    return this.sandbox.debits().filter((debit) => debit.paymentId === paymentId && debit.status === 'successful');
  }

  /** How many POSTs of an authorization reached the service. */
  posts({ paymentId }: { readonly paymentId: PaymentId }): number {
    return this.requests.filter((each) => each === `POST /${paymentId}/authorizations`).length;
  }

  /** Every send of a cycle as the ledger has it, oldest first. */
  async sends({ subscriptionId }: Subscribed, cycle = 0): Promise<readonly AttemptRecord[]> {
    return (await getCycle(this.deps.ledger, subscriptionId, cycle))?.attempts ?? [];
  }

  /** The revision of the subscription's row. */
  async revision({ subscriptionId }: Subscribed): Promise<number> {
    const read = 'select revision from subscriptions where subscription_id = $1';
    const { rows } = await this.deps.ledger.query<{ revision: number }>(read, [subscriptionId]);
    return rows[0]!.revision;
  }

  /** Expects this many debits of the first cycle at the service, the same debits in the ledger, and nothing open. */
  async expectLedgerEqual(subscribed: Subscribed, debits: number): Promise<void> {
    const made = this.debits(subscribed);
    const sends = await this.sends(subscribed);
    const won = sends.filter(({ state }) => state === 'successful');
    expect(made).toHaveLength(debits);
    expect(won.map(moneyOf)).toEqual(made.map(moneyOf));
    expect(sends.filter(({ state }) => !isFinal(state))).toEqual([]);
  }

  /** The audit log, oldest first: all entries, or those of one type. */
  async events(
    { subscriptionId }: { readonly subscriptionId: SubscriptionId },
    type?: string,
  ): Promise<readonly EventRecord[]> {
    const filter = { subscriptionId, ...(type === undefined ? {} : { type }) };
    const { items } = await listEvents(this.deps.ledger, filter, { limit: 1000, cursor: null });
    return items.toReversed();
  }

  /** The types of the audit entries, oldest first. */
  async auditLog(subscribed: { readonly subscriptionId: SubscriptionId }): Promise<string[]> {
    return (await this.events(subscribed)).map(({ type }) => type);
  }

  /** What was logged under a message, oldest first. */
  loggedAs(message: string): unknown[] {
    return this.logged.map((line) => JSON.parse(line) as { msg?: string }).filter(({ msg }) => msg === message);
  }

  private note(method: string, url: string, headers: { readonly authorization?: string | undefined }): void {
    this.requests.push(`${method} ${url}`);
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
    if (token !== undefined) this.tokens.add(token);
  }

  private expectNothingSecret(): void {
    const { name, street, postalCode, city, email } = PERSON;
    const secrets = [
      name,
      street,
      postalCode,
      city,
      email,
      REFERENCE,
      CREDENTIALS.clientSecret,
      API_KEY,
      ...this.tokens,
    ];
    const seen = JSON.stringify(this.driver.seen) + this.logged.join('');
    const found = secrets.filter((secret) => seen.includes(secret));
    if (found.length > 0) throw new Error(`seen by Temporal, or logged: ${found.join(', ')}`);
  }
}

type Debited = Pick<AttemptRecord, 'amount'> & {
  readonly authorizationId: string | null;
  readonly captureId: string | null;
};

function moneyOf({ authorizationId, captureId, amount }: Debited): Debited {
  return { authorizationId, captureId, amount };
}

/** The activities of a worker of this world. If `changes` has a ledger, every activity works on that ledger. */
export function activitiesOf({ deps }: World, changes: Partial<Dependencies> = {}) {
  return createActivities({ ...deps, steering: changes.ledger ?? deps.steering, ...changes });
}

/** One ledger for the whole test file, and for each test a new world on it, after the ledger was emptied. */
export function useWorld(options: WorldOptions = {}): { readonly world: World } {
  const holder: { world: World } = {} as { world: World };
  let pool: Pool;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    pool = createPool({ databaseUrl: database.url, keepsStatements: true });
  });
  afterAll(async () => {
    await pool.end();
    await drop();
  });
  beforeEach(async () => {
    await emptyLedger(pool);
    holder.world = await World.open(pool, options);
  });
  afterEach(() => holder.world.close());
  return holder;
}
