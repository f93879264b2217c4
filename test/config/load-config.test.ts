import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Config,
  ConfigError,
  configVariables,
  DAEMON_NEEDS,
  describeConfig,
  loadConfig,
  withDefaults,
} from '../../src/config';
import { VARIABLES, type VariableName } from '../../src/config/variables';
import { ACCEPTED, REFUSED } from './variable-values';

type Environment = Readonly<Record<string, string>>;

let folder: string;
/** A folder that overrides nothing. */
let templates: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dueday-config-'));
  templates = join(folder, 'templates');
  mkdirSync(templates);
});

afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(content: string): string {
  const path = join(folder, `value-${Buffer.from(content).toString('hex').slice(0, 40)}`);
  writeFileSync(path, content);
  return path;
}

/** Loads the configuration. @returns `NAME: message` of every fault */
function faultsOf(env: Environment, needs?: readonly VariableName[]): string[] {
  try {
    loadConfig(env, needs);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ name, message }) => `${name}: ${message}`);
  }
  return [];
}

/** A valid value; for a folder, an existing one. */
function exampleOf(name: VariableName): string {
  return name === 'NOTICE_TEMPLATES' ? templates : VARIABLES[name].example;
}

/** The variables that another one requires. */
const COMPANIONS: Readonly<Partial<Record<VariableName, Environment>>> = {
  NOTICE_WEBHOOK_URL: { NOTICE_WEBHOOK_SECRET: VARIABLES.NOTICE_WEBHOOK_SECRET.example },
  EVENT_WEBHOOK_URL: { EVENT_WEBHOOK_SECRET: VARIABLES.EVENT_WEBHOOK_SECRET.example },
  SMTP_URL: { NOTICE_FROM: VARIABLES.NOTICE_FROM.example },
  NOTICE_PAYMENT_LINK: { PAYMENT_PAGE_URL: VARIABLES.PAYMENT_PAGE_URL.example },
  DATABASE_REPLICA_URL: { DATABASE_URL: VARIABLES.DATABASE_URL.example },
  DATABASE_CA: { DATABASE_URL: VARIABLES.DATABASE_URL.example },
  TEMPORAL_TLS_CERT: { TEMPORAL_TLS_KEY: VARIABLES.TEMPORAL_TLS_KEY.example },
  TEMPORAL_TLS_KEY: { TEMPORAL_TLS_CERT: VARIABLES.TEMPORAL_TLS_CERT.example },
  // Production also needs encryption, or its explicit absence.
  PAYMENT_SERVICE_ENVIRONMENT: { PAYLOAD_ENCRYPTION: 'off' },
};

/** Variables with the prefix of the names that Temporal's own programs use for the same values. */
const TEMPORALS = [
  ['TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_CLIENT_CERT'],
  ['TEMPORAL_TLS_KEY', 'TEMPORAL_TLS_CLIENT_KEY'],
  ['TEMPORAL_TLS_CA', 'TEMPORAL_TLS_SERVER_CA_CERT'],
] as const;

