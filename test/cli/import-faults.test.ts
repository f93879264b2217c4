import { ImportTally } from '../../src/cli/api/import-faults';

const refused = (line: number, ...errors: [string, string][]) => ({
  line,
  problem: { code: 'invalid_request', detail: '', errors: errors.map(([path, message]) => ({ path, message })) },
});

function tallyOf(...answers: Parameters<ImportTally['add']>[0][]): ImportTally {
  const tally = new ImportTally();
  for (const answer of answers) tally.add(answer);
  return tally;
}

test('faults of the same field with the same expectation are counted together, the most frequent first, with the first line', () => {
  const tally = tallyOf(
    { line: 1, subscriptionId: 'a' },
    refused(2, ['paymentId', 'expected text; got nothing']),
    refused(3, ['amount.value', 'expected a number; got text of 5 characters'], ['country', 'expected DE; got "XX"']),
    refused(4, ['amount.value', 'expected a number; got text of 6 characters']),
  );
  expect([tally.accepted, tally.refused]).toEqual([1, 3]);
  expect(tally.common.map(({ lines, firstLine, field }) => [lines, firstLine, field])).toEqual([
    [2, 3, 'amount.value'],
    [1, 2, 'paymentId'],
    [1, 3, 'country'],
  ]);
  expect(tally.common[0]?.message).toBe('expected a number; got text of 5 characters');
});

test('expectations that differ only in the present time which they name are counted together', () => {
  const at = (time: string) => `expected a time not after now, ${time}; got 2030-01-01T00:00:00.000Z`;
  const tally = tallyOf(
    refused(1, ['lastIncreaseAt', at('2027-01-31T12:00:00.000Z')]),
    refused(2, ['lastIncreaseAt', at('2027-01-31T12:00:00.001Z')]),
  );
  expect(tally.common).toMatchObject([{ lines: 2, firstLine: 1 }]);
});

test('refusals that are not about a field are counted by their code, whatever id their text names', () => {
  const conflict = (line: number, id: string) => ({
    line,
    problem: { code: 'state_conflict', detail: `The id ${id} is already in use.` },
  });
  expect(tallyOf(conflict(1, 'a'), conflict(2, 'b')).common).toEqual([
    { lines: 2, firstLine: 1, code: 'state_conflict', field: '', message: 'The id a is already in use.' },
  ]);
});

test('the kinds of faults that are kept are bounded, and the rest is counted together', () => {
  const answers = Array.from({ length: 300 }, (_, n) => refused(n + 1, [`unknown${n}`, 'unknown field']));
  const { common, refused: count } = tallyOf(...answers);
  expect(count).toBe(300);
  expect(common).toHaveLength(201);
  expect(common[0]).toMatchObject({ lines: 100, firstLine: 201, message: 'further kinds of faults' });
});
