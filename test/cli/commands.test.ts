import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { PROGRAM_ROLE } from '../support/program-role';
import { partOfRun } from '../support/test-run';
import { type Finished, runDueday, startDueday } from './dueday-process';
import { createEmptyDatabase, makeNew, makeOld, onDatabase } from './ledger-states';

const databases: TestDatabase[] = [];

async function database(made = createTestDatabase): Promise<TestDatabase> {
  const one = await made();
  databases.push(one);
  return one;
}

afterAll(() => Promise.all(databases.map((each) => each.drop())));

/** Exit code and error output, which must not contain a stack trace. */
function told({ code, stderr }: Finished): [number | null, string] {
  expect(stderr).not.toMatch(/^ +at /m);
  return [code, stderr.trimEnd()];
}

/** The objects of an output with one JSON object per line. */
function objectsOf({ stdout }: Finished): readonly unknown[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

it.each(['bash', 'zsh', 'fish'])('shell completion has a script for %s', async (shell) => {
  const { code, stdout } = await runDueday(['completion', shell]);
  expect(code).toBe(0);
  expect(stdout).toContain('dueday complete -- ');
});

it('shell completion offers the commands of a subject, and the values of an option', async () => {
  const offered = async (...words: string[]) =>
    (await runDueday(['complete', '--', ...words])).stdout.split('\n').map((line) => line.split('\t')[0]);
  expect(await offered('subscriptions', 'ca')).toContain('cancel');
  expect(await offered('subscriptions', 'create', '--repetition', '')).toEqual(
    expect.arrayContaining(['WEEKLY', 'YEARLY']),
  );
});

it.each([
  ['an unknown command', ['collector'], "error: unknown command 'collector'"],
  ['an unknown option', ['daemon', '--fast'], "error: unknown option '--fast'"],
  ['an argument too many', ['migrate', 'now'], expect.stringMatching(/^error: too many arguments/)],
  ['a command without its second word', ['keys'], expect.stringMatching(/^Usage: dueday keys/)],
  ['nothing at all', [], expect.stringMatching(/^Usage: dueday/)],
])('an invalid command line exits 2: %s', async (_what, args, words) => {
  expect(told(await runDueday(args))).toEqual([2, words]);
});

it('a request for help exits 0', async () => {
  const { code, stdout } = await runDueday(['--help']);
  expect(code).toBe(0);
  const running = ['start', 'demo', 'daemon', 'worker', 'api', 'sandbox', 'simulate'];
  for (const command of [...running, 'migrate', 'config', 'keys', 'reconcile']) {
    expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  }
});

describe('LOG_LEVEL', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dueday-level-'));
    writeFileSync(join(folder, 'level'), 'info\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    [['notices', 'preview', 'payment.failed']],
    [['reconcile']],
    [['conformance']],
    [['versions', 'list']],
    [['replay', 'verify']],
  ])('a variable for which a command has its own default may come from a file: %j', async (args) => {
    const { stdout, stderr } = await runDueday(args, { LOG_LEVEL_FILE: join(folder, 'level') });
    expect(stdout + stderr).not.toBe('');
    expect(stderr).not.toContain('LOG_LEVEL');
  });
});

test('invalid templates are reported like the fault of any other variable, before anything is shown', async () => {
  const finished = await runDueday(['notices', 'preview', 'payment.failed'], { NOTICE_TEMPLATES: '/nowhere' });
  const fault = 'expected a folder of templates; got "/nowhere": cannot be read: ENOENT';
  const words = `The configuration is not valid:\nNOTICE_TEMPLATES: ${fault} (example: /etc/dueday/notices)`;
  expect([finished.stdout, ...told(finished)]).toEqual(['', 2, words]);
});

test('a command ends without an error if the program that reads its output stops', async () => {
  const running = startDueday(['--help'], {});
  running.closeStdout();
  expect([await running.ended, running.stderr()]).toEqual([{ code: 141, signal: null }, '']);
});

it("dueday migrate refuses to run as the program's role, in one line, with and without DATABASE_ROLE", async () => {
  const database = await createTestDatabase();
  const env = { DATABASE_URL: database.programUrl };
  const asked = [env, { ...env, DATABASE_ROLE: 'anybody' }].map((each) => runDueday(['migrate'], each));
  for (const { code, stdout, stderr } of await Promise.all(asked))
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(
        /^dueday: DATABASE_URL: expected the role that owns the ledger; got \w+, which .*deploy\.md\n$/,
      ),
    ]);
  await database.drop();
});

