import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './deployed';

const linesOf = (name: string): readonly string[] => readFileSync(join(ROOT, name), 'utf8').split('\n');

test('.dockerignore admits every file that the image copies from the checkout', () => {
  const [first, ...rules] = linesOf('.dockerignore');
  expect(first).toBe('*');
  const admitted = rules.map((rule) => rule.replace(/^!/, ''));
  const copied = linesOf('Dockerfile').flatMap((line) =>
    /^COPY (?!--from)/.test(line) ? line.split(' ').slice(1, -1) : [],
  );
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((path) => !admitted.includes(path))).toEqual([]);
});
