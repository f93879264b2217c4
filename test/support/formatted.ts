import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

const RULES = join(__dirname, '..', '..', '.oxfmtrc.json');

/**
 * The text as the formatter would write it in a file of this name.
 * @throws Error if the text cannot be parsed as the type of file that the name indicates
 */
export async function formatted(fileName: string, text: string): Promise<string> {
  const rules = JSON.parse(await readFile(RULES, 'utf8')) as FormatConfig;
  const { code, errors } = await format(fileName, text, rules);
  if (errors.length > 0) throw new Error(`${fileName}: ${errors.map(({ message }) => message).join(', ')}`);
  return code;
}
