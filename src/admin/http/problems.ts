import { z } from 'zod';

/** Every code an answer may carry, with its HTTP status and its title. The codes are fixed; more may come. */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  unauthenticated: { status: 401, title: 'A valid API key is needed' },
  forbidden: { status: 403, title: 'The role or the scopes of this key do not allow it' },
  limit_exceeded: { status: 403, title: 'A limit of this key forbids it' },
  csrf_failed: { status: 403, title: 'This write did not come from a page of ours' },
  not_found: { status: 404, title: 'Nothing is found here' },
  method_not_allowed: { status: 405, title: 'This path lacks the method' },
  not_acceptable: { status: 406, title: 'No such form of the answer' },
  state_conflict: { status: 409, title: 'The present state does not allow it' },
  amount_change_not_allowed: { status: 409, title: 'A rule forbids this amount' },
  retry_not_allowed: { status: 409, title: 'The limits of the service forbid a retry' },
  refund_not_allowed: { status: 409, title: 'A rule forbids this refund' },
  capture_not_allowed: { status: 409, title: 'A rule forbids this capture' },
  token_used: { status: 409, title: 'This token was used' },
  selection_changed: { status: 409, title: 'What was selected has changed' },
  approval_required: { status: 409, title: 'A second person must approve it' },
  approval_rejected: { status: 409, title: 'The approval was rejected' },
  approval_expired: { status: 409, title: 'The approval has expired' },
  approval_used: { status: 409, title: 'The approval was used' },
  approval_mismatch: { status: 409, title: 'The approval is of another request' },
  halted: { status: 409, title: 'All sending is halted' },
  idempotency_in_progress: { status: 409, title: 'The first request with this key still runs' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  cursor_expired: { status: 410, title: 'The place of this cursor is gone' },
  payload_too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'The body is not JSON' },
  idempotency_key_reused: { status: 422, title: 'This key was used for another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong here' },
  payment_service_unavailable: { status: 502, title: 'The payment service did not answer as it should' },
  not_ready: { status: 503, title: 'Not ready' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault of a request: where, and what was expected against what was got. Never the value itself. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

export const PROBLEM_TYPE = 'application/problem+json';

/** Thrown anywhere below a route; answered as RFC 9457 problem details. `detail` is for people and holds no secret. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly statusCode: number;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly more: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.statusCode = PROBLEMS[code].status;
  }

  /** The members of the answer, in the order in which people read them. */
  body(): Record<string, unknown> {
    const { status, title } = PROBLEMS[this.code];
    return {
      type: `urn:dueday:problem:${this.code}`,
      title,
      status,
      detail: this.detail,
      code: this.code,
      ...this.more,
    };
  }
}

/** An answer names at most so many faults. */
export const MAX_FAULTS = 100;

/** 400 with the faults found, the first hundred of them. */
export function invalidRequest(faults: readonly Fault[]): Problem {
  const errors = faults.slice(0, MAX_FAULTS);
  return new Problem('invalid_request', countFaults(faults.length), { errors });
}

function countFaults(count: number): string {
  if (count === 1) return 'One fault in the request.';
  return count < MAX_FAULTS ? `${count} faults in the request.` : `${MAX_FAULTS} faults or more in the request.`;
}

export function notFound(what: string): Problem {
  return new Problem('not_found', what);
}

/** The payment service gave no usable answer. @param reason for the log alone */
export function serviceUnavailable(detail: string, reason: string): Problem {
  return Object.assign(new Problem('payment_service_unavailable', detail), { cause: reason });
}

export function stateConflict(detail: string): Problem {
  return new Problem('state_conflict', detail);
}

export const ProblemOut = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({
    id: 'Problem',
    description: 'The problem details of RFC 9457: what went wrong, for programs and for people.',
  });

/** The answers of every call under /v1 that are not its own. */
export const FAULT_ANSWERS = {
  '4xx': {
    description: 'The request was refused; `code` says why.',
    content: { [PROBLEM_TYPE]: { schema: ProblemOut } },
  },
  '5xx': {
    description: 'The request was not carried out, or it is not known whether it was.',
    content: { [PROBLEM_TYPE]: { schema: ProblemOut } },
  },
};
