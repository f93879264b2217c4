const TAKES_AWAY = /\bdrop (table|column|view|function)\b|\brename\b|\bset not null\b|\balter column \w+ type\b/i;
const RAISES_THE_FLOOR = /update schema_floor set migration = '\d{4}_\w+'/;

/** What prevents a migration from running while the previous release serves requests; empty if nothing does. */
export function faultsOf(migration: string): readonly string[] {
  const sql = migration.replace(/--.*$/gm, '');
  const faults: string[] = [];
  if (TAKES_AWAY.test(sql) && !RAISES_THE_FLOOR.test(sql))
    faults.push('takes away what the release before uses, and does not raise the floor');
  const created = [...sql.matchAll(/create table (\w+)/g)].map(([, table]) => table);
  for (const [, index, table] of sql.matchAll(/create (?:unique )?index (?!concurrently)(\w+)\s+on (\w+)/g))
    if (!created.includes(table)) faults.push(`builds ${index} under a lock on ${table}`);
  if (sql.includes('index concurrently') && sql.split(';').filter((each) => each.trim() !== '').length > 1)
    faults.push('builds an index concurrently beside other statements');
  return faults;
}
