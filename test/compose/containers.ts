import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeImage } from '../../deploy/image.cjs';
import { startSupervised, type SupervisedProcess } from '../../src/embedded/supervised-process';
import { portToKeep } from '../processes/servers';
import { compose, composeContent, composeEnvironment, type ComposeService } from '../support/compose-file';
import { waitUntil } from '../support/wait-until';

/** The containers of docker-compose.yml as processes of this machine: other ports, and else what the file says. */

const ROOT = join(__dirname, '../..');
const HERE = '127.0.0.1';
const POSTGRES = 5432;

/** Where each listens within its container. */
const LISTENS: Readonly<Record<string, number>> = {
  ledger: POSTGRES,
  'temporal-database': POSTGRES,
  temporal: 7233,
  sandbox: 7780,
  mail: 1025,
  daemon: 8080,
};

/** Each service after those that it waits for, as compose starts them. */
export function composeOrder(): readonly string[] {
  const order: string[] = [];
  const place = (name: string): void => {
    if (order.includes(name)) return;
    Object.keys(serviceOf(name).depends_on ?? {}).forEach(place);
    order.push(name);
  };
  Object.keys(compose.services).forEach(place);
  return order;
}

function serviceOf(name: string): ComposeService {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}

/** What a program is started with. */
interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export class Containers {
  /** The port of this machine that stands for a container's. */
  readonly ports = new Map<string, number>();
  /** Targets whose image is written. */
  private readonly images = new Set<string>();

  private constructor(private readonly folder: string) {}

  /** @param folder that is empty, and that every account may enter */
  static async open(folder: string): Promise<Containers> {
    const containers = new Containers(folder);
    for (const name of Object.keys(LISTENS)) containers.ports.set(name, await portToKeep(name));
    return containers;
  }

  /** Runs a service that does one thing, to its end. @throws with what it wrote unless it ends with 0 */
  async complete(name: string): Promise<string> {
    return run(await this.programOf(name));
  }

  /** Starts a service that is kept up, and waits until the check of its health in the file is passed. */
  async keepUp(name: string, onLine: (line: string) => void): Promise<SupervisedProcess> {
    const { command, args, env } = await this.programOf(name);
    const started = startSupervised({ command, args, env, stopSignal: 'TERM', stopTimeoutMs: 60_000, onLine });
    await Promise.race([
      this.untilHealthy(name),
      started.ended.then(({ code, lastLines }) => {
        throw new Error(`${name} ended with ${code}: ${lastLines.join('\n')}`);
      }),
    ]);
    return started;
  }

  /** Waits until the service's own check is passed. */
  async untilHealthy(name: string): Promise<void> {
    const [kind, command = '', ...args] = serviceOf(name).healthcheck?.test ?? [];
    if (kind !== 'CMD') throw new Error(`${name}: a check by ${kind} is not run here`);
    const program = await this.within(name, command, args);
    let last: unknown = null;
    await waitUntil(`${name} is healthy`, async () => {
      last = await run(program).then(
        () => null,
        (error: unknown) => error,
      );
      return last === null;
    }).catch((error: unknown) => {
      throw new Error(`${name} is not healthy: ${String(last)}`, { cause: error });
    });
  }

  /** Its command in the file; of our own images with their entry point. */
  private async programOf(name: string): Promise<Program> {
    const { command = ['daemon'], configs = [], build } = serviceOf(name);
    if (build !== undefined) return this.within(name, 'node', ['/app/bin/dueday.js', ...command]);
    const [program = '', ...args] = command;
    for (const { source, target } of configs)
      await writeFile(join(this.folder, basename(target)), composeContent(source));
    const files = new Map(configs.map(({ target }) => [target, join(this.folder, basename(target))]));
    return this.within(
      name,
      program,
      args.map((arg) => files.get(arg) ?? arg),
    );
  }

  /** A program within a container. */
  private async within(name: string, command: string, args: readonly string[]): Promise<Program> {
    const env = this.environmentOf(name);
    const moved = args.map((arg) => this.moved(name, arg));
    const { build } = serviceOf(name);
    if (build === undefined) return this.installed(command, moved, { PATH: process.env['PATH'] ?? '', ...env });
    const image = await this.imageOf(build.target);
    const ofImage = { NODE_ENV: 'production', PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env };
    // Only root may change the root of a process.
    if (process.getuid?.() === 0)
      return { command: 'chroot', args: ['--userspec=1000:1000', image, command, ...moved], env: ofImage };
    const here = moved.map((arg) => (arg.startsWith('/app/') ? join(image, arg) : arg));
    return { command: join(image, 'usr/local/bin', command), args: here, env: ofImage };
  }

  private installed(command: string, args: readonly string[], env: Program['env']): Program {
    // Of busybox, in Temporal's image; few machines have it.
    if (command === 'nc' && !isInstalled('nc'))
      return { command: process.execPath, args: ['-e', NC, '--', ...args], env };
    return { command, args, env };
  }

  private async imageOf(target: string): Promise<string> {
    const image = join(this.folder, target);
    if (!this.images.has(target)) {
      writeImage(ROOT, image, target === 'simulator' ? ['sandbox'] : []);
      await mkdir(join(image, 'tmp'), { recursive: true });
      await chmod(join(image, 'tmp'), 0o777);
      this.images.add(target);
    }
    return image;
  }
  private environmentOf(name: string): Readonly<Record<string, string>> {
    const given = Object.entries(composeEnvironment(name));
    const moved = given.map(
      ([key, value]) => [key, key.endsWith('HOST') && value in LISTENS ? HERE : this.moved(name, value)] as const,
    );
    // Clients of PostgreSQL come to its usual port unless told.
    const postgres = LISTENS[name] === POSTGRES ? name : composeEnvironment(name)['PGHOST'];
    const port = this.ports.get(postgres ?? '');
    return { ...Object.fromEntries(moved), ...(port === undefined ? {} : { PGPORT: String(port) }) };
  }

  /** Addresses as they are on this machine. */
  private moved(name: string, text: string): string {
    const own = LISTENS[name];
    if (own !== undefined && text === String(own)) return String(this.ports.get(name));
    const addresses = Object.entries(LISTENS).map(([host, port]) => [`${host}:${port}`, host] as const);
    return [...addresses, [`${HERE}:${own}`, name] as const].reduce(
      (moved, [address, host]) => moved.replaceAll(address, `${HERE}:${this.ports.get(host)}`),
      text,
    );
  }
}

export function isInstalled(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}

/** `nc -z HOST PORT`. */
const NC = `const [, host, port] = process.argv.slice(1);
require('node:net').connect(Number(port), host).on('connect', () => process.exit(0)).on('error', () => process.exit(1));`;

/** Real ms: longer than any of them takes on a busy machine. */
const TIMEOUT = 240_000;

function run({ command, args, env }: Program): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { env, timeout: TIMEOUT }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${args.join(' ')}: ${error.code ?? error.signal}: ${stdout}${stderr}`));
    });
  });
}
