import { DAY } from '../../src/domain/time';
import { createPool, type Pool } from '../../src/ledger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { World } from './activity-world';
import { DecidedLife } from './decided-life';

let database: TestDatabase;
let ledger: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = createPool({ databaseUrl: database.url });
});

afterAll(async () => {
  await ledger.end();
  await database.drop();
});

it('an increase exactly six months after the last is collected, although the service’s clock is 100 ms behind (rule 20)', async () => {
  const world = await World.open(ledger);
  try {
    const agreed = { wallet: 'approves', cycles: 9, cents: 5000, repetition: 'MONTHLY' as const };
    const life = await DecidedLife.begin(world, agreed, []);
    const { dueAt } = life.subscribed;
    // Cycle 2 is due on 31 March, and cycle 8 on 30 September: six calendar months later, to the millisecond.
    await life.live([
      { at: dueAt + DAY, act: async () => expect(await life.changeAmount(2, 6000)).toBe(true) },
      {
        at: dueAt + 100 * DAY,
        act: async () => {
          world.serviceClock.ahead = -100;
          expect(await life.changeAmount(8, 7000)).toBe(true);
        },
      },
    ]);
    expect(life.lived.map(({ ended }) => ended)).toEqual(Array.from({ length: 9 }, () => 'collected'));
    expect(world.debits(life.subscribed).map(({ amount }) => amount.value)).toEqual([
      5000, 5000, 6000, 6000, 6000, 6000, 6000, 6000, 7000,
    ]);
  } finally {
    await world.close();
  }
});
