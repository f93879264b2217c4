import { sentCycles } from '../../src/console/views/subscription/waiting';
import { attempt, cycle, life } from './lives';

const numbersOf = (cycles: readonly { readonly cycle: number }[]) => cycles.map((each) => each.cycle);

test('a refused attempt that is listed again may still be debited, although a later one was refused (rule 36)', () => {
  const attempts = [attempt('pending'), attempt('rejected_retryable', { attempt: 1 })];
  for (const status of ['dunning', 'failed', 'collected'] as const)
    expect(numbersOf(sentCycles(life({ cycles: [cycle(1, { status, attempts })] })))).toEqual([1]);
});
