import type { Rejection } from './bank/wallets';

/** The wire's detail codes and their HTTP status. */
const STATUS_CODES: Readonly<Partial<Record<string, number>>> = {
  INVALID_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  STATE_CONFLICT: 409,
  CONSENT_NOT_VALID: 409,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
};

/** Thrown by a handler to refuse a request; the error handler returns it as the wire's Failure. */
export class Refusal extends Error implements Rejection {
  readonly statusCode: number;

  constructor(
    readonly detail: string,
    readonly description: string,
  ) {
    super(`${detail}: ${description}`);
    // 422: "a rule of the service refuses it".
    this.statusCode = STATUS_CODES[detail] ?? 422;
  }
}

export interface Failure extends Rejection {
  readonly result: 'FAILED';
}

export function failure(rejection: Rejection): Failure {
  return { result: 'FAILED', detail: rejection.detail, description: rejection.description };
}

/** The allowed verdict. @throws Refusal if it is a refusal */
export function allowedOrThrow<Allowed extends { readonly kind: 'allowed' }>(
  verdict: Allowed | ({ readonly kind: 'refused' } & Rejection),
): Allowed {
  if (verdict.kind === 'refused') throw new Refusal(verdict.detail, verdict.description);
  return verdict;
}
