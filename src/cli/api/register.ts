import { Argument, type Command, Option } from 'commander';
import { OPERATIONS } from '../../client/operations';
import { API_COMMANDS, type ApiCommand } from './commands';
import type * as listening from './listen';
import type * as running from './run';
import { flagOf, optionOf, optionsOf, type Typed } from './options';
import type * as triggering from './trigger';

const SUBJECTS: Readonly<Record<string, string>> = {
  subscriptions: 'standing agreements',
  cycles: 'the due dates of a subscription',
  payments: 'one-time payments',
  payers: 'who pays',
  notices: 'what payers are told',
  audit: 'who did what',
  attention: 'what waits for a person',
  reports: 'what became of money',
  jobs: 'long work that was ordered',
  approvals: 'what a second person must approve',
  halt: 'one switch that stops all sending',
  service: 'whether the service runs',
  events: 'what the merchant is told',
  endpoints: 'where events are sent',
  advise: 'what the own history says',
};

/** What a command runs is loaded with the first that runs: listing them all costs no HTTP client. */
type LoadRun = () => Promise<typeof running>;
type LoadListen = () => Promise<typeof listening>;
type LoadTrigger = () => Promise<typeof triggering>;

/** Adds `dueday <subject> <what>` for every operation of the admin API. */
export function registerApiCommands(
  program: Command,
  load: LoadRun,
  loadListen: LoadListen,
  loadTrigger: LoadTrigger,
): void {
  const subjectOf = (name: string): Command => {
    const known = program.commands.find((each) => each.name() === name);
    return known ?? program.command(name).description(SUBJECTS[name] ?? '');
  };
  for (const [words, command] of Object.entries(API_COMMANDS)) {
    const [subject = '', what] = words.split(' ');
    register(what === undefined ? program.command(subject) : subjectOf(subject).command(what), command, load);
  }
  listenToEvents(subjectOf('events'), loadListen);
  triggerEvents(subjectOf('events'), loadTrigger);
}

/** Of commands that a second person may have to approve. */
export const APPROVAL = ['--approval <id>', 'of a second person; see dueday approvals list'] as const;

/** Of commands that print nothing else. */
export const ALWAYS_JSON = ['--json', 'one object a line, as without it'] as const;

const TYPES = ['--types <types>', 'such as cycle.collected or cycle.*, separated by commas'] as const;

function listenToEvents(events: Command, load: LoadListen): void {
  events
    .command('tail')
    .description('prints each event as it happens, one object a line, until Ctrl-C')
    .option(...TYPES)
    .option(...ALWAYS_JSON)
    .action(async (asked: listening.TailArguments) => (await load()).tailEvents(asked));
  events
    .command('listen')
    .description('posts each event as it happens to a program on this machine, signed, until Ctrl-C')
    .requiredOption('--forward-to <url>', 'where the program takes events')
    .option(...TYPES)
    .option('--json', 'one object a line')
    .action(async (asked: listening.ListenArguments) => (await load()).forwardEvents(asked));
}

function triggerEvents(events: Command, load: LoadTrigger): void {
  const types = OPERATIONS.testWebhookEndpoint.body.find(({ name }) => name === 'type')?.values ?? [];
  events
    .command('trigger')
    .description('sends every enabled endpoint a sample of a type, with `test: true`; no list shows it')
    .addArgument(new Argument('<type>').choices(types))
    .option('--endpoint <id>', 'this one alone')
    .option('--json', 'JSON on a terminal, too; one object a line')
    .action(async (type: string, asked: triggering.TriggerArguments) => (await load()).triggerEvent(type, asked));
}

function register(command: Command, wanted: ApiCommand, load: LoadRun): void {
  const operation = OPERATIONS[wanted.operation];
  command.description(operation.summary);
  for (const { name } of operation.path) command.argument(`<${name}>`);
  for (const field of optionsOf(operation)) command.addOption(optionOf(field));
  for (const name of Object.keys(wanted.preset ?? {})) {
    command.addOption(new Option(flagOf(name).replace('--', '--no-'), `${flagOf(name)} is preset`));
  }
  if (operation.isList) command.option('--limit <number>', 'so many at most', '50');
  if (operation.body.length > 0)
    command.option('--body <json>', 'the whole body as JSON, or @file, or @- for standard input');
  if (operation.method === 'post')
    command.option('--idempotency-key <text>', 'repeats the first answer to the same key');
  if (operation.isApprovable) command.option(...APPROVAL);
  if (wanted.asks !== undefined || wanted.payerDecides === true) command.option('--yes', 'does it without asking');
  if (wanted.hasCsv === true) command.option('--csv', 'all of it as CSV');
  if (operation.method === 'get')
    command.addOption(new Option('--watch', 'shows it again whenever it changes, until Ctrl-C').conflicts('csv'));
  command.addOption(new Option('--json', 'JSON on a terminal, too; one object a line in lists'));
  command.action(async (...given: unknown[]) => {
    const typed = given.at(-2) as Typed;
    const path = Object.fromEntries(operation.path.map(({ name }, index) => [name, String(given[index])]));
    const { runApiCommand } = await load();
    await runApiCommand(operation, wanted, path, typed);
  });
}
