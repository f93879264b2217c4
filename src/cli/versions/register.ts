import type { Command } from 'commander';
import type { ReplayArguments } from './replay';
import type { PromoteArguments, RollbackArguments } from './versions';

const NEWEST = ['--newest <count>', 'so many histories of each kind; 100'] as const;

/** The commands about the releases that run a cluster's workflows; their modules are loaded when they are called. */
export function registerVersionCommands(program: Command): void {
  program
    .command('replay')
    .description('what is recorded in Temporal')
    .command('verify')
    .description(
      'replays the newest histories under way of each kind in this release; exit 1 if one cannot be replayed',
    )
    .option(...NEWEST)
    .action(async (asked: ReplayArguments) => (await import('./replay.js')).verifyReplay(asked));
  program
    .command('upgrade')
    .description('from one release to the next')
    .command('check')
    .description('what this release needs of ledger and Temporal before it runs; exit 1 where something is left to do')
    .option('--json', 'one object a line')
    .action(async (shown: { json?: boolean }) => (await import('./upgrade.js')).checkUpgrade(shown));
  const group = program.command('versions').description('the releases whose workers Temporal knows');
  group
    .command('list')
    .description('which release is current, and which have workers and work left')
    .option('--json', 'one object a line')
    .action(async (shown: { json?: boolean }) => (await import('./versions.js')).listVersions(shown));
  group
    .command('promote')
    .description('makes this release current, once it has replayed the newest histories under way of each kind')
    .option(...NEWEST)
    .option('--without-verify', 'replays none')
    .action(async (asked: PromoteArguments) => (await import('./versions.js')).promoteVersion(asked));
  group
    .command('rollback')
    .description('makes the release current again that was so before')
    .option('--to <release>', 'another one that is listed')
    .action(async (asked: RollbackArguments) => (await import('./versions.js')).rollBackVersion(asked));
}
