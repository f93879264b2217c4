import { createHash, randomUUID } from 'node:crypto';
import type { OrderId } from '../domain/ids';
import type { OrderKind } from '../ledger';
import type { Caller } from './caller';
import { hashBody } from './request-hash';

/** The id of what is to be created, and whether it follows from the request, so that a repeat meets it again. */
export interface ChosenId<T extends string = string> {
  readonly id: T;
  readonly isOfRequest: boolean;
  /** Follows from API key, Idempotency-Key and body, whatever the id is; null without a key. */
  readonly requestId: string | null;
}

/**
 * One that follows from API key, Idempotency-Key and body: a request repeated after a lost or a 5xx answer finds what it
 * made, and makes nothing a second time. Without a key, a random one.
 */
export function idOfCreation<T extends string>(
  prefix: 'sub' | 'pay',
  body: unknown,
  caller: Caller,
  idempotencyKey: string | null,
): ChosenId<T> {
  const requestId = idOfRequest(body, caller, idempotencyKey);
  const id = `${prefix}_${requestId ?? randomUUID().replaceAll('-', '')}` as T;
  return { id, isOfRequest: requestId !== null, requestId };
}

/** By it the same request, repeated, is known. Null without an Idempotency-Key. */
export function idOfRequest(body: unknown, caller: Caller, idempotencyKey: string | null): string | null {
  return idempotencyKey === null ? null : digest([caller.keyId, idempotencyKey, hashBody(body).toString('hex')]);
}

const PREFIXES: Readonly<Record<OrderKind, string>> = { capture: 'cap', refund: 'ref' };

/** Follows from API key and Idempotency-Key alone: a key once used for an order stands for that order for ever. */
export function idOfOrder(kind: OrderKind, caller: Caller, idempotencyKey: string): OrderId {
  return `${PREFIXES[kind]}_${digest([kind, caller.keyId, idempotencyKey])}` as OrderId;
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
