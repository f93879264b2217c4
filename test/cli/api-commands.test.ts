import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { FastifyInstance } from 'fastify';
import { API_COMMANDS } from '../../src/cli/api/commands';
import { bodyOf, flagOf, optionOf, readFields } from '../../src/cli/api/options';
import { registerApiCommands } from '../../src/cli/api/register';
import { runImport } from '../../src/cli/api/import';
import * as listening from '../../src/cli/api/listen';
import * as running from '../../src/cli/api/run';
import * as triggering from '../../src/cli/api/trigger';
import { buildProgram } from '../../src/cli/program';
import { OPERATIONS } from '../../src/client';
import { type CommandError } from '../../src/process/command-error';
import { issueKey } from '../../src/admin/access/key-ring';
import { type AdminUnderTest, NOW, SANDBOX, startAdmin } from '../admin/admin-under-test';
import { mandate, ndjson } from '../admin/mandate';
import { order } from '../admin/order';
import { payment } from '../admin/payment-order';

let admin: AdminUnderTest;
let url: string;
const environment = process.env;
beforeAll(async () => {
  admin = await startAdmin();
  url = await admin.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => {
  process.env = { ...environment, DUEDAY_URL: url, DUEDAY_KEY: admin.keys.admin };
});
afterAll(async () => {
  process.env = environment;
  await admin.stop();
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly message: string;
}

function buildCommands(): Command {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  registerApiCommands(
    program,
    () => Promise.resolve(running),
    () => Promise.resolve(listening),
    () => Promise.resolve(triggering),
  );
  return program;
}

function commandOf(program: Command, words: string): Command {
  return words.split(' ').reduce((above, name) => above.commands.find((each) => each.name() === name)!, program);
}

/** Runs a command in this process, without a terminal. */
async function run(...words: readonly string[]): Promise<Ran> {
  const program = buildCommands();
  const written: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await program.parseAsync(['node', 'dueday', ...words]);
    return { code: 0, stdout: written.join(''), message: '' };
  } catch (error) {
    if (error instanceof CommanderError) return { code: 2, stdout: '', message: error.message };
    return { code: (error as CommandError).code, stdout: '', message: (error as Error).message };
  } finally {
    write.mockRestore();
  }
}

const created = () =>
  run(
    'subscriptions',
    'create',
    '--body',
    JSON.stringify(order({ subscriptionId: 'sub_terminal', amount: undefined })),
    '--amount',
    '19.99',
  );

test('a subscription is created, listed as one JSON object per line, and shown', async () => {
  const made = await created();
  expect(made).toMatchObject({ code: 0, message: '' });
  expect(JSON.parse(made.stdout)).toMatchObject({ subscriptionId: 'sub_terminal', amount: { value: 1999 } });
  const list = await run('subscriptions', 'list', '--limit', '1');
  expect(list.stdout.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(list.stdout)).toMatchObject({ subscriptionId: 'sub_terminal' });
  const shown = await run('subscriptions', 'show', 'sub_terminal');
  expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'pending_consent' });
});

test('a list that the API returns without pages is shown completely, or up to --limit', async () => {
  const whole = JSON.stringify(order({ subscriptionId: 'sub_scheduled' }));
  await run('subscriptions', 'create', '--body', whole);
  const lines = async (...options: string[]) =>
    (await run('subscriptions', 'schedule', 'sub_scheduled', ...options)).stdout.trim().split('\n').length;
  expect(await lines()).toBe(12);
  expect(await lines('--count', '60')).toBe(60);
  expect(await lines('--limit', '2')).toBe(2);
});

test('a command that stops money needs --yes if there is no terminal to ask on', async () => {
  const asked = await run('subscriptions', 'pause', 'sub_terminal');
  expect(asked).toMatchObject({ code: 2, message: expect.stringContaining('--yes') });
  expect(admin.workflows.steered).toEqual([]);
});

