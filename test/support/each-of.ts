/** Calls `work` for each of 0 to `count` - 1, at most `atOnce` at a time. */
export async function eachOf(count: number, atOnce: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
}
