import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { writeImage } from '../../deploy/image.cjs';
import { makeTemporaryFolder } from '../../src/embedded/folders';
import { findFreePort } from '../../src/embedded/free-port';
import { startPostgres } from '../../src/embedded/postgres/postgres';
import { createProgressLog } from '../../src/platform/log';
import { provideClusterPrograms, runScript } from '../cluster/programs';
import { openTemporalCluster } from '../cluster/temporal-cluster';
import { startMailServer } from '../notices/mail-server';
import { compose, composeContent, composeEnvironment, type ComposeService } from '../support/compose-file';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';

/**
 * The services of docker-compose.yml as processes of this machine, started in compose's order, with their commands,
 * variables, scripts and health checks. Our images are the trees that the image's build writes; each is the root folder
 * of its processes if the test may change the root folder. Only addresses differ: `ledger:5432` is a port of this
 * machine. Two programs are missing: a mail server of the tests replaces Mailpit, and Temporal's Web UI is not started.
 */

const ROOT = join(__dirname, '../..');
const HOST = '127.0.0.1';
/**
 * A container has these variables and those that compose sets, and no others. PATH serves only to find `unshare` and
 * `sh`.
 */
const IMAGE_ENVIRONMENT = { NODE_ENV: 'production', PATH: process.env['PATH'] };
/** Whether a process may be given a root folder of its own, with the system's /proc in it. */
const mayChangeRoot = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
/** Only the Web UI, on which nothing depends. */
export const LEFT_OUT: readonly string[] = ['temporal-ui'];

/** A long-running service. */
export interface UpService {
  readonly address: string;
  /** SIGTERM, as `docker compose stop`. @returns the exit code */
  stop(): Promise<number | null>;
}

export interface ComposedServices {
  /** The services in the order in which they were started. */
  readonly started: readonly string[];
  /** @throws if it is not a long-running process of dueday */
  service(name: string): UpService;
  close(): Promise<void>;
}

/** The order in which compose starts services: what a service depends on comes first. */
export function startOrder(): readonly string[] {
  const order: string[] = [];
  const add = (name: string): void => {
    if (order.includes(name)) return;
    for (const needed of Object.keys(compose.services[name]!.depends_on ?? {})) add(needed);
    order.push(name);
  };
  for (const name of Object.keys(compose.services)) if (!LEFT_OUT.includes(name)) add(name);
  return order;
}

export async function composeUp(): Promise<ComposedServices> {
  const running = new Running();
  try {
    for (const name of startOrder()) await running.start(name);
    return running;
  } catch (error) {
    await running.close();
    throw error;
  }
}

class Running implements ComposedServices {
  readonly started: string[] = [];
  private readonly stops: (() => Promise<unknown>)[] = [];
  private readonly up = new Map<string, UpService>();
  /** Where each address of the compose network is on this machine: `ledger:5432`. */
  private readonly addresses = new Map<string, string>();
  private readonly images = new Map<string, string>();

  async start(name: string): Promise<void> {
    const service = compose.services[name]!;
    // Temporal's four services are started by one function, in their order: see temporal-cluster.ts.
    if (name.startsWith('temporal')) {
      if (name === 'temporal') await this.startTemporal();
    } else if (name === 'ledger') await this.startLedger();
    else if (name === 'mail') await this.startMail();
    else if (service.build === undefined) await this.runScript(name, service);
    else await this.runOwn(name, service);
    this.started.push(name);
  }

  service(name: string): UpService {
    const found = this.up.get(name);
    if (found === undefined) throw new Error(`${name} is not a long-running process of dueday`);
    return found;
  }

  async close(): Promise<void> {
    for (const stop of this.stops.splice(0).toReversed()) await stop();
  }

  /** Sets up the user and the database that the variables name, as PostgreSQL's image does. */
  private async startLedger(): Promise<void> {
    const folder = await makeTemporaryFolder('compose');
    this.stops.push(() => rm(folder, { recursive: true, force: true }));
    const postgres = await startPostgres({
      dataDir: join(folder, 'ledger'),
      port: 0,
      durable: false,
      log: silentLog(),
    });
    this.stops.push(() => postgres.stop());
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = composeEnvironment('ledger');
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    const user = escapeIdentifier(POSTGRES_USER!);
    await client.query(`do $$ begin if not exists (select from pg_roles where rolname = ${escapeLiteral(POSTGRES_USER!)}) then
      create role ${user}; end if; end $$`);
    await client.query(`alter role ${user} superuser login password ${escapeLiteral(POSTGRES_PASSWORD!)}`);
    await client.query(`alter database ${escapeIdentifier(POSTGRES_DB!)} owner to ${user}`);
    await client.end();
    this.addresses.set('ledger:5432', `${HOST}:${postgres.port}`);
    await this.untilHealthy('ledger', (file, args) =>
      run(file, args, { ...process.env, PGPORT: String(postgres.port) }),
    );
  }

  private async startTemporal(): Promise<void> {
    const folder = await makeTemporaryFolder('compose');
    this.stops.push(() => rm(folder, { recursive: true, force: true }));
    const { server, address } = await openTemporalCluster(folder, { durable: false });
    this.stops.push(() => server.stop());
    this.addresses.set('temporal:7233', address);
  }