describe('one variable', () => {
  it.each(ACCEPTED)('%s accepts %s', (name, text, value) => {
    expect(loadConfig({ [name]: text, ...COMPANIONS[name] })[name]).toEqual(value);
  });

  it.each(REFUSED)('%s refuses %s, and says what it expects', (name, text) => {
    const { expected, secret } = VARIABLES[name];
    const [fault, ...others] = faultsOf({ [name]: text, ...COMPANIONS[name] });
    expect(others).toEqual([]);
    expect(fault).toMatch(new RegExp(`^${name}: expected `));
    expect(fault).toContain(`expected ${expected}; got `);
    if (secret) expect(fault).toContain('got [masked]');
  });

  it.each(configVariables)('%s accepts its own example', (name) => {
    expect(faultsOf({ [name]: exampleOf(name), ...COMPANIONS[name] })).toEqual([]);
  });

  it.each(configVariables)('an empty %s counts as absent', (name) => {
    expect(loadConfig({ [name]: '', [`${name}_FILE`]: '' })).toEqual(loadConfig({}));
  });

  it.each(configVariables)('%s may come from a file, whose final line break is ignored', (name) => {
    const direct = loadConfig({ [name]: exampleOf(name), ...COMPANIONS[name] });
    const path = fileWith(`${exampleOf(name)}\n`);
    expect(loadConfig({ [`${name}_FILE`]: path, ...COMPANIONS[name] })).toEqual(direct);
  });

  it.each(configVariables)('%s is refused if it is set both directly and as a file', (name) => {
    const { example } = VARIABLES[name];
    const env = { [name]: example, [`${name}_FILE`]: fileWith(example), ...COMPANIONS[name] };
    expect(faultsOf(env)).toEqual([`${name}: set twice, as ${name} and as ${name}_FILE`]);
  });

  it.each(configVariables)('%s is refused if its file cannot be read', (name) => {
    const [fault, ...others] = faultsOf({ [`${name}_FILE`]: join(folder, 'nowhere'), ...COMPANIONS[name] });
    expect(others).toEqual([]);
    expect(fault).toMatch(new RegExp(`^${name}: ${name}_FILE cannot be read: .*ENOENT`));
  });

  it.each(TEMPORALS)("%s may be set by Temporal's name: as %s_DATA, or as the file in _PATH", (name, temporal) => {
    const { example } = VARIABLES[name];
    const direct = loadConfig({ [name]: example, ...COMPANIONS[name] });
    expect(loadConfig({ [`${temporal}_DATA`]: example, ...COMPANIONS[name] })).toEqual(direct);
    expect(loadConfig({ [`${temporal}_PATH`]: fileWith(`${example}\n`), ...COMPANIONS[name] })).toEqual(direct);
  });

  it.each(TEMPORALS)("%s is refused if it is also set by Temporal's name, %s", (name, temporal) => {
    const { example } = VARIABLES[name];
    const names = [name, `${name}_FILE`, `${temporal}_DATA`, `${temporal}_PATH`];
    for (const [index, first] of names.entries())
      for (const second of names.slice(index + 1))
        expect(faultsOf({ [first]: example, [second]: example, ...COMPANIONS[name] })).toEqual([
          `${name}: set twice, as ${first} and as ${second}`,
        ]);
  });

  it.each(TEMPORALS)('%s is refused if the file in %s_PATH cannot be read', (name, temporal) => {
    const [fault, ...others] = faultsOf({ [`${temporal}_PATH`]: join(folder, 'nowhere'), ...COMPANIONS[name] });
    expect(others).toEqual([]);
    expect(fault).toMatch(new RegExp(`^${name}: ${temporal}_PATH cannot be read: .*ENOENT`));
    expect(fault?.includes(folder)).toBe(!VARIABLES[name].secret);
  });

  it('a variable is shown with its source, whichever name was used', () => {
    const pem = VARIABLES.TEMPORAL_TLS_CA.example;
    const env = {
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: fileWith(pem),
      TEMPORAL_TLS_CLIENT_CERT_DATA: pem,
      TEMPORAL_TLS_KEY_FILE: fileWith(VARIABLES.TEMPORAL_TLS_KEY.example),
      LOG_LEVEL: 'warn',
    };
    const from = new Map(describeConfig(loadConfig(env), env).map((row) => [row.name, row.from]));
    const names = ['TEMPORAL_TLS_CA', 'TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY', 'LOG_LEVEL', 'TEMPORAL_TLS'];
    expect(names.map((name) => from.get(name))).toEqual(['file', 'environment', 'file', 'environment', 'default']);
  });

  it('a variable is refused if its _FILE names a folder', () => {
    expect(faultsOf({ ADMIN_HOST_FILE: folder })).toEqual([expect.stringMatching(/EISDIR/)]);
  });

  it('a variable counts as absent if its _FILE names an empty file', () => {
    const env = { PAYMENT_SERVICE_CLIENT_SECRET_FILE: fileWith('\n') };
    expect(faultsOf(env, ['PAYMENT_SERVICE_CLIENT_SECRET'])).toEqual([
      'PAYMENT_SERVICE_CLIENT_SECRET: missing; expected the client secret of the contract',
    ]);
  });
});

