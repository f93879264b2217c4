/**
 * `npm run client`: writes the generated files of src/client, with the types, operations, roles and values of the API,
 * and docs/reference/commands.md, from the admin API's own description.
 */
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { formatted } from '../support/formatted';
import type * as CommandsPage from './commands-page';
import { describeAdminApi } from './description';
import { clientSources } from './sources';

const ROOT = join(__dirname, '../..');

async function main(): Promise<void> {
  const sources = await clientSources(await describeAdminApi());
  for (const [file, text] of Object.entries(sources)) await writeFile(join(ROOT, 'src/client', file), text);
  // Loaded only now, because the page is generated from the files that were just written.
  const { commandsPage } = createRequire(__filename)('./commands-page') as typeof CommandsPage;
  await writeFile(join(ROOT, 'docs/reference/commands.md'), await formatted('commands.md', commandsPage()));
}

void main();