  private async startMail(): Promise<void> {
    const server = await startMailServer();
    this.stops.push(() => server.close());
    this.addresses.set('mail:1025', new URL(server.url).host);
  }

  /** Runs a service of another image that only executes a script of docker-compose.yml. */
  private async runScript(name: string, { configs = [], command = [] }: ComposeService): Promise<void> {
    const [config] = configs;
    expect([name, command]).toEqual([name, ['sh', config?.target]]);
    const [host, port] = this.addresses.get('ledger:5432')!.split(':');
    const env = { ...this.environment(name), PGHOST: host!, PGPORT: port! };
    await runScript(composeContent(config!.source), await provideClusterPrograms(createProgressLog()), env);
  }

  private async runOwn(name: string, service: ComposeService): Promise<void> {
    const image = await this.image(service.build!.target);
    const env = this.environment(name);
    const ports = await this.publish(name, env);
    const [file, ...args] = inImage(image, ['/app/bin/dueday.js', ...(service.command ?? ['daemon'])]);
    const child = spawn(file!, args, { env: { ...IMAGE_ENVIRONMENT, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
    const ended = once(child, 'close').then(([code]) => code as number | null);
    if (service.restart === undefined) {
      const code = await ended;
      if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${said.slice(-3_000)}`);
      return;
    }
    const stop = () => stopOf(child, ended);
    this.stops.push(stop);
    this.up.set(name, { address: `http://${HOST}:${Object.values(ports)[0]}`, stop });
    const renumber = (text: string) => text.replaceAll(/(?<=127\.0\.0\.1:)\d+/g, (port) => ports[port] ?? port);
    await this.untilHealthy(name, async (program, its) => {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${said.slice(-3_000)}`);
      const [checker, ...rest] = program === 'node' ? inImage(image, its.map(renumber)) : [program, ...its];
      return run(checker!, rest, {});
    });
  }

  /** The variables of a service, with addresses of this machine. */
  private environment(name: string): Record<string, string> {
    const addresses = [...this.addresses];
    const located = (value: string) =>
      addresses.reduce((text, [theirs, ours]) => text.replace(new RegExp(`(?<![\\w-])${theirs}(?!\\d)`), ours), value);
    return Object.fromEntries(Object.entries(composeEnvironment(name)).map(([key, value]) => [key, located(value)]));
  }

  /** Replaces each port on which the container listens by a free port of this machine, and changes the variables. */
  private async publish(name: string, env: Record<string, string>): Promise<Record<string, string>> {
    const ports: Record<string, string> = {};
    for (const [key, value] of Object.entries(env).filter(([variable]) => variable.endsWith('_PORT'))) {
      const port = String(await findFreePort(0, name, silentLog()));
      env[key] = port;
      ports[value] = port;
      this.addresses.set(`${name}:${value}`, `${HOST}:${port}`);
    }
    return ports;
  }

  private async untilHealthy(
    name: string,
    check: (file: string, args: readonly string[]) => Promise<boolean>,
  ): Promise<void> {
    const { test = [] } = compose.services[name]!.healthcheck as { readonly test?: readonly string[] };
    const [kind, file, ...args] = test;
    expect([name, kind]).toEqual([name, 'CMD']);
    await waitUntil(`${name} is healthy`, () => check(file!, args));
  }

  /** The tree of an image, written once. */
  private async image(target: string): Promise<string> {
    const written = this.images.get(target);
    if (written !== undefined) return written;
    const folder = await mkdtemp(join(tmpdir(), `dueday-${target}-`));
    this.stops.push(() => rm(folder, { recursive: true, force: true }));
    // The mode that the root folder of a container has.
    chmodSync(folder, 0o755);
    writeImage(ROOT, folder, target === 'simulator' ? ['sandbox'] : []);
    for (const name of ['tmp', 'proc']) mkdirSync(join(folder, name), { recursive: true });
    chmodSync(join(folder, 'tmp'), 0o1777);
    this.images.set(target, folder);
    return folder;
  }
}

/**
 * Temporal's native core reads /proc, which every container has. Only this process sees the mount, which ends with it.
 */
const ENTER = 'mount --bind /proc "$0/proc" && exec chroot --userspec=1000:1000 "$0" /usr/local/bin/node "$@"';

/**
 * The command that runs the image's Node with these arguments, as the image's user if the root folder can be changed.
 */
function inImage(image: string, args: readonly string[]): readonly string[] {
  if (mayChangeRoot) return ['unshare', '--mount', 'sh', '-c', ENTER, image, ...args];
  return [join(image, 'usr/local/bin/node'), ...args.map((arg) => (arg.startsWith('/app/') ? join(image, arg) : arg))];
}

function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { env: { ...IMAGE_ENVIRONMENT, ...env }, timeout: 30_000 }, (error) => {
      if (error !== null && 'code' in error && error.code === 'ENOENT') reject(new Error(`${file} is not installed`));
      else resolve(error === null);
    });
  });
}

function stopOf(child: ChildProcess, ended: Promise<number | null>): Promise<number | null> {
  if (child.exitCode === null) child.kill('SIGTERM');
  return ended;
}
