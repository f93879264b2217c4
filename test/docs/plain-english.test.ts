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
  patience: 'time-out',
  begun: 'started',
};

const ROOT = join(__dirname, '../..');
const FOLDERS = ['src', 'workflows', 'activities', 'docs', 'test', 'bench'];
/** The transcripts are written by a run of the program, the client by a generator; this file contains the words. */
const EXCLUDED = /^(docs\/reference\/transcripts\.md|src\/client\/|test\/docs\/plain-english\.test\.ts$)/;

const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
].filter((file) => /\.(ts|tsx|sql|md)$/.test(file) && !EXCLUDED.test(file));

function findWord(word: string): string[] {
  const pattern = new RegExp(`\\b${word}\\b`, 'i');
  return FILES.flatMap((file) => {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
    return lines.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
  });
}

test.each(Object.entries(WORDS))('no file says "%s": the standard term is "%s"', (word) => {
  expect(findWord(word)).toEqual([]);
});
