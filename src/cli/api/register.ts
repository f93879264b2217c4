import { Argument, type Command, Option } from 'commander';
import { OPERATIONS } from '../../client/operations';
import { API_COMMANDS, type ApiCommand } from './commands';
import type * as listening from './listen';
import type * as running from './run';
import { flagOf, optionOf, optionsOf, type Typed } from './options';
import type * as triggering from './trigger';

const SUBJECTS: Readonly<Record<string, string>> = {
  subscriptions: 'recurring agreements',
  cycles: 'the due dates of a subscription',
  payments: 'one-time payments',
  captures: 'captures of one-time payments',
  refunds: 'refunds of cycles and of one-time payments',
  payers: 'the people who pay',
  notices: 'messages to payers and to the merchant',
  audit: 'who did what',
  attention: 'items that need an operator',
  reports: 'what was and what will be collected',
  jobs: 'long-running work',
  approvals: 'requests that need a second person',
  holds: 'periods without attempts, for the subscriptions that a filter matches; nothing is skipped',
  halt: 'the switch that stops all sending',
  service: 'health of this installation',
  events: "messages to the merchant's systems",
  endpoints: 'where events are sent',
  advise: 'advice drawn from the history in this ledger',
};

/** The code of a command is loaded when it runs: listing all commands loads no HTTP client. */
type LoadRun = () => Promise<typeof running>;
type LoadListen = () => Promise<typeof listening>;
type LoadTrigger = () => Promise<typeof triggering>;

/** Adds `dueday <subject> <what>` for each of the {@link API_COMMANDS}, and the commands that listen to events or trigger them. */
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

/** For commands that may need a second person's approval. */
export const APPROVAL = ['--approval <id>', 'an approval by a second person; see dueday approvals list'] as const;

/** For commands that always print JSON. */
const ALWAYS_JSON = ['--json', 'accepted, but always on: one JSON object per line'] as const;

const TYPES = ['--types <types>', 'such as cycle.collected or cycle.*, separated by commas'] as const;

function listenToEvents(events: Command, load: LoadListen): void {
  events
    .command('tail')
    .description('prints each event as it happens, one JSON object per line, until Ctrl-C')
    .option(...TYPES)
    .option(...ALWAYS_JSON)
    .action(async (asked: listening.TailArguments) => (await load()).tailEvents(asked));
  events
    .command('listen')
    .description('posts each event as it happens to a program on this machine, signed, until Ctrl-C')
    .requiredOption('--forward-to <url>', 'the URL at which the program receives events')
    .option(...TYPES)
    .option('--json', 'one JSON object per line')
    .action(async (asked: listening.ListenArguments) => (await load()).forwardEvents(asked));
}

function triggerEvents(events: Command, load: LoadTrigger): void {
  const types = OPERATIONS.testWebhookEndpoint.body.find(({ name }) => name === 'type')?.values ?? [];
  events
    .command('trigger')
    .description('sends every enabled endpoint a sample event with `test: true`, which no list of events shows')
    .addArgument(new Argument('<type>').choices(types))
    .option('--endpoint <id>', 'only this endpoint')
    .option('--json', 'prints JSON on a terminal, too: one object per line')
    .action(async (type: string, asked: triggering.TriggerArguments) => (await load()).triggerEvent(type, asked));
}

/** What an id in a path belongs to, by the part before it: `events replay` takes an endpoint. */
const ARGUMENTS: Readonly<Partial<Record<string, string>>> = {
  subscriptions: 'subscription',
  cycles: 'cycle',
  payments: 'payment',
  notices: 'notice',
  audit: 'entry',
  holds: 'hold',
  events: 'event',
  'webhook-endpoints': 'endpoint',
  jobs: 'job',
  approvals: 'approval',
};

function argumentOf(url: string, name: string): string {
  const segments = url.split('/');
  return ARGUMENTS[segments[segments.indexOf(`{${name}}`) - 1] ?? ''] ?? name;
}

function register(command: Command, wanted: ApiCommand, load: LoadRun): void {
  const operation = OPERATIONS[wanted.operation];
  command.description(operation.summary);
  for (const { name } of operation.path) command.argument(`<${argumentOf(operation.url, name)}>`);
  for (const field of optionsOf(operation)) command.addOption(optionOf(field));
  for (const name of Object.keys(wanted.preset ?? {})) {
    command.addOption(
      new Option(flagOf(name).replace('--', '--no-'), `turns off ${flagOf(name)}, which is on by default`),
    );
  }
  if (operation.isList) {
    const isPaged = operation.query.some(({ name }) => name === 'limit');
    command.option('--limit <number>', 'maximum number of items', isPaged ? '50' : undefined);
  }
  if (operation.body.length > 0)
    command.option('--body <json>', 'the whole body as JSON, @file, or @- for standard input');
  if (operation.method === 'post')
    command.option('--idempotency-key <text>', 'a repeated call with the same key returns the first answer');
  if (operation.isApprovable) command.option(...APPROVAL);
  if (wanted.asks !== undefined || wanted.payerDecides === true) command.option('--yes', 'skips the confirmation');
  if (wanted.hasCsv === true) command.option('--csv', 'the whole list as CSV');
  if (operation.method === 'get' && wanted.isStream !== true)
    command.addOption(
      new Option('--watch', 'prints the answer again whenever it changes, until Ctrl-C').conflicts('csv'),
    );
  command.addOption(new Option('--json', 'prints JSON on a terminal, too; lists print one object per line'));
  command.action(async (...given: unknown[]) => {
    const typed = given.at(-2) as Typed;
    const path = Object.fromEntries(operation.path.map(({ name }, index) => [name, String(given[index])]));
    const { runApiCommand } = await load();
    await runApiCommand(operation, wanted, path, typed);
  });
}
