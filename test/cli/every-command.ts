import type { Command } from 'commander';
import { API_COMMANDS } from '../../src/cli/api/commands';
import { buildProgram } from '../../src/cli/program';

/** All commands that do something: those of the API first, in the order of docs/reference/commands.md. */
export function everyCommand(): readonly string[] {
  const program = buildProgram('0.0.0');
  // The shell completion is an ES module, which only src/cli/index.ts loads.
  program.command('completion');
  const ofApi = Object.keys(API_COMMANDS);
  return [...ofApi, ...commandsBelow(program).filter((command) => !ofApi.includes(command))];
}

function commandsBelow(command: Command, above: readonly string[] = []): readonly string[] {
  if (command.commands.length === 0) return [above.join(' ')];
  return command.commands.flatMap((each) => commandsBelow(each, [...above, each.name()]));
}