it('dueday migrate grants the role in DATABASE_ROLE what the program needs, each time', async () => {
  const made = await database(createEmptyDatabase);
  const env = { DATABASE_URL: made.url, DATABASE_ROLE: PROGRAM_ROLE };
  const granted = `the role ${PROGRAM_ROLE} has the privileges that the program needs, and no others\n`;
  expect((await runDueday(['migrate'], env)).stdout).toMatch(new RegExp(`^applied: .+\n${granted}$`));
  expect(await onDatabase(made.programUrl, 'select from events')).toEqual([]);
  expect((await runDueday(['migrate'], env)).stdout).toBe(`the schema is current\n${granted}`);
});

it('dueday migrate exits 2 if there is no such role, or if it owns the ledger', async () => {
  const { url } = await database();
  const migrateFor = async (DATABASE_ROLE: string) =>
    told(await runDueday(['migrate'], { DATABASE_URL: url, DATABASE_ROLE }));
  const owner = decodeURIComponent(new URL(url).username);
  expect(await migrateFor('nobody "here"')).toEqual([
    2,
    `dueday: DATABASE_ROLE: expected an existing PostgreSQL role; got "nobody \\"here\\"". Create it first: create role … login password '…'`,
  ]);
  expect(await migrateFor(owner)).toEqual([
    2,
    `dueday: DATABASE_ROLE: expected a role that owns no table of the ledger and is not a superuser; got "${owner}", which grants cannot restrict`,
  ]);
});

it('dueday migrate creates the schema, and then finds it current', async () => {
  const env = { DATABASE_URL: (await database(createEmptyDatabase)).url };
  const first = await runDueday(['migrate'], env);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/^applied: 0001_baseline(, \d{4}_\w+)*\n$/);
  expect(await runDueday(['migrate'], env)).toMatchObject({ code: 0, stdout: 'the schema is current\n' });
  expect(await onDatabase(env.DATABASE_URL, 'select 1 from subscriptions')).toEqual([]);
});

