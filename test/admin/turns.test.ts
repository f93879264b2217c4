import { Turns } from '../../src/admin/http/json/turns';

/** Takes so many turns each, all at once. @returns who had a turn, in that order */
async function take(counts: Readonly<Record<string, number>>): Promise<readonly string[]> {
  const turns = new Turns();
  const had: string[] = [];
  const takes = Object.entries(counts).flatMap(([caller, count]) =>
    Array.from({ length: count }, async () => {
      await turns.take(caller);
      had.push(caller);
    }),
  );
  await Promise.all(takes);
  return had;
}

test('a caller waits for one turn of another, however many requests the other has sent before', async () => {
  const had = await take({ flood: 1_000, shop: 3 });
  expect(had.slice(0, 6)).toEqual(['flood', 'shop', 'flood', 'shop', 'flood', 'shop']);
  expect(had).toHaveLength(1_003);
});

test('turns of one caller come in the order in which they were taken', async () => {
  const turns = new Turns();
  const had: number[] = [];
  await Promise.all([1, 2, 3].map((each) => turns.take('shop').then(() => had.push(each))));
  expect(had).toEqual([1, 2, 3]);
});
