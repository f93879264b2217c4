import { ServiceError } from '@temporalio/client';
import { isNotReady, readSteerError } from '../../src/gateway';

const FAILED_PRECONDITION = 9;
const INVALID_ARGUMENT = 3;

/** As the gRPC library makes it. */
function grpcError(code: number): Error {
  return Object.assign(new Error(`${code}: said the server`), { code, details: 'said the server', metadata: {} });
}

/** As Temporal's client hands it on from an update. */
const wrapped = (code: number) => new ServiceError('Workflow Update failed', { cause: grpcError(code) });

test.each([
  ['bare', grpcError(FAILED_PRECONDITION)],
  ['in a fault of the client', wrapped(FAILED_PRECONDITION)],
])(
  'what Temporal does not take of a workflow in its present state is not ready, and was not accepted: %s',
  (_how, error) => {
    expect(isNotReady(error)).toBe(true);
    expect(readSteerError(error)).toEqual({ kind: 'not_ready', isRefused: true });
  },
);

test.each([1, 4, 8, 14])('gRPC code %i says "not now", and may have been accepted', (code) => {
  expect(readSteerError(wrapped(code))).toEqual({ kind: 'not_ready' });
});

test('a request that Temporal finds wrong is a fault of ours', () => {
  expect(readSteerError(wrapped(INVALID_ARGUMENT))).toBeNull();
});
