import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8');

test('docs/reference/retention.md has the retention of each table of the ledger once', () => {
  const schema = read('src/ledger/migrations/0001_baseline.sql');
  const tables = [...schema.matchAll(/^create table (\w+) /gm)].map(([, table = '']) => table);
  const [page = ''] = read('docs/reference/retention.md').split('\n## Outside the ledger\n');
  const named = [...page.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);
  expect(tables.length).toBeGreaterThan(40);
  expect(named.toSorted()).toEqual([...tables, 'schema_migrations'].toSorted());
});
