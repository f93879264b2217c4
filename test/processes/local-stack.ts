import { rm } from 'node:fs/promises';
import { type Clock, createClock } from '../../src/platform/clock';
import type { Instant } from '../../src/domain/time';
import { makeTemporaryFolder } from '../../src/embedded/folders';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox';
import { runDueday } from '../cli/dueday-process';
import { type AdminApi, createAdminApi } from '../scenarios/admin-api';
import { type NoticeReceiver, startNoticeReceiver } from '../scenarios/notice-receiver';
import { asProgram, createProgramRole, PROGRAM_ROLE } from '../support/program-role';
import { silentLog } from '../support/silent-log';
import { type Command, Program } from './program';
import type { Server } from './server';
import { openPostgres, openTemporal, portToKeep, type TemporalServer } from './servers';

type Variables = Readonly<Record<string, string>>;

export interface ProcessStackOptions {
  /** Business time, epoch ms, at which the clock starts. */
  readonly startAt: Instant;
  /** Real ms from the start of the servers until that instant; 0 by default. Time runs at the same speed before it. */
  readonly startsIn?: number;
  /** Business ms per real ms. */
  readonly speed: number;
  /** Whether Temporal has its Web UI; false by default. */
  readonly temporalUi?: boolean;
  /** Starts Temporal in a folder, instead of its development server. */
  readonly openTemporal?: (folder: string) => Promise<TemporalServer>;
  /** Variables of every program, in addition to those of the stack or overriding them. */
  readonly env?: Variables;
  readonly sandbox?: Partial<Omit<SandboxOptions, 'clock' | 'logger'>>;
}

/**
 * Everything that `dueday` needs, only for this test: PostgreSQL and Temporal as real processes that can be killed and come back,
 * the payment service's simulator and the merchant's messenger in this process. The programs are started by the test.
 */
export interface ProcessStack {
  readonly clock: Clock;
  readonly sandbox: Sandbox;
  readonly sandboxUrl: string;
  readonly receiver: NoticeReceiver;
  readonly postgres: Server;
  readonly temporal: Server;
  /** The owner's address; programs run as a role that owns nothing. */
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  /** Null if it has none. */
  readonly temporalUiUrl: string | null;
  readonly taskQueue: string;
  /** The variables of every program. */
  readonly env: Variables;
  /** The address of this stack's `api` or `daemon`, running or not. */
  readonly admin: AdminApi;
  /** A program of this stack, not yet started; it is stopped with the stack. */
  program(command: Command, name?: string, env?: Variables): Program;
  /** Stops everything and removes the data. */
  close(): Promise<void>;
}

const CREDENTIALS = { clientId: 'merchant-of-the-stack', clientSecret: 'secret-of-the-stack' };
const ADMIN_KEY = 'bootstrap-key-of-the-stack-1234567890';
const TASK_QUEUE = 'local-stack';

export async function openProcessStack(options: ProcessStackOptions): Promise<ProcessStack> {
  const stops: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    return await startParts(options, stops, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function startParts(
  options: ProcessStackOptions,
  stops: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<ProcessStack> {
  const folder = await makeTemporaryFolder('local-stack');
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const { server: postgres, url: databaseUrl } = await openPostgres(folder);
  stops.push(() => postgres.stop());
  const bringUp = options.openTemporal ?? ((where) => openTemporal(where, options.temporalUi ?? false));
  const { server: temporal, address: temporalAddress, uiUrl } = await bringUp(folder);
  stops.push(() => temporal.stop());
  await createProgramRole(databaseUrl);
  await migrate(databaseUrl);
  // The clock starts once all of this is running.
  const setting = {
    virtualStart: options.startAt,
    realStart: Date.now() + (options.startsIn ?? 0),
    speed: options.speed,
  };
  const clock = createClock(setting);
  const receiver = await startNoticeReceiver(clock);
  stops.push(() => receiver.close());
  const sandbox = createSandbox({ clock, logger: silentLog(), ...CREDENTIALS, ...options.sandbox });
  stops.push(() => sandbox.close());
  const { url: sandboxUrl } = await sandbox.listen(0);
  const adminPort = await portToKeep('the admin API');
  const env: Variables = {
    PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
    DATABASE_URL: asProgram(databaseUrl),
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_TASK_QUEUE: TASK_QUEUE,
    PAYMENT_SERVICE_BASE_URL: sandboxUrl,
    PAYMENT_SERVICE_CLIENT_ID: CREDENTIALS.clientId,
    PAYMENT_SERVICE_CLIENT_SECRET: CREDENTIALS.clientSecret,
    NOTICE_WEBHOOK_URL: receiver.url,
    NOTICE_WEBHOOK_SECRET: receiver.secret,
    EVENT_WEBHOOK_URL: receiver.url,
    EVENT_WEBHOOK_SECRET: receiver.secret,
    ADMIN_PORT: String(adminPort),
    CONSOLE_URL: `http://127.0.0.1:${adminPort}`,
    ADMIN_BOOTSTRAP_KEY: ADMIN_KEY,
    LOG_LEVEL: 'info',
    TEST_CLOCK: `${iso(setting.virtualStart)}@${iso(setting.realStart)}x${setting.speed}`,
    ...options.env,
  };
  const admin = createAdminApi(`http://127.0.0.1:${adminPort}`, ADMIN_KEY);
  return {
    clock,
    sandbox,
    sandboxUrl,
    receiver,
    postgres,
    temporal,
    databaseUrl,
    temporalAddress,
    temporalUiUrl: uiUrl,
    env,
    admin,
    close,
    taskQueue: TASK_QUEUE,
    program(command, name = command, more = {}) {
      const program = new Program(name, command, { ...env, ...more });
      stops.push(() => program.stop());
      return program;
    },
  };
}

/** Address and key of the stack's admin API, for calls that are not made through {@link ProcessStack.admin}. */
export function apiOf({ env }: ProcessStack): { readonly url: string; readonly key: string } {
  return { url: env['CONSOLE_URL'] ?? '', key: env['ADMIN_BOOTSTRAP_KEY'] ?? '' };
}

async function migrate(databaseUrl: string): Promise<void> {
  const { code, stdout, stderr } = await runDueday(['migrate'], {
    DATABASE_URL: databaseUrl,
    DATABASE_ROLE: PROGRAM_ROLE,
  });
  if (code !== 0) throw new Error(`the ledger was not made: ${stdout}${stderr}`);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
