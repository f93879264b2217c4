import { isBehind } from '../../src/domain/audit/event';

test.each([
  [{ epoch: 1, entry: 7 }, { epoch: 1, entry: 7 }, false],
  [{ epoch: 1, entry: 6 }, { epoch: 1, entry: 7 }, true],
  [{ epoch: 2, entry: 6 }, { epoch: 1, entry: 7 }, false],
  [{ epoch: 1, entry: 9 }, { epoch: 2, entry: 7 }, true],
])('a ledger at %p has lost what was seen at %p: %p', (ledger, seen, lost) => {
  expect(isBehind(ledger, seen)).toBe(lost);
});
