import { z } from 'zod';

/**
 * Which requests a fault takes: all that is given must fit. `path` is a regular expression on the path without query.
 * Without it, a request for a token may be the one.
 */
const matchSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  path: z.string().max(200).refine(isPattern, 'expected a regular expression').optional(),
  paymentId: z.string().optional(),
});

/** Real milliseconds. */
const ms = z.int().min(0).max(86_400_000);
const common = { match: matchSchema.default({}), times: z.int().min(1).default(1) };
const failureBody = { detail: z.string().default('INTERNAL_ERROR'), html: z.boolean().default(false) };

/** What goes wrong, and whether the request is executed (commits) before it does. */
const faultSchema = z.discriminatedUnion('kind', [
  /** Commits, then destroys the socket. */
  z.strictObject({ kind: z.literal('lost_answer'), ...common }),
  /** Does not commit; closes the socket, or with `close: false` leaves it open without an answer. */
  z.strictObject({ kind: z.literal('swallowed'), close: z.boolean().default(true), ...common }),
  /** Commits and never answers. */
  z.strictObject({ kind: z.literal('hang'), ...common }),
  /** Commits and answers an error: a Failure, or an HTML page. */
  z.strictObject({
    kind: z.literal('error_after_commit'),
    status: z.int().min(400).max(599).default(500),
    ...failureBody,
    ...common,
  }),
  z.strictObject({
    kind: z.literal('error_before_commit'),
    status: z.int().min(400).max(599).default(503),
    ...failureBody,
    ...common,
  }),
  /** Commits and answers what cannot be read. */
  z.strictObject({
    kind: z.literal('malformed'),
    variant: z.enum(['truncated', 'html', 'wrong_types']).default('truncated'),
    ...common,
  }),
  /** Commits and answers `delayMs` later. */
  z.strictObject({ kind: z.literal('delay'), delayMs: ms.default(1000), ...common }),
  /** Destroys the socket at once; commits `delayMs` later. */
  z.strictObject({ kind: z.literal('late_commit'), delayMs: ms.default(1000), ...common }),
  /** Lists leave out the new authorization for `delayMs`. Goes along with another fault on the same request. */
  z.strictObject({ kind: z.literal('late_listing'), delayMs: ms.default(1000), ...common }),
  /** 429, with Retry-After in seconds unless `retryAfter` is null. Does not commit, as the next two. */
  z.strictObject({ kind: z.literal('rate_limit'), retryAfter: z.int().min(0).nullable().default(1), ...common }),
  z.strictObject({ kind: z.literal('forbidden'), ...common }),
  z.strictObject({ kind: z.literal('unauthorized'), ...common }),
  /** Commit and answer: too many bytes, too many bytes once unpacked, too slowly (one byte every `delayMs`). */
  z.strictObject({ kind: z.literal('huge'), bytes: z.int().min(1).default(100_000_000), ...common }),
  z.strictObject({ kind: z.literal('gzip_bomb'), bytes: z.int().min(1).default(1_000_000_000), ...common }),
  z.strictObject({ kind: z.literal('slow_body'), delayMs: ms.default(1000), ...common }),
]);

export { faultSchema };
export type FaultSpec = z.output<typeof faultSchema>;

export interface Fault {
  readonly faultId: number;
  readonly spec: FaultSpec;
  /** How many more requests it takes, and how many it took. */
  left: number;
  taken: number;
}

export interface FaultedRequest {
  readonly method: string;
  readonly path: string;
  readonly paymentId: string | null;
}

/** The faults to come, oldest first. */
export interface FaultQueue {
  /** @throws z.ZodError */
  add(spec: z.input<typeof faultSchema>): Fault;
  list(): readonly Fault[];
  clear(): void;
  /** The faults of this request, used up by it: at most one `late_listing` and at most one other. */
  take(request: FaultedRequest): FaultSpec[];
}

export function createFaultQueue(): FaultQueue {
  let faults: Fault[] = [];
  let lastId = 0;
  return {
    add: (spec) => {
      const parsed = faultSchema.parse(spec);
      lastId += 1;
      const fault: Fault = { faultId: lastId, spec: parsed, left: parsed.times, taken: 0 };
      faults.push(fault);
      return fault;
    },
    list: () => faults.map((fault) => ({ ...fault })),
    clear: () => {
      faults = [];
    },
    take: (request) => {
      const fitting = faults.filter((fault) => fault.left > 0 && fits(fault.spec, request));
      const chosen = [isLateListing, (fault: Fault) => !isLateListing(fault)].flatMap(
        (kind) => fitting.find(kind) ?? [],
      );
      for (const fault of chosen) {
        fault.left -= 1;
        fault.taken += 1;
      }
      return chosen.map((fault) => fault.spec);
    },
  };
}

function isLateListing(fault: Fault): boolean {
  return fault.spec.kind === 'late_listing';
}

function fits({ kind, match }: FaultSpec, request: FaultedRequest): boolean {
  // It would be lost on a request that makes no authorization.
  if (kind === 'late_listing' && !(request.method === 'POST' && request.path.endsWith('/authorizations'))) return false;
  if (match.method !== undefined && match.method !== request.method) return false;
  if (match.paymentId !== undefined && match.paymentId !== request.paymentId) return false;
  return match.path === undefined || new RegExp(match.path).test(request.path);
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
