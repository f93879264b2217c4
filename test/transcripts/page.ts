import type { Transcript } from './terminal';

const HEAD = `# Every command, typed once

What each command prints on a terminal, in one morning of a shop: \`coffee\` pays, \`gym\` has no funds, \`paper\` is cancelled, and of \`twice\` another program has collected. Options and exit codes are in [commands.md](commands.md), programs and variables in [configuration.md](configuration.md).

This page is written by \`npm run transcripts\`: the commands run against a real stack on a test clock, and random ids, ports and moments are written as the same each time.
`;

/** docs/reference/transcripts.md, with a section for each command, in the sequence of the commands. */
export function transcriptsPage(commands: readonly string[], transcripts: readonly Transcript[]): string {
  const sections = commands.map((command) => {
    const own = transcripts.filter((each) => each.command === command).map(({ text }) => text);
    return `## ${command}\n\n\`\`\`console\n${own.join('\n\n')}\n\`\`\`\n`;
  });
  return [HEAD, ...sections].join('\n');
}

/** Reads the transcripts of a page. */
export function transcriptsOn(page: string): readonly Transcript[] {
  const sections = [...page.matchAll(/^## ([^\n]+)\n\n```console\n(.*?)^```$/gms)];
  return sections.map(([, command = '', text = '']) => ({ command, text }));
}
