import { pathToFileURL } from 'node:url';
import { severalTimes, type Typed } from './api/options';
import type { ImportArguments } from './api/import';
import { APPROVAL, registerApiCommands } from './api/register';
import type { StackCommand } from '../process/local-stack';
import { Command } from 'commander';
import { REPETITIONS } from '../domain/subscription/schedule';
import { BadInputError } from '../process/command-error';
import type { VerifyArguments } from './audit';
import { addConformance } from './conformance/register';
import type { AcceptLedgerArguments, AcceptTemporalArguments } from './installation/accept';
import type { PreviewArguments } from './notices';
import type { ReconcileArguments } from './reconcile';
import type { SandboxArguments } from './sandbox';
import type { StartCommand } from './start';
import type { SimulateArguments } from './simulate-options';
import { registerVersionCommands } from './versions/register';

/**
 * Loads a command that needs the payment service's simulator, which the production image (see `deploy/image.cjs`) omits.
 * @throws BadInputError if its module is missing
 */
async function local<M>(command: string, loading: () => Promise<M>): Promise<M> {
  try {
    return await loading();
  } catch (error) {
    if (!isMissingBesideThis(error)) throw error;
    throw new BadInputError([`${command} is not part of this image, which has no simulator: use a checkout of dueday`]);
  }
}

/** Whether a module of this program is missing. The error of a missing package, which would be a bug, has no such URL. */
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
  'use a database, Temporal or payment service on another machine if the environment names one',
] as const;

/**
 * Each command's module is loaded when the command runs: Temporal's library alone takes a second, which help and `keys list`
 * should not wait for. Node's import() needs the file extension.
 */
