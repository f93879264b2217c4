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
  /** Real ms from the moment in which servers stand until that; 0 where not given. Before it time runs as fast. */
  readonly startsIn?: number;
  /** Business ms in a real one. */
  readonly speed: number;
  /** Whether Temporal has its Web UI; it has none where not given. */
  readonly temporalUi?: boolean;
  /** Brings Temporal up in a folder, in place of its development server. */
  readonly openTemporal?: (folder: string) => Promise<TemporalServer>;
  /** Variables of every program, beside those that follow from the stack or in their place. */
  readonly env?: Variables;
  readonly sandbox?: Partial<Omit<SandboxOptions, 'clock' | 'logger'>>;
}

/**
 * Everything that `dueday` needs, of its own: PostgreSQL and Temporal as real processes that can be killed and come back,
 * the payment service's simulator and the merchant's messenger in this process. The programs are started by the test.
 */
export interface ProcessStack {
  readonly clock: Clock;
  readonly sandbox: Sandbox;
  readonly sandboxUrl: string;
  readonly receiver: NoticeReceiver;
  readonly postgres: Server;
  readonly temporal: Server;
  /** As its owner; programs run as a role that owns nothing. */
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  /** Null where it has none. */
  readonly temporalUiUrl: string | null;
  readonly taskQueue: string;
  /** Of every program. */
  readonly env: Variables;
  /** Of the `api` or `daemon` of this stack, up or not. */
  readonly admin: AdminApi;
  /** A program of this stack, not yet started; it is stopped with the stack. */
  program(command: Command, name?: string, env?: Variables): Program;
  /** Stops everything that is up; nothing is left of the data. */
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
  // Time begins once all of that stands.
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
