import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config';
import { CommandError } from './command-error';
import { runConfigCheck } from './config-check';
import { runDaemon } from './daemon';
import { createKey, listKeys, revokeKey } from './keys';
import { runDemo } from './demo/run-demo';
import { runMigrate } from './migrate';
import { runSandbox } from './sandbox';
import { runStart } from './start';

/** Exit code for bad input: configuration or command line. */
const BAD_INPUT = 2;

function buildProgram(): Command {
  const program = new Command('dueday').description('Collects subscriptions from standing bank-payment consents.');
  program.exitOverride().configureOutput({ outputError: (text, write) => write(text) });
  program.command('start').description('everything embedded, with sample subscriptions').action(runStart);
  program.command('demo').description('plays whole lives, then compares ledger and service').action(runDemo);
  program
    .command('daemon')
    .description('the worker and the admin API')
    .action(() => runDaemon('daemon'));
  program
    .command('worker')
    .description('the worker alone')
    .action(() => runDaemon('worker'));
  program
    .command('api')
    .description('the admin API alone')
    .action(() => runDaemon('api'));
  program.command('sandbox').description('the payment service simulator').action(runSandbox);
  program.command('migrate').description("brings the ledger's schema up to date").action(runMigrate);
  const config = program.command('config').description('the configuration');
  config.command('check').description('prints what is in force, secrets masked').action(runConfigCheck);
  addKeys(program);
  return program;
}

function addKeys(program: Command): void {
  const keys = program.command('keys').description('admin API keys');
  keys
    .command('create')
    .description('creates a key and shows it once')
    .requiredOption('--name <name>', 'who uses it')
    .requiredOption('--role <role>', 'viewer, operator or admin')
    .action(createKey);
  keys.command('list').description('lists keys, never their secrets').option('--json', 'as JSON').action(listKeys);
  keys.command('revoke').description('revokes a key').argument('<keyId>').action(revokeKey);
}

/** Runs one command; every expected fault is one clear message and an exit code. */
async function main(argv: readonly string[]): Promise<void> {
  try {
    await buildProgram().parseAsync([...argv]);
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_INPUT;
  if (error instanceof ConfigError) {
    process.stderr.write(`The configuration is not valid:\n${error.message}\n`);
    return BAD_INPUT;
  }
  const message = error instanceof CommandError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`dueday: ${message ?? 'failed'}\n`);
  return 1;
}

void main(process.argv);
