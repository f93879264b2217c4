import { randomUUID } from 'node:crypto';
import { LATE_AFTER } from '../../src/domain/call-permits';
import { createPool, type Pool, readRateLeases, renewRateLease, takeRateLease } from '../../src/ledger';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
let db: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createPool({ databaseUrl: database.url });
});
afterAll(async () => {
  await db.end();
  await database.drop();
});
beforeEach(() => db.query('delete from rate_leases'));

const ageBy = (id: string, ms: number) =>
  db.query('update rate_leases set renewed_at = clock_timestamp() - make_interval(secs => $2) where lease_id = $1', [
    id,
    ms / 1000,
  ]);

test("reading the leases of the call rate returns PostgreSQL's time even without a lease", async () => {
  const { at, leases } = await readRateLeases(db);
  expect(leases).toEqual([]);
  expect(at).toBeGreaterThan(Date.parse('2026-01-01T00:00:00.000Z'));
});

/** How far a clock may be set back between two readings, real ms. Leases are aged by more than this. */
const SET_BACK = 100;

test("a lease of the call rate is taken and renewed at times of PostgreSQL's clock", async () => {
  const id = randomUUID();
  await takeRateLease(db, id);
  const taken = await readRateLeases(db);
  expect(taken.leases).toEqual([{ id, joinedAt: taken.leases[0]!.renewedAt, renewedAt: taken.leases[0]!.renewedAt }]);
  expect(taken.at).toBeGreaterThan(taken.leases[0]!.joinedAt - SET_BACK);
  await ageBy(id, 2 * SET_BACK);
  expect(await renewRateLease(db, id)).toBe(true);
  const renewed = (await readRateLeases(db)).leases[0]!;
  expect(renewed.joinedAt).toBe(taken.leases[0]!.joinedAt);
  expect(renewed.renewedAt).toBeGreaterThan(taken.leases[0]!.renewedAt - SET_BACK);
});

test('a lease of the call rate that has expired or is missing is not renewed', async () => {
  const [late, gone] = [randomUUID(), randomUUID()];
  await takeRateLease(db, late);
  await ageBy(late, LATE_AFTER);
  const before = await readRateLeases(db);
  expect(await renewRateLease(db, late)).toBe(false);
  expect(await renewRateLease(db, gone)).toBe(false);
  expect((await readRateLeases(db)).leases).toEqual(before.leases);
});

test('the lease of a process that ended an hour ago is removed when another process joins', async () => {
  const [old, young] = [randomUUID(), randomUUID()];
  await takeRateLease(db, old);
  await ageBy(old, 3_601_000);
  await takeRateLease(db, young);
  expect((await readRateLeases(db)).leases.map(({ id }) => id)).toEqual([young]);
});

test('reading the leases also shows a halt after a restore, because idle processes then give up their shares', async () => {
  expect((await readRateLeases(db)).isRestored).toBe(false);
  await db.query(
    `update restore_guard set noticed_identity = identity, noticed_at = now(), noticed_real_at = now(), reason = 'seen'`,
  );
  expect((await readRateLeases(db)).isRestored).toBe(true);
});