test('a command whose effect the payer must approve needs no confirmation, but accepts --yes', async () => {
  const body = JSON.stringify(payment());
  expect(await run('payments', 'create', '--body', body)).toMatchObject({ code: 0, message: '' });
  expect(await run('payments', 'create', '--body', body, '--yes')).toMatchObject({ code: 0, message: '' });
  const whole = JSON.stringify(order({ subscriptionId: 'sub_without_asking' }));
  expect(await run('subscriptions', 'create', '--body', whole, '--yes')).toMatchObject({ code: 0, message: '' });
});

test.each(['import', 'events tail', 'events listen', 'events trigger', 'audit verify', 'keys list', 'versions list'])(
  '%s accepts --json, as every API command does',
  (words) => {
    expect(commandOf(buildProgram('0.0.0'), words).options.map(({ long }) => long)).toContain('--json');
  },
);

test("an API refusal is shown in the API's own words, with exit code 1", async () => {
  expect(await run('subscriptions', 'show', 'sub_of_nobody')).toMatchObject({
    code: 1,
    message: expect.stringMatching(/^not_found: /),
  });
});

test('faults that the API finds in the input are named by option, with exit code 2', async () => {
  const { code, message } = await run('subscriptions', 'list', '--due-before', 'tomorrow');
  expect(code).toBe(2);
  expect(message).toMatch(/^--due-before: expected /);
});

test('invalid options are reported before anything is sent', async () => {
  expect(await run('payments', 'capture', 'pay_1', '--amount', '19,99', '--yes')).toEqual({
    code: 2,
    stdout: '',
    message: '--amount: expected euros with at most two decimals, such as 19.99; got "19,99"',
  });
  expect(await run('payments', 'capture', 'pay_1', '--yes')).toMatchObject({ message: '--amount: missing' });
  expect(await run('subscriptions', 'list', '--status', 'gone')).toMatchObject({ code: 2 });
  expect(await run('subscriptions', 'list', '--limit', '0')).toMatchObject({ code: 2 });
});

test('an unavailable API ends with exit code 3', async () => {
  process.env['DUEDAY_URL'] = 'http://127.0.0.1:1';
  const { code, message } = await run('halt', 'show');
  expect([code, message]).toEqual([3, expect.stringContaining('cannot be reached')]);
  expect(message).not.toContain('--idempotency-key');
});

test('a call without an answer names the Idempotency-Key with which it can be repeated without a second effect', async () => {
  process.env['DUEDAY_URL'] = 'http://127.0.0.1:1';
  const refund = ['payments', 'refund', 'pay_1', '--amount', '5', '--yes'];
  const message = (await run(...refund)).message;
  expect(message).toMatch(/cannot be reached.*\. To repeat it .* add --idempotency-key [\da-f-]{36}$/);
  const repeated = await run(...refund, '--idempotency-key', 'refund-1');
  expect(repeated).toMatchObject({ code: 3, message: expect.stringMatching(/add --idempotency-key refund-1$/) });
});

test('a command without DUEDAY_KEY ends with exit code 2 and names the variable', async () => {
  process.env = { ...environment, DUEDAY_URL: url };
  expect(await run('halt', 'show')).toMatchObject({ code: 2, message: expect.stringMatching(/^DUEDAY_KEY: missing/) });
});

test('all commands that read can be watched, except streams, and no other commands', () => {
  const program = buildCommands();
  const watched = Object.keys(API_COMMANDS).filter((words) =>
    commandOf(program, words).options.some(({ long }) => long === '--watch'),
  );
  const reading = Object.entries(API_COMMANDS).filter(([, { operation }]) => OPERATIONS[operation].method === 'get');
  const pages = reading.filter(([, command]) => !('isStream' in command));
  expect(watched).toEqual(pages.map(([words]) => words));
  expect(watched).toContain('attention list');
});

test('a command repeated with the same Idempotency-Key prints the first response again', async () => {
  const words = ['halt', 'set', '--reason', 'drill', '--yes', '--idempotency-key', 'drill-1'];
  const [first, again] = [await run(...words), await run(...words)];
  expect(again.stdout).toBe(first.stdout);
  expect((await run('halt', 'lift', '--reason', 'drill over', '--yes')).code).toBe(0);
});