export function buildProgram(version: string): Command {
  const program = new Command('dueday')
    .description('Collects subscriptions from standing bank-payment consents.')
    .version(version);
  program.exitOverride().configureOutput({ outputError: (text, write) => write(text) });
  program
    .command('start')
    .description('runs everything embedded, with sample subscriptions')
    .option('--speed <number>', 'virtual seconds per real second, 1 to 14400; default: 3600')
    .option(...USE_EXTERNAL)
    .action(async (options: StartCommand) => (await local('start', () => import('./start.js'))).runStart(options));
  program
    .command('demo')
    .description('plays whole subscription lives, then compares ledger and service')
    .option(...USE_EXTERNAL)
    .action(async (options: StackCommand) =>
      (await local('demo', () => import('./demo/run-demo.js'))).runDemo(options),
    );
  program
    .command('daemon')
    .description('runs the worker and the admin API')
    .action(async () => (await import('./daemon.js')).runDaemon('daemon'));
  program
    .command('worker')
    .description('runs only the worker')
    .action(async () => (await import('./daemon.js')).runDaemon('worker'));
  program
    .command('api')
    .description('runs only the admin API')
    .action(async () => (await import('./daemon.js')).runDaemon('api'));
  program
    .command('sandbox')
    .description('runs the payment service simulator')
    .option('--allow <address>', 'an address or subnet that may call; repeatable; default: every address', severalTimes)
    .option('--break <rule>', 'a rule that the simulator breaks on purpose, to test checks; repeatable', severalTimes)
    .option(
      '--contradict <kind>',
      "a way in which the simulator's answers contradict each other: kind or kind:field=value,…; repeatable",
      severalTimes,
    )
    .action(async (asked: SandboxArguments) =>
      (await local('sandbox', () => import('./sandbox.js'))).runSandbox(asked),
    );
  program
    .command('codec-server')
    .description("decrypts payloads for Temporal's Web UI and command line, for callers with its key")
    .action(async () => (await import('./daemon.js')).runCodecServer());
  program
    .command('migrate')
    .description("brings the ledger's schema up to date")
    .action(async () => (await import('./config.js')).runMigrate());
  addSimulate(program);
  program
    .command('reconcile')
    .description('compares the ledger with the payment service; exit 1 on any difference')
    .option('--from <time>', 'only records from this time on; default: all')
    .option('--to <time>', 'only records before this time; default: all')
    .option('--restored', 'the ledger was restored: nothing is sent until there are no differences')
    .option(
      '--nothing-lost <reason>',
      'the database was failed over or moved without data loss: resumes sending without a comparison',
    )
    .option('--json', 'prints JSON')
    .action(async (asked: ReconcileArguments) => (await import('./reconcile.js')).runReconcile(asked));
  addConformance(program);
  const config = program.command('config').description('checks the configuration');
  config
    .command('check')
    .description('prints the values in force, with secrets masked')
    .action(async () => (await import('./config.js')).runConfigCheck());
  program
    .command('doctor')
    .description('checks everything that a daemon depends on, and says what to do')
    .option('--json', 'one JSON object per line')
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

function addSimulate(program: Command): void {
  program
    .command('simulate')
    .description('simulates years of a subscription in seconds, and shows every cycle')
    .option(
      '--repetition <repetition>',
      `${REPETITIONS.slice(0, -1).join(', ')} or ${REPETITIONS.at(-1) ?? ''}; required`,
    )
    .option('--first <time>', 'when the first payment is due; required')
    .option(
      '--amount <euros>',
      'the consent amount, such as 19.99; required without --amount-cents. 5:24.99 collects 24.99 from cycle 5 on; repeatable',
      severalTimes,
    )
    .option('--amount-cents <cents>', 'the consent amount in cents, instead of --amount')
    .option('--years <years>', 'how long to simulate from the first payment; required without --end')
    .option('--start <time>', 'when the consent is requested; default: a day before the first payment')
    .option('--end <time>', 'when the agreement ends')
    .option('--on-exhausted <what>', 'continue, pause or cancel; default: continue')
    .option(
      '--fail <cycle:code>',
      'attempts that fail: 3:insufficient_funds is the first attempt of cycle 3, 3x2:… its first two, 3xalways:… all of them, and always:… all of every cycle; repeatable',
      severalTimes,
    )
    .option(
      '--pause <from..to>',
      'a pause, such as 2027-02-01..2027-03-15, or 2027-02-01.. without an end; repeatable',
      severalTimes,
    )
    .option('--skip <cycle>', 'a cycle to skip, 0 for the first; repeatable', severalTimes)
    .option(
      '--postpone <cycle:instant>',
      'a cycle, and when its first attempt is made instead of at the due date; repeatable',
      severalTimes,
    )
    .option(
      '--hold <from..to>',
      'a hold, which skips nothing, such as 2027-02-27..2027-03-02; repeatable',
      severalTimes,
    )
    .option('--cancel <time>', 'when the merchant cancels')
    .option('--payer-cancels <time>', 'when the payer cancels at the bank')
    .option('--json', 'prints one JSON document')
    .option('--svg <file>', 'writes the timeline to a file')
    .action(async (given: SimulateArguments) =>
      (await local('simulate', () => import('./simulate.js'))).runSimulate(given),
    );
}

function addImport(program: Command): void {
  program
    .command('import')
    .description(
      'imports mandates granted elsewhere: a file with one JSON object per line, or CSV if its name ends in .csv; - for standard input',
    )
    .argument('<file>')
    .option('--dry-run', 'checks every line and imports nothing; prints each fault once, with the number of its lines')
    .option(...APPROVAL)
    .option('--yes', 'skips the confirmation')
    .option('--json', 'prints the faults of a dry run as JSON on a terminal, too; answers to lines are always JSON')
    .action(async (file: string, options: ImportArguments) =>
      (await import('./api/import.js')).runImport(file, options),
    );
}

function addNotices(program: Command): void {
  program
    .command('notices')
    .description('messages to payers and to the merchant')
    .command('preview')
    .description('prints subject, text and HTML of an e-mail to a payer')
    .argument('<type>', 'such as payment.failed')
    .option('--language <language>', 'en, de, fr or nl; default: en')
    .action(async (type: string, asked: PreviewArguments) => (await import('./notices.js')).previewNotice(type, asked));
}

function addAudit(program: Command): void {
  program
    .command('audit')
    .description('who did what')
    .command('verify')
    .description(
      'verifies the audit log against its hash chain, directly in the ledger; exit 1 if anything was changed',
    )
    .option('--head <hash>', 'the hash of an audit.head event, which the chain must contain')
    .option('--json', 'one JSON object per line')
    .action(async (asked: VerifyArguments) => (await import('./audit.js')).verifyAudit(asked));
}

function addInstallation(program: Command): void {
  program
    .command('ledger')
    .description('the identity of this ledger')
    .command('accept')
    .description('declares this ledger a copy: deletes its endpoints, and refuses the credentials of the original')
    .option('--copy', 'this ledger is a copy, not a restored original, which dueday reconcile accepts; required')
    .option('--reason <text>', 'why, for the audit log; required')
    .action(async (asked: AcceptLedgerArguments) => (await import('./installation/accept.js')).acceptLedger(asked));
  program
    .command('temporal')
    .description("the Temporal namespace of this ledger's workflows")
    .command('accept')
    .description('accepts the configured namespace instead of the one that the ledger knows')
    .option('--reason <text>', 'why, for the audit log; required')
    .action(async (asked: AcceptTemporalArguments) => (await import('./installation/accept.js')).acceptTemporal(asked));
}

function addKeys(program: Command): void {
  const keys = program.command('keys').description('admin API keys');
  keys
    .command('create')
    .description('creates a key and shows it once')
    .option('--name <name>', 'the name of the key, which the audit log shows as the actor; required')
    .option('--role <role>', 'viewer, operator or admin; required')
    .option('--holder <person>', 'the person responsible for the key, who cannot approve their own requests')
    .option('--scopes <scopes>', 'a subset of what the role may do, separated by commas; default: all')
    .option('--expires-at <time>', 'when the key expires, in real time, such as 2027-12-31T00:00:00Z')
    .option('--refund-per-day <euros>', 'the most that the key may refund in 24 hours')
    .option('--change-per-call <euros>', 'the most by which one call with the key may change the amounts collected')
    .action(async (asked: Typed) => (await import('./keys.js')).createKey(asked));
  keys
    .command('list')
    .description('lists keys, never their secrets')
    .option('--json', 'one JSON object per line')
    .action(async (shown: { json?: boolean }) => (await import('./keys.js')).listKeys(shown));
  keys
    .command('rotate')
    .description('replaces a key by a new one, shown once; the old key ends after the overlap')
    .argument('<keyId>')
    .option('--overlap-hours <hours>', 'how long the old key remains valid; default: 24')
    .action(async (keyId: string, asked: Typed) => (await import('./keys.js')).rotateKey(keyId, asked));
  keys
    .command('revoke')
    .description('revokes a key')
    .argument('<keyId>')
    .action(async (keyId: string) => (await import('./keys.js')).revokeKey(keyId));
}
