import { pathToFileURL } from 'node:url';
import type { Typed } from './api/options';
import type { ImportArguments } from './api/import';
import { ALWAYS_JSON, APPROVAL, registerApiCommands } from './api/register';
import type { StackCommand } from '../process/local-stack';
import { Command } from 'commander';
import { REPETITIONS } from '../domain/subscription/schedule';
import { BadInputError } from '../process/command-error';
import type { VerifyArguments } from './audit';
import type { ConformanceArguments } from './conformance/options';
import type { AcceptLedgerArguments, AcceptTemporalArguments } from './installation/accept';
import type { PreviewArguments } from './notices';
import type { ReconcileArguments } from './reconcile';
import type { SandboxArguments } from './sandbox';
import type { SimulateArguments } from './simulate-options';
import { registerVersionCommands } from './versions/register';

/**
 * Loads a command that plays the payment service: the production image, which `deploy/image.cjs` writes, has none of them.
 * @throws BadInputError where its module is not there
 */
async function local<M>(command: string, loading: () => Promise<M>): Promise<M> {
  try {
    return await loading();
  } catch (error) {
    if (!isMissingBesideThis(error)) throw error;
    throw new BadInputError([`${command} is not part of this image, which has no simulator: use a checkout of dueday`]);
  }
}

/** A package that is missing is a mistake of ours, and has no such URL. */
function isMissingBesideThis(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    'url' in error &&
    String(error.url).startsWith(pathToFileURL(__dirname).href)
  );
}

const USE_EXTERNAL = [
  '--yes-use-external',
  'work on a database, Temporal or payment service of another machine, where the environment names one',
] as const;

/**
 * Each command's module is loaded when it is called: Temporal's library alone takes a second, which help and `keys list`
 * need not wait for. Node's own import() wants the extension.
 */
export function buildProgram(version: string): Command {
  const program = new Command('dueday')
    .description('Collects subscriptions from standing bank-payment consents.')
    .version(version);
  program.exitOverride().configureOutput({ outputError: (text, write) => write(text) });
  program
    .command('start')
    .description('everything embedded, with sample subscriptions')
    .option(...USE_EXTERNAL)
    .action(async (options: StackCommand) => (await local('start', () => import('./start.js'))).runStart(options));
  program
    .command('demo')
    .description('plays whole lives, then compares ledger and service')
    .option(...USE_EXTERNAL)
    .action(async (options: StackCommand) =>
      (await local('demo', () => import('./demo/run-demo.js'))).runDemo(options),
    );
  program
    .command('daemon')
    .description('the worker and the admin API')
    .action(async () => (await import('./daemon.js')).runDaemon('daemon'));
  program
    .command('worker')
    .description('the worker alone')
    .action(async () => (await import('./daemon.js')).runDaemon('worker'));
  program
    .command('api')
    .description('the admin API alone')
    .action(async () => (await import('./daemon.js')).runDaemon('api'));
  program
    .command('sandbox')
    .description('the payment service simulator')
    .option(
      '--allow <address>',
      'an address or subnet that may call; repeatable; without it every address may call',
      severalTimes,
    )
    .option('--break <rule>', 'a rule that it shall not hold, to try out checks; repeatable', severalTimes)
    .option(
      '--contradict <kind>',
      'a way in which its answers contradict each other, kind or kind:field=value,…; repeatable',
      severalTimes,
    )
    .action(async (asked: SandboxArguments) =>
      (await local('sandbox', () => import('./sandbox.js'))).runSandbox(asked),
    );
  program
    .command('codec-server')
    .description("opens encrypted payloads for Temporal's Web UI and command line, for who has its key")
    .action(async () => (await import('./daemon.js')).runCodecServer());
  program
    .command('migrate')
    .description("brings the ledger's schema up to date")
    .action(async () => (await import('./config.js')).runMigrate());
  addSimulate(program);
  program
    .command('reconcile')
    .description('the ledger against the payment service; exit 1 on any difference')
    .option('--from <time>', 'records from then on; from the beginning')
    .option('--to <time>', 'records before then; to the end')
    .option('--restored', 'the ledger was restored: nothing is sent until nothing differs')
    .option('--nothing-lost <reason>', 'the database was failed over or moved with all it had: sent on, uncompared')
    .option('--json', 'as JSON')
    .action(async (asked: ReconcileArguments) => (await import('./reconcile.js')).runReconcile(asked));
  addConformance(program);
  const config = program.command('config').description('the configuration');
  config
    .command('check')
    .description('prints what is in force, secrets masked')
    .action(async () => (await import('./config.js')).runConfigCheck());
  program
    .command('doctor')
    .description('asks everything that a daemon stands on, and says what to do')
    .option('--json', 'one object a line')
    .action(async (asked: { json?: boolean }) => (await import('./doctor.js')).runDoctor(asked));
  addImport(program);
  addKeys(program);
  addNotices(program);
  addAudit(program);
  addInstallation(program);
  registerVersionCommands(program);
  registerApiCommands(
    program,
    () => import('./api/run.js'),
    () => import('./api/listen.js'),
    () => import('./api/trigger.js'),
  );
  return program;
}

