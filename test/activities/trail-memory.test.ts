import { TrailMemory } from '../../activities/collect/trail-memory';
import type { SignedMark, TrailMark } from '../../src/domain/audit/event';
import { isRestoreNoticed, readMarkSecret, signMark } from '../../src/ledger';
import { MINUTE } from '../../src/domain/time';
import { useLedger } from '../ledger/ledger-fixture';
import { silentLog } from '../support/silent-log';
import { HandClock } from '../../src/simulation/hand-clock';

/** What a worker remembers of the trail shows a ledger that was set back, and nothing else does. */

const ledger = useLedger();
const entry = (number: number, epoch = 1): TrailMark => ({ epoch, entry: number });
const signed = async (mark: TrailMark) => signMark(await readMarkSecret(ledger.pool), mark);

function remember() {
  const memory = new TrailMemory();
  const clock = new HandClock();
  const logged: unknown[] = [];
  const log = silentLog();
  jest.spyOn(log, 'warn').mockImplementation((seen: unknown) => void logged.push(seen));
  const deps = { ledger: ledger.pool, clock, log };
  const read = (mark: TrailMark | Promise<TrailMark>, told?: SignedMark) =>
    memory.watch(deps, told, async () => ({ mark: await mark }));
  return { memory, read, clock, logged, deps };
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
  await read(entry(1_005), await signed(entry(1_005)));
  expect(await isRestoreNoticed(ledger.pool)).toBe(false);
  await read(entry(1_005), await signed(entry(1_006)));
  expect(await isRestoreNoticed(ledger.pool)).toBe(true);
});

test('once the ledger is accepted as it is, what was seen of it before counts no more', async () => {
  const { memory, read } = remember();
  await read(entry(1_005));
  await read(entry(900, 2), await signed(entry(1_005)));
  expect(await isRestoreNoticed(ledger.pool)).toBe(false);
  expect(memory.mark).toEqual(entry(900, 2));
});

test('what is told with a proof that is not the ledger’s own is ignored, and reported once a minute with its number', async () => {
  const { read, clock, logged } = remember();
  const { mac } = await signed(entry(1_005));
  for (const told of [
    entry(9_999),
    { ...entry(9_999), mac },
    { ...entry(9_999), mac: 'ff' },
    { ...entry(9_999), mac: '?' },
  ]) {
    await read(entry(1_005), told);
  }
  expect(await isRestoreNoticed(ledger.pool)).toBe(false);
  expect(logged).toEqual([{ security: 'audit_log_position.not_ours', ignored: 1 }]);
  clock.pass(MINUTE);
  await read(entry(1_005), entry(9_999));
  expect(logged.at(-1)).toEqual({ security: 'audit_log_position.not_ours', ignored: 4 });
});

test('a worker signs what it has seen, and another worker believes it', async () => {
  const [one, other] = [remember(), remember()];
  await one.read(entry(1_006));
  await other.read(entry(1_005), await one.memory.signed(one.deps));
  expect(await isRestoreNoticed(ledger.pool)).toBe(true);
});

test('the secret is random, and the same for as long as the ledger lives', async () => {
  const secret = await readMarkSecret(ledger.pool);
  expect(secret).toHaveLength(32);
  expect(await readMarkSecret(ledger.pool)).toEqual(secret);
});
