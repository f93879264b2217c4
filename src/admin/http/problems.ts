import { z } from 'zod';

/** Every problem code with its HTTP status and title. Codes never change; new ones may be added. */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'Invalid request' },
  unauthenticated: { status: 401, title: 'A valid API key is required' },
  forbidden: { status: 403, title: 'The role or scopes of this key do not allow this' },
  limit_exceeded: { status: 403, title: 'A limit of this key is exceeded' },
  csrf_failed: { status: 403, title: 'CSRF check failed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'Not acceptable' },
  state_conflict: { status: 409, title: 'Not possible in the current state' },
  amount_change_not_allowed: { status: 409, title: 'Amount change not allowed' },
  retry_not_allowed: { status: 409, title: 'Retry not allowed' },
  refund_not_allowed: { status: 409, title: 'Refund not allowed' },
  capture_not_allowed: { status: 409, title: 'Capture not allowed' },
  token_used: { status: 409, title: 'Token already used' },
  selection_changed: { status: 409, title: 'The selection has changed' },
  approval_required: { status: 409, title: 'Approval by a second person required' },
  approval_rejected: { status: 409, title: 'Approval rejected' },
  approval_expired: { status: 409, title: 'Approval expired' },
  approval_used: { status: 409, title: 'Approval already used' },
  approval_mismatch: { status: 409, title: 'The approval is for a different request' },
  halted: { status: 409, title: 'All sending is halted' },
  idempotency_in_progress: { status: 409, title: 'The first request with this Idempotency-Key is still running' },
  request_timeout: { status: 408, title: 'Request time-out' },
  cursor_expired: { status: 410, title: 'Cursor expired' },
  payload_too_large: { status: 413, title: 'Request too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  idempotency_key_reused: { status: 422, title: 'Idempotency-Key already used for a different request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  payment_service_unavailable: { status: 502, title: 'Payment service unavailable' },
  not_ready: { status: 503, title: 'Not ready' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** One error in a request: its path, and what was expected and what was received, without free text from the caller. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

export const PROBLEM_TYPE = 'application/problem+json';

/** Thrown anywhere below a route; answered as RFC 9457 problem details. `detail` is human-readable and contains no secrets. */
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

  /** The members of the response, in reading order. */
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

/** The maximum number of errors in a response. */
export const MAX_FAULTS = 100;

/** 400 with the first hundred errors found. */
export function invalidRequest(faults: readonly Fault[]): Problem {
  const errors = faults.slice(0, MAX_FAULTS);
  return new Problem('invalid_request', summarize(errors), { errors });
}

/** The problem of a value, with its errors at this path of the request. */
export function within(path: string, { more }: Problem): Problem {
  const errors = more['errors'] as readonly Fault[];
  return invalidRequest(
    errors.map((error) => ({ ...error, path: [path, error.path].filter((part) => part !== '').join('.') })),
  );
}

/** The maximum number of paths in a summary. */
const MAX_PATHS = 5;

/** "Invalid: startAt, firstPaymentAt"; or the message, if the request as a whole is invalid. */
export function summarize(errors: readonly Fault[]): string {
  const paths = [...new Set(errors.map(({ path }) => path))].filter((path) => path !== '');
  if (paths.length === 0) return `Invalid request: ${errors[0]?.message ?? 'unknown error'}`;
  const more = paths.length - MAX_PATHS;
  return `Invalid: ${paths.slice(0, MAX_PATHS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function notFound(what: string): Problem {
  return new Problem('not_found', what);
}

/** The payment service gave no usable answer. @param reason only for the log */
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
    description: 'Problem details (RFC 9457). Programs should rely on `code`; `title` and `detail` are for humans.',
  });

/** The error responses shared by all calls under /v1. */
export const ERROR_RESPONSES = {
  '4xx': {
    description: 'The request was rejected; `code` says why.',
    content: { [PROBLEM_TYPE]: { schema: ProblemOut } },
  },
  '5xx': {
    description: 'The request failed, or its outcome is unknown.',
    content: { [PROBLEM_TYPE]: { schema: ProblemOut } },
  },
};