describe('--approval', () => {
  const keys = { ada: '', grace: '' };
  let app: FastifyInstance;
  let guarded: string;
  beforeAll(async () => {
    for (const name of ['ada', 'grace'] as const) {
      // Issued as by `dueday keys create`, because a key created by one without a holder can neither request nor approve.
      const act = { actor: 'test', reason: null, at: NOW, realAt: admin.clock.real };
      const issued = await issueKey(admin.db, { name, holder: name, role: 'admin' }, act);
      if (issued.kind !== 'issued') throw new Error(issued.kind);
      keys[name] = issued.key;
    }
    app = await admin.another({ policy: { ...SANDBOX, approvalAboveCents: 100 } });
    guarded = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  beforeEach(() => {
    process.env = { ...environment, DUEDAY_URL: guarded, DUEDAY_KEY: keys.ada };
  });
  afterAll(() => app.close());

  /** Approves, with Grace's key, the request that was refused to Ada. @returns the id of the approval */
  async function approvedAfter(asked: { readonly message: string }): Promise<string> {
    const [, approval = ''] = /^approval_required: .*\(approval ([\da-f-]{36})\)/.exec(asked.message) ?? [];
    process.env['DUEDAY_KEY'] = keys.grace;
    const decided = await run('approvals', 'approve', approval, '--reason', 'seen', '--yes');
    expect(JSON.parse(decided.stdout)).toMatchObject({ approvalId: approval, state: 'approved' });
    process.env['DUEDAY_KEY'] = keys.ada;
    return approval;
  }

  test('a request that needs a second person is carried out with --approval', async () => {
    const dryRun = await run('bulk', '--action', 'pause', '--filter', '{"q":"nobody"}', '--dry-run');
    const words = ['bulk', '--token', JSON.parse(dryRun.stdout).token as string, '--yes'];
    const asked = await run(...words);
    expect(asked.code).toBe(1);
    expect(asked.message).toMatch(/Then repeat the same request with --approval\.$/);
    const done = await run(...words, '--approval', await approvedAfter(asked));
    expect([done.code, done.message]).toEqual([0, '']);
    expect(JSON.parse(done.stdout)).toMatchObject({ kind: 'bulk', action: 'pause' });
  });

  test('a request that needs a second person may be a CSV file to import', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'dueday-import-')), 'mandates.CSV');
    writeFileSync(file, 'paymentId,amount.value\npay_1,1\n');
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const refused = await runImport(file, { yes: true }).catch((error: unknown) => error as Error);
    const approval = await approvedAfter(refused as Error);
    const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    await expect(runImport(file, { yes: true, approval })).rejects.toThrow('lines refused: 1');
    // The header does not count as a line.
    expect(JSON.parse(String(stdout.mock.calls[0]?.[0]))).toMatchObject({
      line: 2,
      problem: { code: 'invalid_request' },
    });
    stdout.mockRestore();
    stderr.mockRestore();
    rmSync(dirname(file), { recursive: true });
  });

  test('a request that needs a second person may be a file to import', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'dueday-import-')), 'mandates.ndjson');
    writeFileSync(file, ndjson(mandate()));
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const refused = await runImport(file, { yes: true }).catch((error: unknown) => error as Error);
    const approval = await approvedAfter(refused as Error);
    const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    await runImport(file, { yes: true, approval });
    stdout.mockRestore();
    expect(stderr.mock.calls.join('')).toContain('lines accepted: 1, refused: 0');
    stderr.mockRestore();
    rmSync(dirname(file), { recursive: true });
  });
});

