import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClock } from '../../src/platform/clock';
import { playRows, ROWS } from '../../src/conformance';
import { openService } from './service-under-test';

const notHolding = async (options: Parameters<typeof openService>[0]): Promise<unknown[]> => {
  const { world, close } = await openService(options);
  try {
    const findings = await playRows(world, ROWS);
    return findings.flatMap((finding) => (finding.verdict === 'holds' ? [] : [[finding.row.id, finding.why]]));
  } finally {
    await close();
  }
};

it('every row of the reference holds against the simulator', async () => {
  expect(await notHolding({})).toEqual([]);
});

it('every row holds against a simulator with a clock at four hours a second, results in upper case, and a restricted merchant category', async () => {
  const clock = createClock({
    virtualStart: Date.parse('2027-01-31T10:00:00Z'),
    realStart: Date.now(),
    speed: 14_400,
  });
  expect(await notHolding({ clock, upperCaseResults: true, merchantCategoryCode: '4111' })).toEqual([]);
});

it('the rows have unique names, and more than fifty of them quote the reference', () => {
  expect(new Set(ROWS.map((row) => row.id)).size).toBe(ROWS.length);
  expect(ROWS.filter((row) => row.kind === 'reference').length).toBeGreaterThan(50);
});

it('every group of conformance rows is in docs/reference/conformance.md', () => {
  const guide = readFileSync(join(__dirname, '../../docs/reference/conformance.md'), 'utf8');
  const groups = new Set(ROWS.map((row) => row.id.split('/')[0] ?? ''));
  expect([...groups].filter((group) => !guide.includes(`\`${group}\``))).toEqual([]);
});
