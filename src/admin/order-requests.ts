import type { FastifyRequest } from 'fastify';
import type { OrderKind } from '../ledger';
import { keyOf } from './idempotency';
import { type Fault, invalidRequest } from './problems';
import { schemaFaults } from './request-validation';

/**
 * The Idempotency-Key of an order that moves money: without one, a request repeated after a lost answer would move it
 * twice. The body's faults are told together with a missing key.
 * @throws Problem `invalid_request`.
 */
export function keyOfOrder(request: FastifyRequest, kind: OrderKind): string {
  const key = keyOf(request);
  const faults = [...schemaFaults(request.validationError), ...missingKey(key, kind)];
  if (key === null || faults.length > 0) throw invalidRequest(faults);
  return key;
}

function missingKey(key: string | null, kind: OrderKind): readonly Fault[] {
  const message = `expected 1 to 255 visible ASCII characters, chosen anew for each ${kind}; got nothing`;
  return key === null ? [{ path: 'Idempotency-Key', message }] : [];
}
