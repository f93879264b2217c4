import { setTimeout as pause } from 'node:timers/promises';
import { inBatches, inOrder } from '../../src/admin/imports/batches';

async function* of<T>(...items: readonly T[]): AsyncGenerator<T, void> {
  yield* items;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const each of items) taken.push(each);
  return taken;
}

test('items that arrive together are batched up to the maximum', async () => {
  expect(await all(inBatches(of(1, 2, 3, 4, 5), 2, 1_000))).toEqual([[1, 2], [3, 4], [5]]);
  expect(await all(inBatches(of(1, 2), 2, 1_000))).toEqual([[1, 2]]);
  expect(await all(inBatches(of(), 2, 1_000))).toEqual([]);
});

test('a batch that is not full is passed on when no further item arrives soon', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  async function* slowly() {
    yield 1;
    yield 2;
    await held;
    yield 3;
  }
  const batches = inBatches(slowly(), 100, 20);
  expect((await batches.next()).value).toEqual([1, 2]);
  release();
  expect(await all(batches)).toEqual([[3]]);
});

test('items that arrived before the source failed are passed on before the error', async () => {
  async function* broken() {
    yield 1;
    throw new Error('the client went away');
  }
  const batches = inBatches(broken(), 100, 1_000);
  expect((await batches.next()).value).toEqual([1]);
  await expect(batches.next()).rejects.toThrow('the client went away');
});

test('results are in the order of the items, and at most `width` are processed concurrently', async () => {
  let [busy, most] = [0, 0];
  const work = async (ms: number) => {
    busy += 1;
    most = Math.max(most, busy);
    await pause(ms);
    busy -= 1;
    return ms;
  };
  expect(await all(inOrder(of(30, 1, 20, 2), 2, work))).toEqual([30, 1, 20, 2]);
  expect(most).toBe(2);
});