test('import --dry-run prints each fault once, with the number of its lines, and asks for no confirmation', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'dueday-import-')), 'mandates.ndjson');
  const bad = (n: number) => mandate({ paymentId: `pay_dry_${n}`, repetition: 'DAILY' });
  writeFileSync(file, ndjson(mandate({ paymentId: 'pay_dry_0' }), bad(1), bad(2)));
  const [said, printed]: string[][] = [[], []];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => said!.push(String(text)) > 0);
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed!.push(String(text)) > 0);
  const imported = runImport(file, { dryRun: true });
  await expect(imported).rejects.toThrow('lines refused: 2; nothing was imported');
  jest.restoreAllMocks();
  rmSync(dirname(file), { recursive: true });
  expect(said).toEqual(['lines accepted: 1, refused: 2\n']);
  expect(printed!.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      lines: 2,
      firstLine: 2,
      code: 'invalid_request',
      field: 'repetition',
      message: expect.stringMatching(/^expected one of WEEKLY, .*; got "DAILY"$/),
    },
  ]);
  const { rows } = await admin.db.query(`select from subscriptions where payment_id like 'pay_dry_%'`);
  expect(rows).toHaveLength(0);
});

describe('on a terminal', () => {
  const drawn: string[] = [];
  beforeEach(() => {
    drawn.length = 0;
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => drawn.push(String(text)) > 0);
    lookAt(process.stderr);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const stream of [process.stdout, process.stderr]) Reflect.deleteProperty(stream, 'isTTY');
  });
  // Redirected streams, as in these tests, have no property isTTY.
  const lookAt = (stream: NodeJS.WriteStream) =>
    Object.defineProperty(stream, 'isTTY', { value: true, configurable: true });

  test('on a terminal a bulk job is followed to its end with a progress bar', async () => {
    const filter = JSON.stringify({ q: 'sub_terminal' });
    const dryRun = await run('bulk', '--action', 'consent-check', '--filter', filter, '--dry-run');
    const { token } = JSON.parse(dryRun.stdout) as { token: string };
    const { stdout } = await run('bulk', '--token', token, '--yes');
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'bulk', state: 'finished', done: 1, total: 1 });
    expect(drawn.join('')).toContain('of 1 done');
  });

  test('a redirected CSV shows the bytes written', async () => {
    const { stdout } = await run('transactions', '--csv');
    expect(stdout).toMatch(/^transactionId,/);
    expect(drawn.join('')).toMatch(/\d+ bytes/);
  });

  test('an export is streamed as NDJSON with the filters of the list, or as CSV on request', async () => {
    const { stdout } = await run('subscriptions', 'export', '--status', 'pending_consent');
    const lines = stdout.trimEnd().split('\n');
    const exported = lines.map((line) => JSON.parse(line) as { subscriptionId: string; state: unknown });
    expect(exported.find(({ subscriptionId }) => subscriptionId === 'sub_terminal')).toMatchObject({
      state: { status: 'pending_consent' },
    });
    expect((await run('subscriptions', 'export', '--metadata', '{"shop":"none"}')).stdout).toBe('');
    expect((await run('subscriptions', 'export', '--csv')).stdout).toMatch(/^subscriptionId,paymentId,amount[.]value,/);
  });

  test('a single answer is shown with one line per field, not as JSON', async () => {
    lookAt(process.stdout);
    const { stdout } = await run('subscriptions', 'show', 'sub_terminal');
    expect(stdout).toMatch(/^CONSENT STATUS +pending$/m);
    expect(stdout).toMatch(/^AMOUNT +19[.]99 EUR$/m);
    expect(stdout).not.toContain('{"');
    const asked = await run('subscriptions', 'show', 'sub_terminal', '--json');
    expect(JSON.parse(asked.stdout)).toMatchObject({ consent: { status: 'pending' } });
  });

  test('the audit log of a subscription is shown in complete sentences', async () => {
    const reason = `a reason of ${'many '.repeat(40)}words`;
    await admin.db.query(
      `insert into events (subscription_id, at, actor, type, data) values ('sub_terminal', now(), 'ada', 'attempt.rejected', $1)`,
      [JSON.stringify({ cycle: 0, attempt: 0, detail: 'FINAL', description: reason })],
    );
    lookAt(process.stdout);
    const { stdout } = await run('subscriptions', 'events', 'sub_terminal');
    expect(stdout).toMatch(/^AT +ACTOR +TYPE +TEXT$/m);
    expect(stdout).toContain(reason);
    expect(stdout).not.toContain('{"');
  });

  test('cycles are shown with the outcomes of their attempts and the reason, transactions with the refusal', async () => {
    await admin.db.query(
      `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, reason)
       values ('sub_terminal', 0, now(), now() + interval '1 day', 1999, 'failed', 'rejected')`,
    );
    for (const attempt of [0, 1]) {
      await admin.db.query(
        `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, at, sending_real_at, owner, state)
         values ('sub_terminal', 0, $1, 0, 'pay_sub_terminal', 1999, now(), now(), now(), 'worker', 'sending')`,
        [attempt],
      );
      await admin.db.query(
        `update attempts set state = 'rejected', detail = 'AUTHORIZATION_REJECTION_FINAL', outcome_at = now() where state = 'sending'`,
      );
    }
    lookAt(process.stdout);
    expect((await run('cycles', 'list', 'sub_terminal')).stdout).toMatch(/ rejected, rejected +rejected$/m);
    expect((await run('transactions')).stdout).toMatch(/ The payer's bank refused the debit for good[.]$/m);
  });

  test('an amount with its count is one cell of a table', async () => {
    lookAt(process.stdout);
    const period = ['--from', '2027-01-31T00:00:00Z', '--to', '2027-02-01T00:00:00Z'];
    const { stdout } = await run('reports', 'collections', ...period);
    expect(stdout).toMatch(/^DAY +DUE +COLLECTED|^DUE/);
    expect(stdout).toContain('0 x, 0.00 EUR');
  });
});

