import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR } from '../../src/domain/time';
import { drawChart } from './plot';
import { growthOf, NOTHING, readSoaked, type Sample, type Soaked, writeSoaked } from './record';

const MIB = 2 ** 20;

function sampleAt(at: number, memory: number): Sample {
  return {
    at,
    processes: { worker: { memory: memory * MIB, descriptors: 40, linesPerMinute: 3 }, api: null },
    tables: { events: 2 * MIB, cycles: MIB },
  };
}
const soakedOf = (...memory: number[]): Soaked => ({
  ...NOTHING(7),
  soaked: HOUR,
  samples: memory.map((each, n) => sampleAt((n * HOUR) / memory.length, each)),
});

test('a soak chart has a line for each name, with a gap if nothing was measured', () => {
  const chart = drawChart({
    title: 'Memory <of> all',
    unit: 'MiB',
    lines: [
      {
        name: 'worker',
        points: [
          [0, 0],
          [0.5, 50],
          [1, 100],
        ],
      },
      {
        name: 'api',
        points: [
          [0, 100],
          [0.25, null],
          [0.5, 100],
          [1, 100],
        ],
      },
    ],
  });
  expect(chart).toContain('Memory &lt;of> all, MiB');
  const paths = [...chart.matchAll(/<path d="([^"]+)" fill="none"/g)].map(([, path]) => path);
  // The lines run from the lower left corner of the frame to the upper right one.
  expect(paths).toEqual(['M80 376L400 212L720 48', 'M80 48M400 48L720 48']);
});

test('the stored state of a soak run is read by the next run, and its charts are beside it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dueday-soak-'));
  try {
    expect(await readSoaked(folder)).toBeNull();
    const soaked = soakedOf(200, 210);
    await writeSoaked(folder, soaked);
    expect(await readSoaked(folder)).toEqual(soaked);
    expect((await readdir(folder)).toSorted()).toEqual([
      'descriptors.svg',
      'lines.svg',
      'memory.svg',
      'soak.json',
      'tables.svg',
    ]);
    await writeFile(join(folder, 'soak.json'), '{');
    await expect(readSoaked(folder)).rejects.toThrow(SyntaxError);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('growth is measured from the second third of a soak to the last, so that what a process loads first does not count', () => {
  expect(growthOf(soakedOf(50, 60, 200, 201, 202, 203), 'worker', 'memory')).toEqual({
    before: 201 * MIB,
    after: 203 * MIB,
  });
  expect(growthOf(soakedOf(1, 1, 100, 100, 300, 300), 'worker', 'memory')).toEqual({
    before: 100 * MIB,
    after: 300 * MIB,
  });
  expect(growthOf(soakedOf(1, 1), 'worker', 'memory')).toBeNull();
  expect(growthOf(soakedOf(1, 1, 1), 'api', 'memory')).toBeNull();
});
