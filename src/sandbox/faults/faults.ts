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
 * Which requests a fault applies to: every given field must match. `path` is a regular expression on the path without
 * query; without `path`, token requests match, too.
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

/** What goes wrong with a request, and whether the request is executed (commits) first. */
const requestFaults = [
  /** Commits, then destroys the socket. */
  fault('lost_answer', {}),
  /** Does not commit; closes the socket, or with `close: false` leaves it open without a response. */
  fault('swallowed', { close: z.boolean().default(true) }),
  /** Commits and never responds. */
  fault('hang', {}),
  /** Commits and returns an error: a Failure, or an HTML page. */
  fault('error_after_commit', { status: errorStatus.default(500), ...failureBody }),
  fault('error_before_commit', { status: errorStatus.default(503), ...failureBody }),
  /** Commits and returns an unreadable body. */
  fault('malformed', { variant: z.enum(['truncated', 'html', 'wrong_types']).default('truncated') }),
  /** Commits and responds `delayMs` later. */
  fault('delay', { delayMs }),
  /** Destroys the socket at once; commits `delayMs` later. */
  fault('late_commit', { delayMs }),
  /** Lists omit the new authorization for `delayMs`. Can be combined with another fault on the same request. */
  fault('late_listing', { delayMs }),
  /** 429, with Retry-After in seconds unless `retryAfter` is null. Like the next two, it does not commit. */
  fault('rate_limit', { retryAfter: z.int().min(0).nullable().default(1) }),
  fault('forbidden', {}),
  fault('unauthorized', {}),
  /** Commit and respond with too many bytes, too many bytes after decompression, or too slowly (a byte every `delayMs`). */
  fault('huge', { bytes: z.int().min(1).default(100_000_000) }),
  fault('gzip_bomb', { bytes: z.int().min(1).default(1_000_000_000) }),
  fault('slow_body', { delayMs }),
] as const;

export const requestFaultSchema = z.discriminatedUnion('kind', requestFaults);
/** Every fault: of a request, or a contradiction between responses. */
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
  /** How many more requests or records it applies to (Infinity for all), and how many it has been applied to. */
  left: number;
  taken: number;
}

export interface FaultedRequest {
  readonly method: string;
  readonly path: string;
  readonly paymentId: string | null;
}

export type FaultQueue = ReturnType<typeof createFaultQueue>;

/** The queue of faults, oldest first. */
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
    /** Removes a single fault. */
    remove: (faultId: number) => {
      faults = faults.filter((fault) => fault.faultId !== faultId);
    },
    /** Takes the faults for this request: at most one `late_listing` and one other. */
    take: (request: FaultedRequest): FaultSpec[] => {
      const fitting = faults.filter((fault) => fault.left > 0 && fits(fault.spec, request));
      const chosen = [isLateListing, (fault: Fault) => !isLateListing(fault)].flatMap(
        (kind) => fitting.find(kind) ?? [],
      );
      return chosen.map(useUp).filter((spec) => !isContradiction(spec));
    },
    /** Takes every matching contradiction once, oldest first. */
    takeContradictions: <C extends Contradiction>(isMatch: (spec: Contradiction) => spec is C): C[] => {
      const matches = (fault: Fault): boolean => fault.left > 0 && isContradiction(fault.spec) && isMatch(fault.spec);
      return faults.filter(matches).map((fault) => useUp(fault) as C);
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
  // A late listing would have no effect on a request that creates no authorization.
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
