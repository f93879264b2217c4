import { SharedTime } from './shared-time';

function heldTime() {
  let now = 0;
  const passed: number[] = [];
  const time = new SharedTime({
    now: () => now,
    passUntil: async (at) => {
      passed.push(at);
      now = Math.max(now, at);
    },
  });
  return { time, passed };
}

it('shared time advances to the earliest instant that a life waits for, and only while all lives wait', async () => {
  const { time, passed } = heldTime();
  const seen: string[] = [];
  const one = (name: string, ...instants: number[]) =>
    time.live(name, async () => {
      for (const at of instants) {
        await time.passUntil(name, at);
        seen.push(`${name} ${at} at ${time.now()}`);
      }
    });
  await Promise.all([one('a', 10, 30), one('b', 20), one('c', 10, 15)]);
  expect(passed).toEqual([10, 15, 20, 30]);
  expect(seen.sort()).toEqual(['a 10 at 10', 'a 30 at 30', 'b 20 at 20', 'c 10 at 10', 'c 15 at 15'].sort());
});

it('shared time lets the other lives continue once a life has ended, even by a fault', async () => {
  const { time, passed } = heldTime();
  const failing = time.live('a', () => Promise.reject(new Error('gone')));
  const going = time.live('b', () => time.passUntil('b', 5));
  await expect(failing).rejects.toThrow('gone');
  await going;
  expect(passed).toEqual([5]);
});