it('the daemon reports all missing variables, each with an example', () => {
  expect(faultsOf({}, DAEMON_NEEDS)).toEqual(
    DAEMON_NEEDS.map((name) => `${name}: missing; expected ${VARIABLES[name].expected}`),
  );
});

it.each([
  ['NOTICE_WEBHOOK_URL', 'NOTICE_WEBHOOK_SECRET', 'PAYMENT_SERVICE_ENVIRONMENT'],
  ['EVENT_WEBHOOK_URL', 'EVENT_WEBHOOK_SECRET', 'PAYMENT_SERVICE_ENVIRONMENT'],
  ['SMTP_URL', 'NOTICE_FROM', 'PAYMENT_SERVICE_ENVIRONMENT'],
  ['NOTICE_PAYMENT_LINK', 'PAYMENT_PAGE_URL', 'PAYMENT_SERVICE_ENVIRONMENT'],
  ['TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY', 'TEMPORAL_ADDRESS'],
  ['TEMPORAL_TLS_KEY', 'TEMPORAL_TLS_CERT', 'TEMPORAL_ADDRESS'],
] as const)('%s without %s is a fault for a command that needs %s', (one, other, used) => {
  const given = { [one]: VARIABLES[one].example };
  const fault = `${other}: missing; ${one} requires it`;
  expect(faultsOf(given)).toEqual([fault]);
  expect(faultsOf({ ...given, [used]: VARIABLES[used].example }, [used])).toEqual([fault]);
  expect(faultsOf(given, DAEMON_NEEDS)).toContain(fault);
  expect(faultsOf(given, [])).toEqual([]);
});

it('a command that needs no ledger accepts incomplete ledger settings', () => {
  const said = {
    DATABASE_CA: VARIABLES.DATABASE_CA.example,
    DATABASE_REPLICA_URL: VARIABLES.DATABASE_REPLICA_URL.example,
  };
  expect(faultsOf(said)).toEqual(
    ['DATABASE_REPLICA_URL', 'DATABASE_CA'].map((name) => `DATABASE_URL: missing; ${name} requires it`),
  );
  expect(faultsOf(said, [])).toEqual([]);
});

it.each([
  'sslmode=disable',
  'sslmode=prefer',
  'sslmode=no-verify',
  'sslrootcert=/ca.pem',
  'sslcert=/cert.pem',
  'ssl=true',
])('a CA is refused together with %s in the URL', (said) => {
  const given = { DATABASE_CA: VARIABLES.DATABASE_CA.example, DATABASE_URL: `postgres://u:p@db/ledger?${said}` };
  const told = said.startsWith('sslmode') ? said : said.split('=')[0];
  const words = `sets ${told}; expected no TLS parameters except sslmode=verify-full together with DATABASE_CA`;
  expect(faultsOf(given)).toEqual([`DATABASE_URL: ${words}`]);
  expect(
    faultsOf({ ...given, DATABASE_URL: 'postgres://u:p@db/ledger', DATABASE_REPLICA_URL: given.DATABASE_URL }),
  ).toEqual([`DATABASE_REPLICA_URL: ${words}`]);
  expect(faultsOf({ DATABASE_URL: given.DATABASE_URL })).toEqual([]);
});

it('a CA may be combined with modes that verify the server', () => {
  const url = (mode: string) => `postgres://u:p@db/ledger?sslmode=${mode}`;
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    expect(faultsOf({ DATABASE_CA: VARIABLES.DATABASE_CA.example, DATABASE_URL: url(mode) })).toEqual([]);
});

it('no variable is required by a command that needs none', () => {
  expect(loadConfig({})).toMatchObject({
    ADMIN_PORT: 8080,
    LOG_LEVEL: 'info',
    RETRY_OFFSETS_HOURS: [24, 48, 71],
    RETRY_MIN_GAP_HOURS: 6,
  });
});

