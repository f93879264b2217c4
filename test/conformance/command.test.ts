import { randomBytes } from 'node:crypto';
import { runDueday, startDueday, type DuedayProcess, type Finished } from '../cli/dueday-process';

const CREDENTIALS = { SANDBOX_CLIENT_ID: 'merchant', SANDBOX_CLIENT_SECRET: 'unspeakable-of-the-merchant' };
let sandbox: DuedayProcess;
let url: string;

beforeAll(async () => {
  sandbox = startDueday(['sandbox', '--break', 'expiry'], { SANDBOX_PORT: '0', ...CREDENTIALS });
  url = (await sandbox.says('sandbox payment service on')).url!;
});
afterAll(() => sandbox.stop());

const withSecret = (secret: string, ...args: readonly string[]): Promise<Finished> =>
  runDueday(['conformance', '--base-url', url, '--client-id', 'merchant', ...args], {
    PAYMENT_SERVICE_CLIENT_SECRET: secret,
  });
const conformance = (...args: readonly string[]) => withSecret(CREDENTIALS.SANDBOX_CLIENT_SECRET, ...args);

it('the conformance command tries every row, and exits with 1 if a row differs because the service breaks a rule', async () => {
  const { code, stdout, stderr } = await conformance('--json');
  expect(code).toBe(1);
  const { payer, items } = JSON.parse(stdout) as { payer: string; items: { id: string; verdict: string }[] };
  expect(payer).toBe("the simulator's own control routes");
  expect(items.filter(({ verdict }) => verdict !== 'holds')).toEqual([
    expect.objectContaining({
      id: 'states/expired',
      verdict: 'differs',
      section: 'States and transitions',
      why: 'the status of the authorization should be "expired"; it was "successful"',
    }),
  ]);
  expect(stdout + stderr).not.toContain(CREDENTIALS.SANDBOX_CLIENT_SECRET);
});

it('the conformance command exits with 0 if nothing differs, and prints each row with its text', async () => {
  const { code, stdout } = await conformance('--only', 'flags');
  expect(code).toBe(0);
  expect(stdout).toContain('holds            flags/false-true\n');
  expect(stdout).toContain(
    '"false | true | One capture only; partialCapture must also be true for multiple captures."',
  );
  expect(stdout).toContain('conformance: 4 rows: 4 hold, 0 differ, 0 cannot be tried\n');
});

it.each([
  ['an unknown row', ['--only', 'flag'], '--only: no row is called flag'],
  ['a secret on its command line', ['--client-secret', 'wrong'], "unknown option '--client-secret'"],
  ['another client id without a secret file', ['--other-client-id', 'a'], 'expected both or neither'],
  [
    'a file that is not there',
    ['--other-client-id', 'a', '--other-client-secret-file', '/nowhere'],
    '--other-client-secret-file: expected a file with a secret; got one that cannot be read (ENOENT)',
  ],
  ['an unreachable service', ['--base-url', 'http://127.0.0.1:1'], 'no answer came: ECONNREFUSED'],
  ['no address', ['--base-url', ''], '--base-url: required'],
  ['an invalid clock', ['--clock', 'x4'], '--clock: expected <virtual ISO>@<real ISO>x<speed>'],
])('the conformance command exits with 2 for %s', async (_what, args, words) => {
  const { code, stdout, stderr } = await conformance(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(words);
});

it('the conformance command exits with 2 for a wrong or missing secret', async () => {
  const wrong = await withSecret('wrong');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('no access token: the answer was 401')]);
  const none = await withSecret('');
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('PAYMENT_SERVICE_CLIENT_SECRET: required')]);
});

it('the conformance command refuses to run in production, and the sandbox command refuses unknown rules and contradictions', async () => {
  // The secret is strong enough for production, so that the command is refused only because of production.
  const secret = randomBytes(24).toString('base64url');
  const production = { PAYMENT_SERVICE_ENVIRONMENT: 'production', PAYMENT_SERVICE_CLIENT_SECRET: secret };
  const refused = await runDueday(['conformance', '--base-url', url, '--client-id', 'a'], production);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('for sandboxes only')]);
  const unknown = await runDueday(['sandbox', '--break', 'everything'], { SANDBOX_PORT: '0' });
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('unknown rule everything')]);
  const untold = await runDueday(['sandbox', '--contradict', 'everything'], { SANDBOX_PORT: '0' });
  expect([untold.code, untold.stderr]).toEqual([2, expect.stringContaining('no such contradiction as everything')]);
});
