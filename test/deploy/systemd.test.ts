import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configVariables } from '../../src/config';
import { CERTIFICATE_FILE } from '../wiring/tls-server';
import {
  lacksServersAlone,
  NOWHERE,
  PROGRAM_ROLE,
  readEnvironmentFile,
  ROOT,
  SECRETS,
  STOPS_WITHIN_SECONDS,
  WEBHOOK_SECRETS,
  WEBHOOKS,
} from './deployed';

const FOLDER = join(ROOT, 'deploy/systemd');
const UNITS = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

/** The file with the URL by which the ledger's owner connects to the ledger. */
const OWNERS = '/etc/dueday/secrets/OWNER_DATABASE_URL';

/** All values of one setting, in order. */
function valuesOf(text: string, setting: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^${setting}=(.*)$`, 'gm'))].map(([, value]) => value ?? '');
}

test('there is one systemd unit for the migration, one for each role, and one that makes their release current', () => {
  const commands = UNITS.map(({ name, text }) => [name, valuesOf(text, 'ExecStart')]);
  expect(commands).toEqual(
    [
      ['api', 'api'],
      ['migrate', 'migrate'],
      ['promote', 'versions promote'],
      ['worker@', 'worker'],
    ].map(([unit, command]) => [`dueday-${unit}.service`, [`/usr/bin/node /opt/dueday/bin/dueday.js ${command}`]]),
  );
});

test.each(UNITS)('$name passes each secret as a file, by the variable that the program reads', ({ text }) => {
  const credentials = valuesOf(text, 'LoadCredential').map((value) => value.split(':'));
  const names = credentials.map(([name = '']) => name);
  expect(names.filter((name) => !(configVariables as readonly string[]).includes(name))).toEqual([]);
  expect(names.filter((name) => !(name in SECRETS))).toEqual([]);
  const own = credentials.filter(([, path]) => path !== OWNERS);
  expect(own.map(([, path]) => path)).toEqual(own.map(([name]) => `/etc/dueday/secrets/${name}`));
  const files = valuesOf(text, 'Environment').filter((value) => value.includes('_FILE='));
  expect(files).toEqual(names.map((name) => `${name}_FILE=%d/${name}`));
});

test("only the migration unit has the owner's secret, and grants rights to the role that all others use, because production refuses the owner", () => {
  const databases = UNITS.map(({ name, text }) => [
    name.slice('dueday-'.length, -'.service'.length),
    valuesOf(text, 'LoadCredential').filter((value) => value.startsWith('DATABASE_URL:')),
    valuesOf(text, 'Environment').filter((value) => !value.includes('_FILE=')),
  ]);
  const programs = ['DATABASE_URL:/etc/dueday/secrets/DATABASE_URL'];
  expect(databases).toEqual([
    ['api', programs, []],
    ['migrate', [`DATABASE_URL:${OWNERS}`], [`DATABASE_ROLE=${PROGRAM_ROLE}`]],
    ['promote', [], []],
    ['worker@', programs, ['METRICS_PORT=%i']],
  ]);
});

test.each(UNITS.filter(({ text }) => valuesOf(text, 'Type')[0] !== 'oneshot'))(
  '$name is restarted automatically, and has time to finish open requests when it stops',
  ({ text }) => {
    expect(valuesOf(text, 'Restart')).toEqual(['always']);
    expect(valuesOf(text, 'TimeoutStopSec')).toEqual([String(STOPS_WITHIN_SECONDS)]);
  },
);

test('each worker is named by its metrics port, and starts after the migration and before its release becomes current', () => {
  const { text } = UNITS.find(({ name }) => name === 'dueday-worker@.service')!;
  expect(valuesOf(text, 'Environment')).toContain('METRICS_PORT=%i');
  expect(valuesOf(text, 'After')).toContain('dueday-migrate.service');
  expect(valuesOf(text, 'Before')).toEqual(['dueday-promote.service']);
});

test.each(UNITS)('$name runs as a separate user, who cannot write to any file', ({ text }) => {
  expect(valuesOf(text, 'User')).toEqual(['dueday']);
  expect(valuesOf(text, 'ProtectSystem')).toEqual(['strict']);
  expect(valuesOf(text, 'NoNewPrivileges')).toEqual(['yes']);
  expect(valuesOf(text, 'CapabilityBoundingSet')).toEqual(['']);
});

test.each(UNITS)('$name may open sockets only of the address families that it needs', ({ text }) => {
  // fastify shows the addresses where it listens, which the kernel reports over netlink.
  const listens = valuesOf(text, 'Type')[0] !== 'oneshot';
  const families = ['AF_INET', 'AF_INET6', ...(listens ? ['AF_NETLINK'] : []), 'AF_UNIX'];
  expect(valuesOf(text, 'RestrictAddressFamilies')).toEqual([families.join(' ')]);
});

test('every unit that connects to Temporal receives the payload encryption keys, or a blank file if there are none', () => {
  const file = '/etc/dueday/secrets/PAYLOAD_ENCRYPTION_KEYS';
  for (const role of ['api', 'worker@', 'promote']) {
    const { text } = UNITS.find(({ name }) => name === `dueday-${role}.service`)!;
    expect(valuesOf(text, 'LoadCredential')).toContain(`PAYLOAD_ENCRYPTION_KEYS:${file}`);
    // The default is a blank file, which counts as no keys.
    expect(valuesOf(text, 'SetCredential')).toEqual(['PAYLOAD_ENCRYPTION_KEYS:\\n']);
  }
});

describe('what an operator configures', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dueday-credentials-'));
    for (const [name, value] of Object.entries(SECRETS)) writeFileSync(join(folder, name), `${value}\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The settings of all units, as in /etc/dueday/dueday.env. */
  const settings = {
    PAYMENT_SERVICE_ENVIRONMENT: 'production',
    PAYMENT_SERVICE_BASE_URL: 'https://payment-service.example',
    TEMPORAL_ADDRESS: NOWHERE,
    TEMPORAL_TLS: 'true',
    DATABASE_CA_FILE: CERTIFICATE_FILE,
    ...WEBHOOKS,
  };

  test.each(UNITS)(
    '$name needs no settings other than those that an operator configures: it fails only because no server answers',
    async ({ name, text }) => {
      const own = readEnvironmentFile(
        valuesOf(text, 'Environment').join('\n').replaceAll('%d', folder).replaceAll('%i', '9465'),
      );
      const added = /-(api|worker@)\./.test(name) ? WEBHOOK_SECRETS : {};
      const [command = ''] = valuesOf(text, 'ExecStart');
      const [, , ...args] = command.split(' ');
      await lacksServersAlone(args, { ...settings, ...own, ...added });
    },
  );
});