it('dueday migrate can run twice at the same time', async () => {
  const env = { DATABASE_URL: (await database(createEmptyDatabase)).url };
  const both = await Promise.all([runDueday(['migrate'], env), runDueday(['migrate'], env)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(both.map(({ stdout }) => stdout.split(':')[0]).sort()).toEqual(['applied', 'the schema is current\n']);
});

it('dueday migrate requires DATABASE_URL', async () => {
  const [code, words] = told(await runDueday(['migrate']));
  expect(code).toBe(2);
  expect(words).toContain('DATABASE_URL: missing');
});

it('dueday migrate says in one line that the database cannot be reached, without its password', async () => {
  const [code, words] = told(await runDueday(['migrate'], { DATABASE_URL: 'postgres://u:unspeakable@127.0.0.1:1/x' }));
  expect([code, words]).toEqual([1, 'dueday: the ledger cannot be migrated: connect ECONNREFUSED 127.0.0.1:1']);
});

it('dueday keys creates, lists and revokes; a key is shown once', async () => {
  const env = { DATABASE_URL: (await database()).url };
  const created = await runDueday(['keys', 'create', '--name', 'the shop', '--role', 'operator'], env);
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const [, keyId, key] = /^key (\S{36}) \(operator, the shop\); it is shown only once:\n(\S{32,})\n$/.exec(
    created.stdout,
  )!;

  const taken = await runDueday(['keys', 'create', '--name', 'the shop', '--role', 'viewer'], env);
  expect(told(taken)).toEqual([1, 'dueday: --name: the shop is already taken, and names are never reused']);

  const listed = await runDueday(['keys', 'list', '--json'], env);
  const ofShop = { keyId, name: 'the shop', role: 'operator', prefix: key?.slice(0, 9), lastUsedAt: null };
  const unlimited = { holder: null, scopes: [], limits: { refundPerDay: null, changePerCall: null } };
  expect(objectsOf(listed)).toEqual([
    {
      ...{ ...ofShop, ...unlimited, createdAt: expect.stringMatching(/Z$/) },
      ...{ expiresAt: null, revokedAt: null, replaces: null },
    },
  ]);

  const revoked = await runDueday(['keys', 'revoke', keyId!], env);
  expect(revoked).toMatchObject({ code: 0, stdout: `key ${keyId} (operator, the shop) is revoked\n` });
  const [again, table] = await Promise.all([
    runDueday(['keys', 'revoke', keyId!], env),
    runDueday(['keys', 'list'], env),
  ]);
  expect(again.code).toBe(0);
  expect(table.stdout).toMatch(
    /^KEY +NAME +ROLE +PREFIX +HOLDER +SCOPES +CREATED +LAST USED +EXPIRES +REVOKED\n\S{36} +the shop +operator +dd_\S{6} +\S+Z +\S+Z\n$/,
  );
  expect(listed.stdout + table.stdout + revoked.stdout).not.toContain(key);
});

it('dueday keys limits and rotates a key', async () => {
  const env = { DATABASE_URL: (await database()).url };
  const limits = ['--scopes', 'refunds, reports', '--refund-per-day', '100', '--expires-at', '2999-01-01T00:00:00Z'];
  const create = ['keys', 'create', '--name', 'desk', '--role', 'operator', '--holder', 'Grace Hopper', ...limits];
  const created = await runDueday(create, env);
  const [, keyId = ''] = /^key (\S{36})/.exec(created.stdout)!;
  const rotated = await runDueday(['keys', 'rotate', keyId, '--overlap-hours', '0'], env);
  expect(rotated.stdout).toMatch(/^key \S{36} \(operator, desk\); it is shown only once:\ndd_\S{43}\n$/);
  const listed = await runDueday(['keys', 'list', '--json'], env);
  const [old, key] = objectsOf(listed) as { keyId: string; expiresAt: string }[];
  const refundPerDay = { value: 10_000, currency: 'EUR' };
  expect(key).toMatchObject({
    ...{ name: 'desk', holder: 'Grace Hopper', scopes: ['refunds', 'reports'], replaces: keyId },
    ...{ limits: { refundPerDay, changePerCall: null }, expiresAt: '2999-01-01T00:00:00.000Z' },
  });
  expect(Date.parse(old!.expiresAt)).toBeLessThanOrEqual(Date.now());
  const again = await runDueday(['keys', 'rotate', keyId], env);
  expect(told(again)).toEqual([1, `dueday: key ${keyId} was replaced by ${key!.keyId}: rotate or revoke that one`]);
});

it('dueday keys reports every fault of the options at once, and exits 2', async () => {
  const [nothing, wrong, id] = await Promise.all([
    runDueday(['keys', 'create']),
    runDueday(['keys', 'create', '--name', 'n'.repeat(101), '--role', 'root', '--scopes', 'money']),
    runDueday(['keys', 'revoke', '-'.repeat(3) + 'x']),
  ]);
  const role = '--role: expected one of viewer, operator, admin; got';
  expect(told(nothing)).toEqual([2, `dueday: --name: expected text; got nothing\n${role} nothing`]);
  const [name, its, scopes] = told(wrong)[1].split('\n');
  expect(told(wrong)[0]).toBe(2);
  expect([name, its]).toEqual([
    'dueday: --name: expected text of at most 100 characters; got text of 101 characters',
    `${role} text of 4 characters`,
  ]);
  expect(scopes).toMatch(/^--scopes: expected one of subscriptions:create, .*; got text of 5 characters$/);
  expect(id.code).toBe(2);
});

it('dueday keys refuses unknown ids and text that is not an id', async () => {
  const env = { DATABASE_URL: (await database()).url };
  const id = '00000000-0000-4000-8000-000000000000';
  const [unknown, dashes, none] = await Promise.all([
    runDueday(['keys', 'revoke', id], env),
    runDueday(['keys', 'revoke', '--', '-'.repeat(36)], env),
    runDueday(['keys', 'revoke'], env),
  ]);
  expect(told(unknown)).toEqual([1, `dueday: there is no key ${id}`]);
  expect(told(dashes)).toEqual([2, `dueday: expected the id of a key, see dueday keys list; got "${'-'.repeat(36)}"`]);
  expect(told(none)).toEqual([2, "error: missing required argument 'keyId'"]);
});

it('dueday keys says what to do if the schema was never created', async () => {
  const [code, words] = told(
    await runDueday(['keys', 'list'], { DATABASE_URL: (await database(createEmptyDatabase)).url }),
  );
  expect(code).toBe(1);
  expect(words).toMatch(/^dueday: the ledger's schema does not fit: it lacks 0001_baseline.*; run dueday migrate$/);
});

describe('dueday', () => {
  const elsewhere = {
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
    PAYMENT_SERVICE_BASE_URL: 'http://127.0.0.1:1',
    PAYMENT_SERVICE_CLIENT_ID: 'merchant',
    PAYMENT_SERVICE_CLIENT_SECRET: 'unspeakable',
  };
  let occupied: Server;

  beforeAll(async () => {
    occupied = createServer();
    await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => occupied.close());

  it.each(['daemon', 'worker', 'api'])(
    '%s exits 2 and names every missing variable and an invalid folder',
    async (role) => {
      const [code, words] = told(await runDueday([role], { NOTICE_TEMPLATES: '/nowhere' }));
      expect(code).toBe(2);
      expect(words.split('\n').map((line) => line.split(':')[0])).toEqual([
        ...['The configuration is not valid', 'DATABASE_URL', 'TEMPORAL_ADDRESS', 'PAYMENT_SERVICE_ENVIRONMENT'],
        'PAYMENT_SERVICE_BASE_URL',
        ...['PAYMENT_SERVICE_CLIENT_ID', 'PAYMENT_SERVICE_CLIENT_SECRET', 'NOTICE_TEMPLATES'],
      ]);
    },
  );

  it('a daemon exits 1 on a schema that is too old, and names what is missing', async () => {
    const ledger = await database();
    const missing = await makeOld(ledger);
    const words = `dueday: the ledger's schema does not fit: it lacks ${missing}; run dueday migrate`;
    expect(told(await runDueday(['daemon'], { ...elsewhere, DATABASE_URL: ledger.url }))).toEqual([1, words]);
  });

  it('a daemon exits 1 on the schema of a later version that this one cannot use', async () => {
    const ledger = await database();
    await makeNew(ledger);
    const words =
      "dueday: the ledger's schema does not fit: it has 9999_of_tomorrow of a newer release, and 9999_of_tomorrow has removed " +
      'something that this one uses; run the release that migrated it, or a newer one';
    expect(told(await runDueday(['daemon'], { ...elsewhere, DATABASE_URL: ledger.url }))).toEqual([1, words]);
  });

  it.each(['daemon', 'worker', 'api'])(
    "%s exits 2 in production as the ledger's owner, and not as the program's role",
    async (role) => {
      const ledger = await database();
      const secret = randomBytes(24).toString('base64url');
      const production = { PAYMENT_SERVICE_ENVIRONMENT: 'production', PAYMENT_SERVICE_CLIENT_SECRET: secret };
      const env = { ...elsewhere, ...production, PAYLOAD_ENCRYPTION: 'off' };
      const [asOwner, asProgram] = await Promise.all(
        [ledger.url, ledger.programUrl].map((DATABASE_URL) => runDueday([role], { ...env, DATABASE_URL })),
      );
      expect(told(asOwner!)).toEqual([
        2,
        expect.stringMatching(
          /^dueday: DATABASE_URL: expected the program's own role, .+; got \w+, which owns tables of the ledger or may act as their owner\. See .+$/,
        ),
      ]);
      const words = 'dueday: Temporal cannot be reached at 127.0.0.1:1: Failed to connect before the deadline';
      expect(told(asProgram!)).toEqual([1, words]);
    },
  );

  it('a daemon exits 1 if PostgreSQL cannot be reached', async () => {
    const env = { ...elsewhere, DATABASE_URL: 'postgres://u:unspeakable@127.0.0.1:1/x' };
    const words = 'dueday: the ledger cannot be reached: connect ECONNREFUSED 127.0.0.1:1';
    expect(told(await runDueday(['daemon'], env))).toEqual([1, words]);
  });

  it('a daemon exits 1 if Temporal cannot be reached', async () => {
    const finished = await runDueday(['daemon'], { ...elsewhere, DATABASE_URL: (await database()).url });
    const words = 'dueday: Temporal cannot be reached at 127.0.0.1:1: Failed to connect before the deadline';
    expect(told(finished)).toEqual([1, words]);
  });

  it('the admin API and the simulator exit 1 if their port is taken, and leave nothing open that would keep them alive', async () => {
    const { port } = occupied.address() as AddressInfo;
    const env = { ...elsewhere, TEMPORAL_ADDRESS: partOfRun('temporal').address, ADMIN_PORT: String(port) };
    const [api, sandbox] = await Promise.all([
      runDueday(['api'], { ...env, DATABASE_URL: (await database()).url }),
      runDueday(['sandbox'], { SANDBOX_PORT: String(port) }),
    ]);
    const taken = `listen EADDRINUSE: address already in use 127.0.0.1:${port}`;
    const messageOf = (part: string, variables: string) =>
      `dueday: ${part} cannot listen on 127.0.0.1:${port} (${variables}): ${taken}`;
    expect(told(api)).toEqual([1, messageOf('the admin API', 'ADMIN_HOST, ADMIN_PORT')]);
    expect(told(sandbox)).toEqual([1, messageOf('the sandbox', 'ADMIN_HOST, SANDBOX_PORT')]);
  });
});
