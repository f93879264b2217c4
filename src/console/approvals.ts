import type { Middleware } from 'openapi-fetch';
import { lastUser } from './session';
import type { Approval } from './views/common/schemas';

/** A request that a second person has to approve, exactly as it was sent: the approval permits only that request. */
export interface WaitingRequest {
  readonly approvalId: string;
  readonly url: string;
  readonly body: string;
  /** The request's Idempotency-Key, kept until a refusal: if a response is lost, the request can be sent again and is executed once. */
  key: string;
}

/** Requests of this page that await approval, by URL and body: when repeated, each is sent with its approval. */
const waiting = new Map<string, WaitingRequest>();

// Waiting requests outlive their view and session, since approval can take hours, but not a change of user.
lastUser.subscribe(() => waiting.clear());

/** The request that waits for the approval, if this page sent it. */
export function waitingRequest(approvalId: string): WaitingRequest | undefined {
  return [...waiting.values()].find((request) => request.approvalId === approvalId);
}

/** Problem codes that end an approval: sending the request again requires a new one. */
const ENDED: ReadonlySet<unknown> = new Set([
  'approval_rejected',
  'approval_expired',
  'approval_used',
  'approval_mismatch',
]);

function identityOf(url: string, body: string): string {
  return `${url} ${body}`;
}

/** The body of each request in flight: it can no longer be read from the request once sent. */
const bodies = new WeakMap<Request, string>();

/** Adds the approval to a request that needed one when the user sends it again. */
export const withApprovals = {
  async onRequest({ request }) {
    // Only POST requests can need approval.
    if (request.method !== 'POST') return;
    const body = await request.clone().text();
    bodies.set(request, body);
    const known = waiting.get(identityOf(request.url, body));
    if (known !== undefined) request.headers.set('dueday-approval', known.approvalId);
  },
  async onResponse({ request, response }) {
    const body = bodies.get(request);
    if (body === undefined) return;
    const { url } = request;
    const identity = identityOf(url, body);
    if (response.ok) waiting.delete(identity);
    if (response.status !== 409) return;
    const problem = await problemOf(response);
    // A proxy's answer: the API may have received the request.
    if (problem === null) return;
    const { code, approvalId } = problem;
    const known = waiting.get(identity);
    if (code === 'approval_required' && typeof approvalId === 'string' && known?.approvalId !== approvalId)
      waiting.set(identity, { approvalId, url, body, key: crypto.randomUUID() });
    else if (ENDED.has(code)) waiting.delete(identity);
    // Certainly nothing was done: sending it again is a new request, with a key of its own.
    else if (known !== undefined && code !== 'idempotency_in_progress') known.key = crypto.randomUUID();
  },
} satisfies Middleware;

/** The problem in a response; null for any other body, such as a proxy's. */
async function problemOf(response: Response): Promise<{ code?: unknown; approvalId?: unknown } | null> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' ? body : null;
}

/** What the offered actions depend on. */
type State = Pick<Approval, 'state' | 'requestedBy'>;

/** Actions that the console offers for an approval. The API decides. */
export interface Offered {
  /** False for the key of the request. The API also refuses other keys of the same holder. */
  readonly isApprovable: boolean;
  readonly isRejectable: boolean;
  /** The approved request that the requester can send now; null if there is none. */
  readonly toSend: WaitingRequest | null;
}

/** @param name of the signed-in key @param waitingHere the request, if this page sent it */
export function offeredOf(
  { state, requestedBy }: State,
  name: string | undefined,
  waitingHere: WaitingRequest | undefined,
): Offered {
  const isOwn = requestedBy === name;
  return {
    isApprovable: state === 'pending' && !isOwn,
    isRejectable: state === 'pending' || state === 'approved',
    toSend: state === 'approved' && isOwn ? (waitingHere ?? null) : null,
  };
}
