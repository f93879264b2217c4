import type { Command } from 'commander';
import type { ReplayArguments } from './replay';
import type { PromoteArguments, RollbackArguments } from './versions';

const NEWEST = ['--newest <count>', 'how many histories of each kind; default: 100'] as const;

/** The commands about the releases that run a cluster's workflows; their modules are loaded when they run. */
export function registerVersionCommands(program: Command): void {
  program
    .command('replay')
    .description('replays histories from Temporal')
    .command('verify')
    .description('replays the newest running workflows of each kind in this release; exit 1 if one cannot be replayed')
    .option(...NEWEST)
    .action(async (asked: ReplayArguments) => (await import('./replay.js')).verifyReplay(asked));
  program
    .command('upgrade')
    .description('prepares an upgrade to this release')
    .command('check')
    .description(
      'checks what this release needs from ledger and Temporal before it runs; exit 1 if something is left to do',
    )
    .option('--json', 'one JSON object per line')
    .action(async (shown: { json?: boolean }) => (await import('./upgrade.js')).checkUpgrade(shown));
  const group = program.command('versions').description('the releases that Temporal has workers of');
  group
    .command('list')
    .description('shows which release is current, and which have workers and unfinished work')
    .option('--json', 'one JSON object per line')
    .action(async (shown: { json?: boolean }) => (await import('./versions.js')).listVersions(shown));
  group
    .command('promote')
    .description('makes this release current, after replaying the newest running workflows of each kind')
    .option(...NEWEST)
    .option('--without-verify', 'promotes without replaying')
    .action(async (asked: PromoteArguments) => (await import('./versions.js')).promoteVersion(asked));
  group
    .command('rollback')
    .description('makes the previous release current again')
    .option('--to <release>', 'another listed release')
    .action(async (asked: RollbackArguments) => (await import('./versions.js')).rollBackVersion(asked));
}
