import { z } from 'zod';
import {
  answerContradictions,
  type Contradiction,
  type ContradictionOrder,
  contradictionSchema,
  isContradiction,
  recordContradictions,
} from './contradictions';

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
const delayMs = z.int().min(0).max(86_400_000).default(1000);
const errorStatus = z.int().min(400).max(599);
const common = { match: matchSchema.default({}), times: z.int().min(1).default(1) };
const failureBody = { detail: z.string().default('INTERNAL_ERROR'), html: z.boolean().default(false) };

const fault = <Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) =>
  z.strictObject({ kind: z.literal(kind), ...fields, ...common });

/** What goes wrong with a request, and whether it is executed (commits) before that. */
const requestFaults = [
  /** Commits, then destroys the socket. */
  fault('lost_answer', {}),
  /** Does not commit; closes the socket, or with `close: false` leaves it open without an answer. */
  fault('swallowed', { close: z.boolean().default(true) }),
  /** Commits and never answers. */
  fault('hang', {}),
  /** Commits and answers an error: a Failure, or an HTML page. */
  fault('error_after_commit', { status: errorStatus.default(500), ...failureBody }),
  fault('error_before_commit', { status: errorStatus.default(503), ...failureBody }),
  /** Commits and answers what cannot be read. */
  fault('malformed', { variant: z.enum(['truncated', 'html', 'wrong_types']).default('truncated') }),
  /** Commits and answers `delayMs` later. */
  fault('delay', { delayMs }),
  /** Destroys the socket at once; commits `delayMs` later. */
  fault('late_commit', { delayMs }),
  /** Lists leave out the new authorization for `delayMs`. Goes along with another fault on the same request. */
  fault('late_listing', { delayMs }),
  /** 429, with Retry-After in seconds unless `retryAfter` is null. Does not commit, as the next two. */
  fault('rate_limit', { retryAfter: z.int().min(0).nullable().default(1) }),
  fault('forbidden', {}),
  fault('unauthorized', {}),
  /** Commit and answer: too many bytes, too many bytes once unpacked, too slowly (one byte every `delayMs`). */
  fault('huge', { bytes: z.int().min(1).default(100_000_000) }),
  fault('gzip_bomb', { bytes: z.int().min(1).default(1_000_000_000) }),
  fault('slow_body', { delayMs }),
] as const;

export const requestFaultSchema = z.discriminatedUnion('kind', requestFaults);
/** Every fault that can be ordered: of a request, or a contradiction between answers. */
export const faultSchema = z.discriminatedUnion('kind', [
  ...requestFaults,
  ...recordContradictions,
  ...answerContradictions,
]);

export type FaultSpec = z.output<typeof requestFaultSchema>;
export type AnyFault = z.output<typeof faultSchema>;

export interface Fault {
  readonly faultId: number;
  readonly spec: AnyFault;
  /** How many more requests or records it takes, Infinity for all, and how many it took. */
  left: number;
  taken: number;
}

export interface FaultedRequest {
  readonly method: string;
  readonly path: string;
  readonly paymentId: string | null;
}

export type FaultQueue = ReturnType<typeof createFaultQueue>;

/** The faults to come, oldest first. */
export function createFaultQueue() {
  let faults: Fault[] = [];
  let lastId = 0;
  const order = (spec: AnyFault): Fault => {
    lastId += 1;
    const fault: Fault = { faultId: lastId, spec, left: spec.times ?? Infinity, taken: 0 };
    faults.push(fault);
    return fault;
  };
  return {
    /** @throws z.ZodError */
    add: (spec: z.input<typeof requestFaultSchema>) => order(requestFaultSchema.parse(spec)),
    /** @throws z.ZodError */
    contradict: (spec: ContradictionOrder) => order(contradictionSchema.parse(spec)),
    order,
    list: () => faults.map((fault) => ({ ...fault })),
    clear: () => {
      faults = [];
    },
    /** Takes one away, and leaves those of others. */
    remove: (faultId: number) => {
      faults = faults.filter((fault) => fault.faultId !== faultId);
    },
    /** The faults of this request, used up by it: at most one `late_listing` and at most one other. */
    take: (request: FaultedRequest): FaultSpec[] => {
      const fitting = faults.filter((fault) => fault.left > 0 && fits(fault.spec, request));
      const chosen = [isLateListing, (fault: Fault) => !isLateListing(fault)].flatMap(
        (kind) => fitting.find(kind) ?? [],
      );
      return chosen.map(useUp).filter((spec) => !isContradiction(spec));
    },
    /** The contradictions of a kind that are about this, oldest first, each used up by it once. */
    takeContradictions: <C extends Contradiction>(isMeant: (spec: Contradiction) => spec is C): C[] => {
      const meant = (fault: Fault): boolean => fault.left > 0 && isContradiction(fault.spec) && isMeant(fault.spec);
      return faults.filter(meant).map((fault) => useUp(fault) as C);
    },
  };
}

function useUp(fault: Fault): AnyFault {
  fault.left -= 1;
  fault.taken += 1;
  return fault.spec;
}

function isLateListing(fault: Fault): boolean {
  return fault.spec.kind === 'late_listing';
}

function fits(spec: AnyFault, request: FaultedRequest): boolean {
  if (isContradiction(spec)) return false;
  const { kind, match } = spec;
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
