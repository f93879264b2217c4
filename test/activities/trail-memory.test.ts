import { TrailMemory } from '../../activities/collect/trail-memory';
import type { TrailMark } from '../../src/domain/trail/event';
import { isRestoreNoticed } from '../../src/ledger';
import { useLedger } from '../ledger/ledger-fixture';
import { silentLog } from '../support/silent-log';
import { HandClock } from './hand-clock';

/** What a worker remembers of the trail shows a ledger that was set back, and nothing else does. */

const ledger = useLedger();
const entry = (number: number, epoch = 1): TrailMark => ({ epoch, entry: number });

function remember() {
  const memory = new TrailMemory();
  const deps = () => ({ ledger: ledger.pool, clock: new HandClock(), log: silentLog() });
  const read = (mark: TrailMark | Promise<TrailMark>, told?: TrailMark) =>
    memory.watch(deps(), told, async () => ({ mark: await mark }));
  return { memory, read };
}

afterEach(() =>
  ledger.pool.query(
    'update restore_guard set noticed_identity = null, noticed_at = null, noticed_real_at = null, reason = null',
  ),
);

test('looks that are answered in another order than PostgreSQL looked show no restore', async () => {
  const { memory, read } = remember();
  let answer = (_: TrailMark): void => undefined;
  const early = read(new Promise<TrailMark>((resolve) => (answer = resolve)));
  await read(entry(1_005));
  answer(entry(1_003));
  await early;
  expect(await isRestoreNoticed(ledger.pool)).toBe(false);
  expect(memory.mark).toEqual(entry(1_005));
});

test('a look behind what was seen before shows one, and what was seen stays known', async () => {
  const { memory, read } = remember();
  await read(entry(1_005));
  await read(entry(1_004));
  expect(await isRestoreNoticed(ledger.pool)).toBe(true);
  expect(memory.mark).toEqual(entry(1_005));
});

test('so does one behind what the workflow has heard from another worker', async () => {
  const { read } = remember();
  await read(entry(1_005), entry(1_005));
  expect(await isRestoreNoticed(ledger.pool)).toBe(false);
  await read(entry(1_005), entry(1_006));
  expect(await isRestoreNoticed(ledger.pool)).toBe(true);
});

test('once the ledger is accepted as it is, what was seen of it before counts no more', async () => {
  const { memory, read } = remember();
  await read(entry(1_005));
  await read(entry(900, 2), entry(1_005));
  expect(await isRestoreNoticed(ledger.pool)).toBe(false);
  expect(memory.mark).toEqual(entry(900, 2));
});
