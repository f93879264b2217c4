import { nodeFinding, releaseFinding, schemaFinding, serverFinding } from '../../src/cli/versions/upgrade';
import { runDueday } from '../cli/dueday-process';
import { makeOld } from '../cli/ledger-states';
import { createTestDatabase } from '../support/database';
import { partOfRun } from '../support/test-run';

test.each([
  ['20.18.9', 'failed'],
  ['20.19.0', 'ok'],
  ['24.11.1', 'ok'],
])('the upgrade check of Node %s reports %s', (version, state) => {
  expect(nodeFinding(version).state).toBe(state);
});

test.each([
  ['1.28.9', 'failed'],
  ['1.29.0', 'ok'],
  ['2.0.0', 'ok'],
  ['', 'failed'],
])('the upgrade check of a Temporal server of the version "%s" reports %s', (version, state) => {
  expect(serverFinding(version).state).toBe(state);
});

test('a schema that lacks a migration needs it, and a newer one is compatible unless it requires a newer program', () => {
  const none = { missing: [], unknown: [], needed: null };
  expect(schemaFinding(none).state).toBe('ok');
  expect(schemaFinding({ ...none, missing: ['0002_more'] })).toMatchObject({
    state: 'warning',
    found: 'lacks 0002_more',
    advice: expect.stringContaining('dueday migrate'),
  });
  expect(schemaFinding({ ...none, unknown: ['0003_later'] }).state).toBe('ok');
  expect(schemaFinding({ ...none, unknown: ['0003_later'], needed: '0003_later' }).state).toBe('failed');
});

test('a release with other workflows than the current one needs to be promoted', () => {
  expect(releaseFinding('a1', null).state).toBe('ok');
  expect(releaseFinding('a1', 'a1').state).toBe('ok');
  expect(releaseFinding('b2', 'a1')).toMatchObject({
    state: 'warning',
    found: 'b2; a1 is current',
    advice: expect.stringContaining('dueday versions promote'),
  });
});

test('dueday upgrade check names what is left to do, and exits 1', async () => {
  const database = await createTestDatabase();
  const missing = await makeOld(database);
  const { address } = partOfRun('temporal');
  const env = { DATABASE_URL: database.url, TEMPORAL_ADDRESS: address, TEMPORAL_TASK_QUEUE: 'upgraded' };
  const { code, stdout, stderr } = await runDueday(['upgrade', 'check', '--json'], env);
  await database.drop();
  const findings = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { check: string; state: string; found: string });
  expect(findings.map(({ check, state }) => [check, state])).toEqual([
    ['node', 'ok'],
    ['schema', 'warning'],
    ['temporal server', 'ok'],
    ['release', 'ok'],
  ]);
  expect(findings[1]!.found).toBe(`lacks ${missing}`);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^dueday: dueday \d+\.\d+\.\d+ needs: schema\n$/)]);
});
