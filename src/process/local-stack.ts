import { randomBytes } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Config,
  databaseOf,
  type Defaults,
  type Environment,
  isGiven,
  loadConfig,
  needed,
  withDefaults,
} from '../config';
import { claimFolder } from '../embedded/folder-claim';
import { findFreePort } from '../embedded/free-port';
import { giveTo, postgresAccount } from '../embedded/postgres/account';
import { startPostgres } from '../embedded/postgres/postgres';
import { startAll, type Stops } from '../embedded/server-life';
import { startTemporal } from '../embedded/temporal/temporal';
import { migrate } from '../ledger';
import type { Logger } from '../platform/log';
import { findExternal } from '../config/production-profile';
import { BadInputError } from './command-error';
import { createSandbox, sandboxOptions } from '../sandbox';
import { startRoles } from './daemon';
import { openDependencies, type Dependencies } from './dependencies';
import { type Messenger, startMessenger } from './notice-receiver';
import { endRuntime, installRuntime } from './worker';

/** Options of the commands that open a local stack. */
export interface StackCommand {
  /** Whether databases and services on other machines may be used if the environment names them. */
  readonly yesUseExternal?: boolean;
}

export interface LocalStackOptions {
  readonly mayUseExternal: boolean;
  readonly log: Logger;
  /** Reports downloads of programs, which happen once and take minutes. */
  readonly progress: Logger;
  /** Holds the data of PostgreSQL and Temporal during the run. */
  readonly dataDir: string;
  /** `TEST_CLOCK` if the environment sets none. */
  readonly testClock: string;
  /** Used if the environment sets none; 0 for any free port. */
  readonly ports: {
    readonly admin: number;
    readonly sandbox: number;
    readonly temporal: number;
    readonly ui: number;
    readonly postgres: number;
  };
  /** Variables that the run sets if the environment does not. */
  readonly defaults: Defaults;
  readonly onNotice: Parameters<typeof startMessenger>[1];
}

/**
 * Everything in one place: PostgreSQL, Temporal, the payment service's simulator, messengers for notices and events,
 * the daemon.
 */
export interface LocalStack {
  readonly parts: Dependencies;
  readonly adminUrl: string;
  readonly adminKey: string;
  readonly sandboxUrl: string;
  /** Null if Temporal is external. */
  readonly temporalUiUrl: string | null;
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** Starts everything or nothing: after a fault, all started parts are stopped. */
export function openLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  return startAll((stops) => startStack(options, stops));
}

async function startStack(options: LocalStackOptions, stops: Stops): Promise<Omit<LocalStack, 'stop'>> {
  const { log } = options;
  stops.push(await takeFolder(options.dataDir));
  const given = withDefaults(process.env, { ...options.defaults, TEST_CLOCK: options.testClock });
  if (!options.mayUseExternal) refuseExternal(loadConfig(given));
  const world = await startWorld(options, given, stops);
  const ownKey = `demo-${randomBytes(24).toString('base64url')}`;
  const config = loadConfig(withDefaults(given, { ...world.defaults, ADMIN_BOOTSTRAP_KEY: ownKey }));
  await migrate(databaseOf(config));
  const core = await installRuntime(log);
  const parts = openDependencies(config, log, { works: true, serves: true });
  const starting = startRoles('daemon', parts, core, { ownsTemporal: world.ownsTemporal });
  const running = await starting.catch(async (error: unknown) => {
    await parts.close();
    await endRuntime();
    throw error;
  });
  stops.push(() => running.stop());
  return {
    parts,
    adminKey: needed(config.ADMIN_BOOTSTRAP_KEY, 'ADMIN_BOOTSTRAP_KEY'),
    adminUrl: running.apiUrl ?? '',
    sandboxUrl: needed(config.PAYMENT_SERVICE_BASE_URL, 'PAYMENT_SERVICE_BASE_URL'),
    temporalUiUrl: world.temporalUiUrl,
    failed: Promise.race([running.failed, ...world.failed]),
  };
}

/** A local stack creates sample subscriptions and debits: a leftover shell variable must not make them real. */
function refuseExternal(config: Config): void {
  const external = findExternal(config);
  if (external.length === 0) return;
  throw new BadInputError(
    external.map(({ name, host }) => `${name}: ${host} is another machine; unset it, or use --yes-use-external`),
  );
}

