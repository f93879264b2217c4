import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Words that once had a private meaning here, each with the standard term. Identifiers of several words are not searched. */
const WORDS: Readonly<Record<string, string>> = {
  trail: 'audit log',
  anew: 'again',
  doubt: 'unknown outcome',
  heard: 'acknowledged',
  heed: 'handle',
  whoever: 'the operator, payer or merchant who is meant',
  somebody: 'the operator, payer or merchant who is meant',
  'stands as before': 'remains',
  pressing: 'alerts',
};

/** Where such a word is right. */
const EXCEPTIONS: readonly { readonly word: string; readonly file: RegExp; readonly reason: string }[] = [
  {
    word: 'trail',
    file: /^src\/(jobs\/deliver-notices|domain\/audit\/operations)\.ts$/,
    reason: 'the stored name of a channel',
  },
];

const ROOT = join(__dirname, '../..');
const FOLDERS = ['src', 'workflows', 'activities', 'docs'];
/** The first is written by a run of the program, the others by generators. */
const GENERATED = /^(docs\/reference\/transcripts\.md|src\/client\/)/;

const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
].filter((file) => /\.(ts|tsx|sql|md)$/.test(file) && !GENERATED.test(file));

function findWord(word: string): string[] {
  const pattern = new RegExp(`\\b${word}\\b`, 'i');
  return FILES.flatMap((file) => {
    if (EXCEPTIONS.some((exception) => exception.word === word && exception.file.test(file))) return [];
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
    return lines.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
  });
}

test.each(Object.entries(WORDS))('nowhere says "%s", as the standard term is "%s"', (word) => {
  expect(findWord(word)).toEqual([]);
});
