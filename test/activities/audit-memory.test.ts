import { AuditMemory } from '../../activities/collect/audit-memory';
import type { SignedMark, AuditPosition } from '../../src/domain/audit/event';
import { isRestoreNoticed, readMarkSecret, signMark } from '../../src/ledger';
import { MINUTE } from '../../src/domain/time';
import { useLedger } from '../ledger/ledger-fixture';
import { silentLog } from '../support/silent-log';
import { HandClock } from '../../src/simulation/hand-clock';

/** A worker notices that the ledger was restored only if the audit log ends before a position that the worker knows. */

const ledger = useLedger();
const entry = (number: number, epoch = 1): AuditPosition => ({ epoch, entry: number });
const signed = async (mark: AuditPosition) => signMark(await readMarkSecret(ledger.pool), mark);

function remember() {
  const memory = new AuditMemory();
  const clock = new HandClock();
  const logged: unknown[] = [];
  const log = silentLog();
  const said = new Set<unknown>();
  jest.spyOn(log, 'warn').mockImplementation((seen: unknown, text: unknown) => {
    logged.push(seen);
    said.add(text);
  });
  const deps = { ledger: ledger.pool, clock, log };
  const read = (mark: AuditPosition | Promise<AuditPosition>, told?: SignedMark) =>
    memory.watch(deps, told, async () => ({ mark: await mark }));
  return { memory, read, clock, logged, said, deps };
}

afterEach(() =>
  ledger.pool.query(
    'update restore_guard set noticed_identity = null, noticed_at = null, noticed_real_at = null, reason = null',
  ),
);

test('answers that arrive in another order than PostgreSQL ran the queries show no restore', async () => {
  const { memory, read } = remember();
  let answer = (_: AuditPosition): void => undefined;
  const early = read(new Promise<AuditPosition>((resolve) => (answer = resolve)));
  await read(entry(1_005));
  answer(entry(1_003));
  await early;
  expect(await isRestoreNoticed(ledger.pool)).toBe(false);
  expect(memory.mark).toEqual(entry(1_005));
});

test('a position behind one seen before shows a restore, and the furthest position is kept', async () => {
  const { memory, read } = remember();
  await read(entry(1_005));
  await read(entry(1_004));
  expect(await isRestoreNoticed(ledger.pool)).toBe(true);
  expect(memory.mark).toEqual(entry(1_005));
  const { rows } = await ledger.pool.query('select reason from restore_guard');
  expect(rows).toEqual([
    {
      reason:
        'the audit log ends at entry 1004 but has been seen at entry 1005: the ledger was restored and lacks its latest entries',
    },
  ]);
});

test('work that did not read the position shows no restore, and leaves the remembered position unchanged', async () => {
  const { memory, read, deps } = remember();
  await read(entry(1_005));
  const found = { mark: null, what: 'nothing' };
  expect(await memory.watch(deps, await signed(entry(2_000)), async () => found)).toBe(found);
  expect(memory.mark).toEqual(entry(1_005));
  expect(await isRestoreNoticed(ledger.pool)).toBe(false);
});

test('if a restore is noticed, work that only reads is done again after the halt, and other work is not', async () => {
  const { memory, read, deps } = remember();
  await read(entry(1_005));
  const early = { mark: entry(1_004), what: 'before the halt' };
  const late = { mark: entry(1_004), what: 'after the halt' };
  expect(await memory.watch(deps, undefined, async () => early)).toBe(early);
  const again = jest.fn(async () => late);
  expect(await memory.watch(deps, undefined, async () => early, again)).toBe(late);
  expect(again).toHaveBeenCalledTimes(1);
  expect(await memory.watch(deps, undefined, async () => ({ mark: entry(1_006) }), again as never)).toEqual({
    mark: entry(1_006),
  });
  expect(again).toHaveBeenCalledTimes(1);
});

test('a position behind one that the workflow got from another worker shows a restore', async () => {
  const { read } = remember();
  await read(entry(1_005), await signed(entry(1_005)));
  expect(await isRestoreNoticed(ledger.pool)).toBe(false);
  await read(entry(1_005), await signed(entry(1_006)));
  expect(await isRestoreNoticed(ledger.pool)).toBe(true);
});

test('positions seen before the ledger was accepted no longer count', async () => {
  const { memory, read } = remember();
  await read(entry(1_005));
  await read(entry(900, 2), await signed(entry(1_005)));
  expect(await isRestoreNoticed(ledger.pool)).toBe(false);
  expect(memory.mark).toEqual(entry(900, 2));
});

test('positions without the ledger’s own signature are ignored, and their count is logged once a minute', async () => {
  const { read, clock, logged, said } = remember();
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
  const once = [{ security: 'audit_log_position.not_ours', ignored: 1 }];
  expect(logged).toEqual(once);
  clock.pass(MINUTE - 1);
  await read(entry(1_005), entry(9_999));
  expect(logged).toEqual(once);
  clock.pass(1);
  await read(entry(1_005), entry(9_999));
  expect(logged.at(-1)).toEqual({ security: 'audit_log_position.not_ours', ignored: 5 });
  expect([...said]).toEqual(['ignored audit log positions that this ledger did not sign']);
});

test('a position that one worker has signed is accepted by another', async () => {
  const [one, other] = [remember(), remember()];
  await one.read(entry(1_006));
  await other.read(entry(1_005), await one.memory.signed(one.deps));
  expect(await isRestoreNoticed(ledger.pool)).toBe(true);
});

test('the secret of a ledger has 32 bytes and is the same at every read', async () => {
  const secret = await readMarkSecret(ledger.pool);
  expect(secret).toHaveLength(32);
  expect(await readMarkSecret(ledger.pool)).toEqual(secret);
});
