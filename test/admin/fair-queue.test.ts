import { FairQueue } from '../../src/admin/http/json/fair-queue';

/** Lets each caller send this many requests at once. @returns the callers in the order in which their requests ran */
async function run(counts: Readonly<Record<string, number>>): Promise<readonly string[]> {
  const queue = new FairQueue();
  const ran: string[] = [];
  const entered = Object.entries(counts).flatMap(([caller, count]) =>
    Array.from({ length: count }, async () => {
      await queue.enter(caller);
      ran.push(caller);
    }),
  );
  await Promise.all(entered);
  return ran;
}

test('a caller waits for only one request of each other caller, however many requests the other has sent before', async () => {
  const ran = await run({ flood: 1_000, shop: 3 });
  expect(ran.slice(0, 6)).toEqual(['flood', 'shop', 'flood', 'shop', 'flood', 'shop']);
  expect(ran).toHaveLength(1_003);
});

test('the requests of one caller run in the order in which they entered', async () => {
  const queue = new FairQueue();
  const ran: number[] = [];
  await Promise.all([1, 2, 3].map((each) => queue.enter('shop').then(() => ran.push(each))));
  expect(ran).toEqual([1, 2, 3]);
});