test('a test event goes to each enabled endpoint, or to the named one', async () => {
  expect(await run('events', 'trigger', 'cycle.collected')).toMatchObject({
    code: 1,
    message: expect.stringContaining('no endpoint is enabled'),
  });
  const endpointOf = async (url: string) => {
    const { stdout } = await run('endpoints', 'create', '--url', url, '--types', '*');
    return (JSON.parse(stdout) as { endpointId: string }).endpointId;
  };
  const [one, other] = [await endpointOf('https://one.example/'), await endpointOf('https://other.example/')];
  const sentTo = ({ stdout }: Ran) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { endpointId: string }).endpointId);
  expect(sentTo(await run('events', 'trigger', 'cycle.collected'))).toEqual([one, other]);
  expect(sentTo(await run('events', 'trigger', 'cycle.collected', '--endpoint', other))).toEqual([other]);
  expect(await run('events', 'trigger', 'cycle.gone')).toMatchObject({ code: 2 });
});

test('the help of a command marks what is required', () => {
  const help = commandOf(buildCommands(), 'subscriptions create').helpInformation();
  expect(help).toMatch(/--amount <euros> +required, such as 19[.]99/);
  expect(help).toMatch(/--repetition <text> +required/);
  expect(help).not.toMatch(/--end-at <text> +required/);
});

test.each([
  ['returnURL', '--return-url'],
  ['firstPaymentAt', '--first-payment-at'],
  ['q', '--q'],
])('the field %s is given as %s on the command line', (name, flag) => {
  expect(flagOf(name)).toBe(flag);
});

test.each([
  ['0', 0],
  ['0.01', 1],
  ['19.9', 1990],
  ['19.99', 1999],
  ['1000000', 100_000_000],
])('an option of %s euros is sent as %d cents', (text, cents) => {
  const amount = { name: 'amount', kind: 'money', isRequired: true } as const;
  expect(readFields([amount], { [optionOf(amount).attributeName()]: text })).toEqual({
    amount: { value: cents, currency: 'EUR' },
  });
});

test.each([
  [[], {}, true],
  [['--no-only-failed'], {}, false],
  [['--only-failed'], { onlyFailed: false }, true],
  [[], { onlyFailed: false }, false],
])('a replay with %j and the body %j has onlyFailed: %s', (flags, body, expected) => {
  const command = commandOf(buildCommands(), 'events replay');
  command.parseOptions(['--since', '2027-01-01T00:00:00Z', '--body', JSON.stringify(body), ...flags]);
  const { preset } = API_COMMANDS['events replay'];
  expect(bodyOf(OPERATIONS.replayEvents, command.opts(), preset)).toMatchObject({ onlyFailed: expected });
});
