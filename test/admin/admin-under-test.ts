import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { Registry } from 'prom-client';
import { type AdminDeps, createAdmin, type Policy } from '../../src/admin';
import { issueKey } from '../../src/admin/access/key-ring';
import type { Clock } from '../../src/platform/clock';
import { createPool, type Role } from '../../src/ledger';
import { OWN_TEMPLATES, previewEmail } from '../../src/notices';
import { createSecretBox } from '../../src/platform/secret-box';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { keepLedger } from '../support/rewind-ledger';
import { silentLog } from '../support/silent-log';
import { FakeSubscriptions } from './fake-subscriptions';
import { FakeMandates, importsBy } from './fake-mandates';
import { FakePayments } from './fake-payments';
import { FakeReconciliation } from './fake-reconciliation';
import { FakeRefunds } from './fake-refunds';

/** Noon on 31 January 2027, to which every test's business clock is set at first. */
export const NOW = Date.UTC(2027, 0, 31, 12);

const REAL_NOW = Date.UTC(2026, 10, 21, 9);

export class TestClock implements Clock {
  readonly setting = null;
  business = NOW;
  real = REAL_NOW;
  now = () => this.business;
  realNow = () => this.real;
}

export const SANDBOX: Policy = {
  environment: 'sandbox',
  subscriptionsReleased: false,
  longCapturePermitted: false,
  eventDependentRefunds: false,
  transit: 60_000,
  payerChannels: ['webhook', 'email'],
};

/** Permits endpoints at any address, and does not encrypt their secrets. */
export const NO_EVENTS: AdminDeps['events'] = {
  secrets: createSecretBox([]),
  refusalOf: async () => null,
  envUrl: null,
};

export const PREVIEW: AdminDeps['previewEmail'] = (type, language) => previewEmail(type, language, OWN_TEMPLATES);

export const PRODUCTION: Policy = { ...SANDBOX, environment: 'production' };

export interface AdminUnderTest {
  app: FastifyInstance;
  /** The test's own connections, as the owner of the tables. */
  db: AdminDeps['db'];
  /** The connections of the API. */
  served: AdminDeps['db'];
  clock: TestClock;
  workflows: FakeSubscriptions;
  mandates: FakeMandates;
  payments: FakePayments;
  refunds: FakeRefunds;
  reconciliation: FakeReconciliation;
  database: TestDatabase;
  keys: Record<Role, string>;
  /** Creates another API on the same ledger. */
  another: (deps?: Partial<AdminDeps>) => Promise<FastifyInstance>;
  call: (method: Method, url: string, options?: CallOptions) => Promise<LightMyRequestResponse>;
  /**
   * Call this before each test of a file whose tests share one API. It restores the ledger as of its first call, and resets the
   * clock and the fakes. What the API itself remembers stays, such as its counts of requests.
   */
  rewind: () => Promise<void>;
  stop: () => Promise<void>;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface CallOptions {
  role?: Role;
  /** The key to use instead of the role's. */
  key?: string;
  body?: unknown;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  on?: FastifyInstance;
}

export const BOOTSTRAP_KEY = 'bootstrap-key-of-forty-characters-12345678';

export async function startAdmin(deps: Partial<AdminDeps> = {}): Promise<AdminUnderTest> {
  const database = await createTestDatabase();
  const db = createPool({ databaseUrl: database.url, max: 5, keepsStatements: true });
  // The API has only the rights of the program, as in an installation; a test itself may change any row.
  const served = createPool({ databaseUrl: database.programUrl, max: 5, keepsStatements: true });
  const clock = new TestClock();
  const workflows = new FakeSubscriptions(db, clock);
  const mandates = new FakeMandates();
  const payments = new FakePayments(db);
  const refunds = new FakeRefunds();
  const reconciliation = new FakeReconciliation(db);
  const another = (more: Partial<AdminDeps> = {}) =>
    createAdmin({
      db: served,
      reading: served,
      subscriptions: workflows,
      payments,
      refunds,
      reconciliation,
      clock,
      logger: silentLog(),
      probes: [],
      registry: new Registry(),
      bootstrapKey: BOOTSTRAP_KEY,
      policy: SANDBOX,
      events: NO_EVENTS,
      imports: importsBy(mandates),
      previewEmail: PREVIEW,
      ...deps,
      ...more,
    });
  const app = await another();
  await app.ready();
  const keys = {
    viewer: await makeKey(db, 'viewer', clock),
    operator: await makeKey(db, 'operator', clock),
    admin: await makeKey(db, 'admin', clock),
  };
  const call = (method: Method, url: string, options: CallOptions = {}) =>
    (options.on ?? app).inject(requestOf(method, url, options, keys));
  let restoreLedger: (() => Promise<void>) | null = null;
  const rewind = async () => {
    if (restoreLedger === null) restoreLedger = await keepLedger(db);
    else await restoreLedger();
    Object.assign(clock, { business: NOW, real: REAL_NOW });
    Object.assign(workflows, new FakeSubscriptions(db, clock));
    Object.assign(mandates, new FakeMandates());
    Object.assign(payments, new FakePayments(db));
    Object.assign(refunds, new FakeRefunds());
    Object.assign(reconciliation, new FakeReconciliation(db));
  };
  const stop = async () => {
    await app.close();
    await Promise.all([db.end(), served.end()]);
    await database.drop();
  };
  const fakes = { workflows, mandates, payments, refunds, reconciliation };
  return { app, db, served, clock, ...fakes, database, keys, another, call, rewind, stop };
}

async function makeKey(db: AdminDeps['db'], role: Role, clock: Clock): Promise<string> {
  const act = { actor: 'test', reason: null, at: clock.now(), realAt: clock.realNow() };
  const issued = await issueKey(db, { name: `${role} of the shop`, role }, act);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return issued.key;
}

function requestOf(method: Method, url: string, options: CallOptions, keys: Record<Role, string>): InjectOptions {
  const headers: Record<string, string> = {
    authorization: `Bearer ${options.key ?? keys[options.role ?? 'admin']}`,
    ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
    ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...options.headers,
  };
  const payload = typeof options.body === 'string' || Buffer.isBuffer(options.body) ? options.body : undefined;
  if (options.body === undefined) return { method, url, headers };
  return { method, url, headers, payload: payload ?? JSON.stringify(options.body) };
}

/** One field of every item of a list. */
export function eachItems(answer: LightMyRequestResponse, field: string): unknown[] {
  if (answer.statusCode !== 200) throw new Error(`no list, but ${answer.statusCode}: ${answer.body}`);
  return answer.json<{ items: Record<string, unknown>[] }>().items.map((item) => item[field]);
}

export interface Fault {
  path: string;
  message: string;
}

export function faultsOf(answer: LightMyRequestResponse): Fault[] {
  return answer.json<{ errors: Fault[] }>().errors;
}

export function faultPaths(answer: LightMyRequestResponse): string[] {
  return faultsOf(answer).map(({ path }) => path);
}