describe('the defaults of a command', () => {
  it.each(configVariables)("%s has the command's default if it is unset or empty", (name) => {
    const given = { [name]: '', [`${name}_FILE`]: '', HOME: '/home' };
    expect(withDefaults(given, { [name]: 'its own' })).toEqual({ ...given, [name]: 'its own' });
  });

  it.each(configVariables)('%s keeps its value if set directly or by a file', (name) => {
    for (const given of [{ [name]: 'theirs' }, { [`${name}_FILE`]: '/run/secrets/theirs' }])
      expect(withDefaults(given, { [name]: 'its own' })).toEqual(given);
  });

  it.each(TEMPORALS)("%s keeps its value if set by Temporal's name, %s", (name, temporal) => {
    for (const given of [{ [`${temporal}_DATA`]: 'theirs' }, { [`${temporal}_PATH`]: '/etc/theirs' }])
      expect(withDefaults(given, { [name]: 'its own' })).toEqual(given);
  });
});

const told = 'NOTICE_TEMPLATES: expected a folder of templates; got';

it('a folder of templates is checked together with everything else, and reported with every fault', () => {
  const wrong = join(folder, 'wrong');
  mkdirSync(wrong);
  writeFileSync(join(wrong, 'payment.failed.html'), 'x');
  writeFileSync(join(wrong, 'subscription.resumed.en.txt'), 'no subject');
  expect(faultsOf({ NOTICE_TEMPLATES: wrong, LOG_LEVEL: 'loud' })).toEqual([
    'LOG_LEVEL: expected a pino level; got "loud"',
    expect.stringContaining(`${told} ${JSON.stringify(wrong)}: payment.failed.html: expected a file`),
    `${told} ${JSON.stringify(wrong)}: subscription.resumed.en.txt: expected a line "Subject: …", then text`,
  ]);
});

it('a folder of templates is checked only by commands that send notices to payers', () => {
  const env = { NOTICE_TEMPLATES: '/nowhere' };
  const fault = `${told} "/nowhere": cannot be read: ENOENT`;
  expect(faultsOf(env, DAEMON_NEEDS)).toContain(fault);
  expect(faultsOf(env)).toEqual([fault]);
  expect(faultsOf(env, [])).toEqual([]);
});

test('all faults are reported at once: missing, invalid, set twice, unreadable and inconsistent', () => {
  const env = {
    LOG_LEVEL: 'loud',
    ADMIN_PORT: 'http',
    ADMIN_HOST: 'localhost',
    ADMIN_HOST_FILE: fileWith('localhost'),
    TEMPORAL_TASK_QUEUE_FILE: join(folder, 'nowhere'),
    NOTICE_WEBHOOK_URL: 'https://merchant.example/notices',
    SMTP_URL: 'no address at all',
    PAYMENT_SERVICE_ENVIRONMENT: 'production',
    TEST_CLOCK: VARIABLES.TEST_CLOCK.example,
  };
  const names = faultsOf(env, DAEMON_NEEDS).map((fault) => fault.split(':')[0]);
  expect(names.sort()).toEqual(
    [
      ...DAEMON_NEEDS.filter((name) => name !== 'PAYMENT_SERVICE_ENVIRONMENT'),
      ...['LOG_LEVEL', 'ADMIN_PORT', 'ADMIN_HOST', 'TEMPORAL_TASK_QUEUE', 'NOTICE_WEBHOOK_SECRET'],
      ...['SMTP_URL', 'NOTICE_FROM', 'TEST_CLOCK', 'PAYLOAD_ENCRYPTION'],
    ].sort(),
  );
});

const secrets = configVariables.filter((name) => VARIABLES[name].secret);

it('exactly the variables whose names indicate a secret are treated as secrets', () => {
  expect(secrets).toEqual(
    configVariables.filter((name) => /SECRET|_KEYS?$|DATABASE_(REPLICA_)?URL|SMTP_URL/.test(name)),
  );
});

it.each(secrets)('an error never shows the secret in %s if its value is invalid', (name) => {
  const env = { [name]: 'unspeakable '.repeat(400) };
  expect(faultsOf({ ...env, ...COMPANIONS[name] })).toHaveLength(1);
  expect(faultsOf({ ...env, ...COMPANIONS[name] }).join()).not.toContain('unspeakable');
});

