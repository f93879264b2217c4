import { ServiceError } from '@temporalio/client';
import { isNotReady } from '../../src/temporal';

const INVALID_ARGUMENT = 3;

/** An error as the gRPC library creates it. */
function grpcError(code: number): Error {
  return Object.assign(new Error(`${code}: said the server`), { code, details: 'said the server', metadata: {} });
}

/** The same error as Temporal's client passes it on. */
const wrapped = (code: number) => new ServiceError('Failed to signal the workflow', { cause: grpcError(code) });

test.each([1, 4, 8, 9, 14])('gRPC code %i means "not now", bare or wrapped in an error of the client', (code) => {
  expect(isNotReady(grpcError(code))).toBe(true);
  expect(isNotReady(wrapped(code))).toBe(true);
});

test('a request that Temporal rejects is an internal error', () => {
  expect(isNotReady(wrapped(INVALID_ARGUMENT))).toBe(false);
});