interface World {
  /** Variables that point to the started parts. */
  readonly defaults: Defaults;
  readonly temporalUiUrl: string | null;
  /** Whether Temporal was started for this run; the database may have existed before. */
  readonly ownsTemporal: boolean;
  readonly failed: readonly Promise<string>[];
}

/** Starts what the daemon depends on; what the environment names is used as it is. */
async function startWorld(options: LocalStackOptions, given: Environment, stops: Stops): Promise<World> {
  const { log, progress, ports, dataDir } = options;
  const config = loadConfig(given);
  const folder = (name: string) => join(dataDir, name);
  const failed: Promise<string>[] = [];
  const database = isGiven('DATABASE_URL', given) ? {} : { DATABASE_URL: await embedPostgres() };
  const temporal = isGiven('TEMPORAL_ADDRESS', given) ? null : await embedTemporal();
  const service = isGiven('PAYMENT_SERVICE_BASE_URL', given) ? {} : await embedSandbox();
  const notices = isGiven('NOTICE_WEBHOOK_URL', given) ? null : await embedMessenger(config.NOTICE_WEBHOOK_SECRET);
  const events = isGiven('EVENT_WEBHOOK_URL', given) ? null : await embedMessenger(config.EVENT_WEBHOOK_SECRET);
  const adminPort = isGiven('ADMIN_PORT', given)
    ? config.ADMIN_PORT
    : await findFreePort(ports.admin, 'the admin API', log);
  return {
    defaults: {
      ...database,
      ...service,
      ...(temporal === null ? {} : { TEMPORAL_ADDRESS: temporal.address }),
      ...(temporal === null || temporal.uiUrl === null ? {} : { TEMPORAL_UI_URL: temporal.uiUrl }),
      ...(notices === null ? {} : { NOTICE_WEBHOOK_URL: notices.url, NOTICE_WEBHOOK_SECRET: notices.secret }),
      ...(events === null ? {} : { EVENT_WEBHOOK_URL: events.url, EVENT_WEBHOOK_SECRET: events.secret }),
      ADMIN_PORT: String(adminPort),
      // With port 0, the port is unknown until it is bound.
      ...(adminPort === 0 ? {} : { CONSOLE_URL: `http://127.0.0.1:${adminPort}` }),
    },
    temporalUiUrl: temporal?.uiUrl ?? null,
    ownsTemporal: temporal !== null,
    failed,
  };

  async function embedPostgres(): Promise<string> {
    // The account of PostgreSQL has to enter this folder, which contains its own; no other account may.
    await giveTo(postgresAccount(), dataDir);
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

  /** Uses the daemon's credentials: the given ones, or the simulator's own. */
  async function embedSandbox(): Promise<Defaults> {
    const clientId = config.PAYMENT_SERVICE_CLIENT_ID ?? config.SANDBOX_CLIENT_ID;
    const clientSecret = config.PAYMENT_SERVICE_CLIENT_SECRET ?? config.SANDBOX_CLIENT_SECRET;
    const setup = sandboxOptions(config, log.child({ part: 'sandbox' }));
    const sandbox = createSandbox({ ...setup, clientId, clientSecret });
    stops.push(() => sandbox.close());
    const wanted = isGiven('SANDBOX_PORT', given) ? config.SANDBOX_PORT : ports.sandbox;
    const { url } = await sandbox.listen(await findFreePort(wanted, 'the payment service simulator', log));
    return {
      PAYMENT_SERVICE_BASE_URL: url,
      PAYMENT_SERVICE_CLIENT_ID: clientId,
      PAYMENT_SERVICE_CLIENT_SECRET: clientSecret,
    };
  }

  async function embedMessenger(secret: string | undefined): Promise<Messenger> {
    const messenger = await startMessenger(log, options.onNotice, secret);
    stops.push(() => messenger.stop());
    return messenger;
  }
}

/**
 * Claims the folder for this run and empties it: the simulated payment service remembers nothing of the previous run, so
 * neither may the ledger.
 * @throws FolderInUseError while another run uses it; nothing is changed then.
 */
async function takeFolder(dataDir: string): Promise<() => Promise<void>> {
  const claim = await claimFolder(dataDir);
  await chmod(dataDir, 0o700);
  await Promise.all(['postgres', 'temporal'].map((each) => rm(join(dataDir, each), { recursive: true, force: true })));
  return claim.release;
}