it.each(secrets)('an error never shows the secret in %s if it is given instead of the path of its file', (name) => {
  const faults = faultsOf({ [`${name}_FILE`]: 'unspeakable', ...COMPANIONS[name] });
  expect(faults).toHaveLength(1);
  expect(faults.join()).not.toContain('unspeakable');
});

it('an error never shows the password in an invalid address', () => {
  const faults = faultsOf({ PAYMENT_SERVICE_BASE_URL: 'ftp://merchant:unspeakable@service.example' });
  expect(faults).toEqual([expect.stringContaining('ftp://merchant:[masked]@service.example')]);
});

it('an error shows only the beginning of a long invalid value', () => {
  expect(faultsOf({ LOG_LEVEL: 'x'.repeat(10_000) }).join().length).toBeLessThan(300);
});

const parsed = (text: string): Config['TEST_CLOCK'] => loadConfig({ TEST_CLOCK: text }).TEST_CLOCK;

it('TEST_CLOCK is read as a virtual start, a real start and a speed', () => {
  expect(parsed('2027-01-31T10:00:00Z@2026-11-21T09:00:00Zx14400')).toEqual({
    virtualStart: Date.UTC(2027, 0, 31, 10),
    realStart: Date.UTC(2026, 10, 21, 9),
    speed: 14_400,
  });
});

it('TEST_CLOCK accepts offsets, milliseconds and fractional speeds', () => {
  expect(parsed('2027-01-31T10:00:00.250+01:00@2026-11-21T09:00Zx0.5')).toEqual({
    virtualStart: Date.UTC(2027, 0, 31, 9, 0, 0, 250),
    realStart: Date.UTC(2026, 10, 21, 9),
    speed: 0.5,
  });
});

it.each([
  ['no real start', '2027-01-31T10:00:00Zx14400'],
  ['no speed', '2027-01-31T10:00:00Z@2026-11-21T09:00:00Z'],
  ['a speed of 0', '2027-01-31T10:00:00Z@2026-11-21T09:00:00Zx0'],
  ['a speed below 0', '2027-01-31T10:00:00Z@2026-11-21T09:00:00Zx-1'],
  ['a time without an offset', '2027-01-31T10:00:00@2026-11-21T09:00:00Zx1'],
  ['a real time without an offset', '2027-01-31T10:00:00Z@2026-11-21T09:00:00x1'],
  ['a date without a time', '2027-01-31@2026-11-21T09:00:00Zx1'],
  ['a day that the calendar lacks', '2027-02-29T10:00:00Z@2026-11-21T09:00:00Zx1'],
  ['a month that the calendar lacks', '2027-13-01T10:00:00Z@2026-11-21T09:00:00Zx1'],
  ['an hour that the day lacks', '2027-01-31T25:00:00Z@2026-11-21T09:00:00Zx1'],
  ['two clocks', '2027-01-31T10:00:00Z@2026-11-21T09:00:00Zx1@2026-11-21T09:00:00Zx1'],
  ['words', 'tomorrow@todayx2'],
])('TEST_CLOCK refuses %s', (_what, text) => {
  expect(faultsOf({ TEST_CLOCK: text })).toEqual([
    `TEST_CLOCK: expected <virtual ISO>@<real ISO>x<speed>; got ${JSON.stringify(text)}`,
  ]);
});

it('TEST_CLOCK is refused in production, whether valid or not', () => {
  const production = { PAYMENT_SERVICE_ENVIRONMENT: 'production', PAYLOAD_ENCRYPTION: 'off' };
  const refusal = 'TEST_CLOCK: a test clock is for the sandbox only, not for production';
  expect(faultsOf({ ...production, TEST_CLOCK: VARIABLES.TEST_CLOCK.example })).toEqual([refusal]);
  expect(faultsOf({ ...production, TEST_CLOCK: 'x' })).toContain(refusal);
  expect(faultsOf(production)).toEqual([]);
});
