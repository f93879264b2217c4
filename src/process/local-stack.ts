import { randomBytes } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, loadConfig } from '../config';
import { claimFolder } from '../embedded/folder-claim';
import { findFreePort } from '../embedded/free-port';
import { startPostgres } from '../embedded/postgres/postgres';
import { startAll, type Stops } from '../embedded/server-life';
import { startTemporal } from '../embedded/temporal/temporal';
import { migrate } from '../ledger';
import type { Logger } from '../log';
import { findExternal } from '../production-profile';
import { BadInputError } from './command-error';
import { createSandbox, sandboxOptions } from '../sandbox';
import { startRoles } from './daemon';
import { openDependencies, type Dependencies } from './dependencies';
import { startMessenger } from './notice-receiver';
import { installRuntime } from './worker';

/** Options of the commands that open a local stack. */
export interface StackCommand {
  /** Whether databases and services of other machines may be used, where the environment names some. */
  readonly yesUseExternal?: boolean;
}

export interface LocalStackOptions {
  readonly mayUseExternal: boolean;
  readonly log: Logger;
  /** Hears of programs that are fetched: once, and for minutes. */
  readonly progress: Logger;
  /** Holds the data of PostgreSQL and Temporal while the run lasts. */
  readonly dataDir: string;
  /** `TEST_CLOCK` where the environment names none. */
  readonly testClock: string;
  /** Where the environment names none; any free port for 0. */
  readonly ports: {
    readonly admin: number;
    readonly sandbox: number;
    readonly temporal: number;
    readonly ui: number;
    readonly postgres: number;
  };
  /** Variables that the run sets where the environment does not. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly onNotice: Parameters<typeof startMessenger>[1];
}

/** Everything in one place: PostgreSQL, Temporal, the payment service's simulator, a messenger for notices, the daemon. */
export interface LocalStack {
  readonly parts: Dependencies;
  readonly adminUrl: string;
  readonly adminKey: string;
  readonly sandboxUrl: string;
  /** Null where Temporal is not ours. */
  readonly temporalUiUrl: string | null;
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** Starts it all, or nothing: what was started before a fault is stopped again. */
export function openLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  return startAll((stops) => startStack(options, stops));
}

async function startStack(options: LocalStackOptions, stops: Stops): Promise<Omit<LocalStack, 'stop'>> {
  const { log } = options;
  stops.push(await takeFolder(options.dataDir));
  const given: Record<string, string | undefined> = {
    ...options.defaults,
    TEST_CLOCK: options.testClock,
    ...process.env,
  };
  if (!options.mayUseExternal) refuseExternal(loadConfig(given));
  const world = await startWorld(options, given, stops);
  const adminKey = given['ADMIN_BOOTSTRAP_KEY'] ?? `demo-${randomBytes(24).toString('base64url')}`;
  const config = loadConfig({ ...given, ...world.env, ADMIN_BOOTSTRAP_KEY: adminKey });
  await migrate({ databaseUrl: world.env.DATABASE_URL });
  const core = await installRuntime(log);
  const parts = openDependencies(config, log, { works: true, serves: true });
  const running = await startRoles('daemon', parts, core);
  stops.push(() => running.stop());
  return {
    parts,
    adminKey,
    adminUrl: running.apiUrl ?? '',
    sandboxUrl: world.env.PAYMENT_SERVICE_BASE_URL,
    temporalUiUrl: world.temporalUiUrl,
    failed: Promise.race([running.failed, ...world.failed]),
  };
}

/** A local stack orders samples and debits: a variable that the shell still holds must not make that real. */
function refuseExternal(config: Config): void {
  const external = findExternal(config);
  if (external.length === 0) return;
  throw new BadInputError(
    external.map(({ name, host }) => `${name}: ${host} is another machine; unset it, or say --yes-use-external`),
  );
}

interface World {
  readonly env: Readonly<Record<'DATABASE_URL' | 'TEMPORAL_ADDRESS' | 'PAYMENT_SERVICE_BASE_URL', string>> &
    Readonly<Record<string, string>>;
  readonly temporalUiUrl: string | null;
  readonly failed: readonly Promise<string>[];
}

/** What the daemon stands on; what the environment names already is used as it is. */
async function startWorld(
  options: LocalStackOptions,
  given: Record<string, string | undefined>,
  stops: Stops,
): Promise<World> {
  const { log, progress, ports, dataDir } = options;
  const folder = (name: string) => join(dataDir, name);
  const failed: Promise<string>[] = [];
  const database = given['DATABASE_URL'] ?? (await embedPostgres());
  const temporal = given['TEMPORAL_ADDRESS'] === undefined ? await embedTemporal() : null;
  const service = given['PAYMENT_SERVICE_BASE_URL'] === undefined ? await embedSandbox() : {};
  const messenger = given['NOTICE_WEBHOOK_URL'] === undefined ? await embedMessenger() : {};
  const uiUrl = given['TEMPORAL_UI_URL'] ?? temporal?.uiUrl ?? null;
  const adminPort = given['ADMIN_PORT'] ?? String(await findFreePort(ports.admin, 'the admin API', log));
  return {
    env: {
      DATABASE_URL: database,
      TEMPORAL_ADDRESS: given['TEMPORAL_ADDRESS'] ?? temporal?.address ?? '',
      PAYMENT_SERVICE_BASE_URL: given['PAYMENT_SERVICE_BASE_URL'] ?? '',
      ADMIN_PORT: adminPort,
      // Any free port is not known before it is bound.
      ...(adminPort === '0' ? {} : { CONSOLE_URL: given['CONSOLE_URL'] ?? `http://127.0.0.1:${adminPort}` }),
      ...service,
      ...messenger,
      ...(uiUrl === null ? undefined : { TEMPORAL_UI_URL: uiUrl }),
    },
    temporalUiUrl: temporal?.uiUrl ?? null,
    failed,
  };

  async function embedPostgres(): Promise<string> {
    const server = await startPostgres({ dataDir: folder('postgres'), log, port: ports.postgres });
    stops.push(() => server.stop());
    failed.push(server.failed);
    return server.url;
  }

  async function embedTemporal() {
    const { temporal: port, ui: uiPort } = ports;
    const server = await startTemporal({ dataDir: folder('temporal'), log, progress, port, uiPort });
    stops.push(() => server.stop());
    failed.push(server.failed);
    return server;
  }

  async function embedSandbox(): Promise<Record<string, string>> {
    const config = loadConfig(given);
    const sandbox = createSandbox(sandboxOptions(config, log.child({ part: 'sandbox' })));
    stops.push(() => sandbox.close());
    const wanted = given['SANDBOX_PORT'] === undefined ? ports.sandbox : config.SANDBOX_PORT;
    const { url } = await sandbox.listen(await findFreePort(wanted, 'the payment service simulator', log));
    return {
      PAYMENT_SERVICE_BASE_URL: url,
      PAYMENT_SERVICE_CLIENT_ID: config.SANDBOX_CLIENT_ID,
      PAYMENT_SERVICE_CLIENT_SECRET: config.SANDBOX_CLIENT_SECRET,
    };
  }

  async function embedMessenger(): Promise<Record<string, string>> {
    const messenger = await startMessenger(log, options.onNotice);
    stops.push(() => messenger.stop());
    return {
      NOTICE_WEBHOOK_URL: messenger.url,
      NOTICE_WEBHOOK_SECRET: messenger.secret,
      EVENT_WEBHOOK_URL: messenger.url,
      EVENT_WEBHOOK_SECRET: messenger.secret,
    };
  }
}

/**
 * Takes the folder for this run alone and empties it: a simulated payment service remembers nothing of the run before, so
 * neither may the ledger.
 * @throws FolderInUseError while another run works on it; nothing is touched then.
 */
async function takeFolder(dataDir: string): Promise<() => Promise<void>> {
  const claim = await claimFolder(dataDir);
  await chmod(dataDir, 0o755);
  await Promise.all(['postgres', 'temporal'].map((each) => rm(join(dataDir, each), { recursive: true, force: true })));
  return claim.release;
}
