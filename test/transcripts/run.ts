/** `npm run transcripts`: types every command once against a real stack, and writes docs/reference/transcripts.md. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyCommand } from '../cli/every-command';
import { formatted } from '../support/formatted';
import { transcriptsPage } from './page';
import { showPrograms, showStacks } from './programs';
import { makeStable } from './stable';
import { ANCHORS, openStage } from './stage';
import { playMorning } from './story';
import { Terminal } from './terminal';

const PAGE = join(__dirname, '../../docs/reference/transcripts.md');

async function main(): Promise<void> {
  const commands = everyCommand();
  const stage = await openStage(commands);
  const folder = await mkdtemp(join(tmpdir(), 'dueday-terminal-'));
  const alone = new Terminal(commands, folder, {});
  try {
    await playMorning(stage);
    await showPrograms(stage.terminal);
  } finally {
    await stage.close();
  }
  try {
    await showStacks(alone);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const page = transcriptsPage(commands, [...stage.terminal.transcripts, ...alone.transcripts]);
  await writeFile(PAGE, await formatted('transcripts.md', makeStable(page, ANCHORS)));
}

void main();
