import { ledgerProblem } from '../../src/admin/http/error-answers';

const withCode = (code: string) => Object.assign(new Error('…'), { code });
const NOT_FREE =
  'No connection to the ledger became free in time: too many requests at once, or the ledger answers slowly.';

/** How the API describes that the ledger did not answer: a busy ledger is not called unreachable. */
test.each([
  ['no connection is free', new Error('timeout exceeded when trying to connect'), NOT_FREE],
  ['the server has no more connections', withCode('53300'), NOT_FREE],
  ['a statement was cancelled', withCode('57014'), 'The ledger took too long.'],
  ['the connection is refused', withCode('ECONNREFUSED'), 'The ledger cannot be reached.'],
  ['the connection broke', new Error('Connection terminated unexpectedly'), 'The ledger cannot be reached.'],
])('if %s, the problem says so', (_what, error, says) => {
  expect(ledgerProblem(error, true)).toMatchObject({
    code: 'not_ready',
    detail: `${says} Try again in a few seconds.`,
  });
  expect(ledgerProblem(error)?.detail).toBe(`${says} It is not known whether anything was done.`);
});

test('an error of a statement is not described as a ledger that did not answer', () => {
  expect(ledgerProblem(withCode('23505'))).toBeNull();
});
