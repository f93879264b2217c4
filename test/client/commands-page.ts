import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/program';
import { everyCommand } from '../cli/every-command';

const HEAD = `# Commands

Every operation of the [admin API](admin-api.md) has a command. \`DUEDAY_URL\` says where the API is and \`DUEDAY_KEY\` opens it, see [configuration.md](configuration.md). Answers are tables on a terminal and JSON elsewhere, or with \`--json\`; lists are one object a line. What moves or stops money is asked about first, unless \`--yes\`.

| exit code | meaning |
| --------- | ------- |
| 0 | done |
| 1 | the API refused it, and says why |
| 2 | what was typed is not valid, or was not confirmed |
| 3 | the API cannot be reached, or failed |

What each prints is in [transcripts.md](transcripts.md). This page is written by \`npm run client\`.
`;

/** docs/reference/commands.md: the help of each command, as it is printed. */
export function commandsPage(): string {
  const program = buildProgram('0.0.0');
  // The script that completes words in a shell is no command of this program's own.
  const own = everyCommand().filter((words) => words !== 'completion');
  const sections = own.map((words) => `## ${words}\n\n\`\`\`text\n${helpOf(program, words)}\n\`\`\`\n`);
  return [HEAD, ...sections].join('\n');
}

function helpOf(program: Command, words: string): string {
  const command = words
    .split(' ')
    .reduce((above, word) => above.commands.find((each) => each.name() === word) ?? above, program);
  return command.configureHelp({ helpWidth: 100 }).helpInformation().trim();
}