/** Collects what an option is given each time. */
function severalTimes(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function addSimulate(program: Command): void {
  program
    .command('simulate')
    .description('lives a subscription through years in seconds, and shows every cycle')
    .option(
      '--repetition <repetition>',
      `${REPETITIONS.slice(0, -1).join(', ')} or ${REPETITIONS.at(-1) ?? ''}; needed`,
    )
    .option('--first <time>', 'when the first payment falls due; needed')
    .option(
      '--amount <euros>',
      'the consent amount, such as 19.99; needed. 5:24.99 changes it from cycle 5 on; repeatable',
      severalTimes,
    )
    .option('--amount-cents <cents>', 'the consent amount in cents, in place of --amount')
    .option('--years <years>', 'how long it is watched from the first payment; needed without --end')
    .option('--start <time>', 'when the consent is asked for; a day before the first payment')
    .option('--end <time>', 'when the agreement ends')
    .option('--on-exhausted <what>', 'continue, pause or cancel; continue')
    .option(
      '--fail <cycle:code>',
      'such as 3:insufficient_funds, 3x2:…, 3xalways:…, always:…; repeatable',
      severalTimes,
    )
    .option(
      '--pause <from..to>',
      'such as 2027-02-01..2027-03-15, or 2027-02-01.. without an end; repeatable',
      severalTimes,
    )
    .option('--skip <cycle>', 'a cycle that is not collected, 0 for the first; repeatable', severalTimes)
    .option('--cancel <time>', 'when the merchant cancels')
    .option('--payer-cancels <time>', 'when the payer cancels at the bank')
    .option('--json', 'as one JSON document')
    .option('--svg <file>', 'draws the timeline into a file')
    .action(async (given: SimulateArguments) =>
      (await local('simulate', () => import('./simulate.js'))).runSimulate(given),
    );
}

function addConformance(program: Command): void {
  program
    .command('conformance')
    .description('every row of the reference against a payment service, never in production; exit 1 where one differs')
    .option('--base-url <url>', 'where the service is; PAYMENT_SERVICE_BASE_URL')
    .option('--token-url <url>', 'where it gives tokens; <base-url>/oauth/token')
    .option(
      '--client-id <id>',
      'of a test merchant; PAYMENT_SERVICE_CLIENT_ID. Its secret is PAYMENT_SERVICE_CLIENT_SECRET alone',
    )
    .option('--only <rows>', 'such as limits or flags/true-false; repeatable', severalTimes)
    .option('--list', 'shows the rows, and plays none')
    .option('--json', 'as JSON')
    .option('--interactive', 'asks you to act as the payer')
    .option('--payer-hook <url>', 'asks a program of yours to act as the payer')
    .option('--patience <seconds>', 'the longest that a row may wait for time to pass; 20')
    .option('--clock <test clock>', 'how the time of the service goes; TEST_CLOCK')
    .option('--merchant-category-code <code>', 'of this merchant; MERCHANT_CATEGORY_CODE')
    .option('--long-capture-permitted', 'this merchant may set timeToCapture above 604800')
    .option('--other-client-id <id>', 'credentials of the other environment')
    .option('--other-client-secret-file <file>', 'that holds their secret')
    .option('--no-control', "leaves the control routes of dueday's own simulator alone")
    .action(async (asked: ConformanceArguments) =>
      (await import('./conformance/conformance.js')).runConformance(asked),
    );
}

function addImport(program: Command): void {
  program
    .command('import')
    .description(
      'takes over mandates granted elsewhere: a file of one JSON object a line, or CSV if its name ends in .csv; - for standard input',
    )
    .argument('<file>')
    .option(...APPROVAL)
    .option('--yes', 'does it without asking')
    .option(...ALWAYS_JSON)
    .action(async (file: string, options: ImportArguments) =>
      (await import('./api/import.js')).runImport(file, options),
    );
}

function addNotices(program: Command): void {
  program
    .command('notices')
    .description('what payers are told')
    .command('preview')
    .description('subject, text and HTML of an e-mail to a payer')
    .argument('<type>', 'such as payment.failed')
    .option('--language <language>', 'en, de, fr or nl; en')
    .action(async (type: string, asked: PreviewArguments) => (await import('./notices.js')).previewNotice(type, asked));
}

function addAudit(program: Command): void {
  program
    .command('audit')
    .description('who did what')
    .command('verify')
    .description('the trail against its hash chain, on the ledger itself; exit 1 where anything was changed')
    .option('--head <hash>', 'of an audit.head event: the chain must have it')
    .option('--json', 'one object a line')
    .action(async (asked: VerifyArguments) => (await import('./audit.js')).verifyAudit(asked));
}

function addInstallation(program: Command): void {
  program
    .command('ledger')
    .description('which ledger this is')
    .command('accept')
    .description('declares a restored or copied ledger a copy: it keeps none of the endpoints and credentials it had')
    .option('--copy', 'it is a copy; the ledger itself is accepted by dueday reconcile; needed')
    .option('--reason <text>', 'why, for the trail; needed')
    .action(async (asked: AcceptLedgerArguments) => (await import('./installation/accept.js')).acceptLedger(asked));
  program
    .command('temporal')
    .description('which Temporal the workflows of this ledger run in')
    .command('accept')
    .description('accepts the configured namespace, in place of the one that the ledger knows')
    .option('--reason <text>', 'why, for the trail; needed')
    .action(async (asked: AcceptTemporalArguments) => (await import('./installation/accept.js')).acceptTemporal(asked));
}

function addKeys(program: Command): void {
  const keys = program.command('keys').description('admin API keys');
  keys
    .command('create')
    .description('creates a key and shows it once')
    .option('--name <name>', 'who uses it; needed')
    .option('--role <role>', 'viewer, operator or admin; needed')
    .option('--holder <person>', 'who has it')
    .option('--scopes <scopes>', 'what of its role it may do, separated by commas; all where left out')
    .option('--expires-at <time>', 'real time, such as 2027-12-31T00:00:00Z')
    .option('--refund-per-day <euros>', 'what it may refund in 24 hours')
    .option('--change-per-call <euros>', 'by how much one call may change an amount')
    .action(async (asked: Typed) => (await import('./keys.js')).createKey(asked));
  keys
    .command('list')
    .description('lists keys, never their secrets')
    .option('--json', 'one object a line')
    .action(async (shown: { json?: boolean }) => (await import('./keys.js')).listKeys(shown));
  keys
    .command('rotate')
    .description('puts a new key in the place of one, which ends after the overlap, and shows it once')
    .argument('<keyId>')
    .option('--overlap-hours <hours>', 'for which the old key is still good; 24 where left out')
    .action(async (keyId: string, asked: Typed) => (await import('./keys.js')).rotateKey(keyId, asked));
  keys
    .command('revoke')
    .description('revokes a key')
    .argument('<keyId>')
    .action(async (keyId: string) => (await import('./keys.js')).revokeKey(keyId));
}
