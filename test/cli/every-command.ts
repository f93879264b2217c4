import type { Command } from 'commander';
import { API_COMMANDS } from '../../src/cli/api/commands';
import { buildProgram } from '../../src/cli/program';

/** Of all that is typed after `dueday`, whatever does something: those of the API first, as docs/commands.md has them. */
export function everyCommand(): readonly string[] {
  const program = buildProgram('0.0.0');
  // What completes words in a shell is an ES module, which src/cli/index.ts alone loads.
  program.command('completion');
  const ofApi = Object.keys(API_COMMANDS);
  return [...ofApi, ...commandsBelow(program).filter((command) => !ofApi.includes(command))];
}

function commandsBelow(command: Command, above: readonly string[] = []): readonly string[] {
  if (command.commands.length === 0) return [above.join(' ')];
  return command.commands.flatMap((each) => commandsBelow(each, [...above, each.name()]));
}
