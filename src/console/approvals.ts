import type { Middleware } from 'openapi-fetch';
import { person } from './session';
import type { Approval } from './views/common/schemas';

/** A request that a second person has to approve, as it went out: the approval permits no other one. */
export interface Kept {
  readonly approvalId: string;
  readonly url: string;
  readonly body: string;
  /** The Idempotency-Key by which it is made. It stays until a refusal: after a lost answer it is still done once. */
  key: string;
}

/** The requests of this page that wait, by what they are: made again, each goes out with its approval. */
const waiting = new Map<string, Kept>();

// They outlive their view and their session: whoever approves takes hours. Another person has not asked for them.
person.subscribe(() => waiting.clear());

/** The request that waits for the approval, where this page has made it. */
export function keptRequest(approvalId: string): Kept | undefined {
  return [...waiting.values()].find((kept) => kept.approvalId === approvalId);
}

/** Nothing more will come of them: the request asks for another one. */
const OVER: ReadonlySet<unknown> = new Set([
  ...['approval_rejected', 'approval_expired', 'approval_used', 'approval_mismatch'],
]);

function markOf(url: string, body: string): string {
  return `${url} ${body}`;
}

/** The body of each request under way, which has none any more once it is sent. */
const bodies = new WeakMap<Request, string>();

/** Repeats a request that a second person has to approve with that person's approval, as soon as it is made again. */
export const withApprovals = {
  async onRequest({ request }) {
    // What has to be approved is a POST, without exception.
    if (request.method !== 'POST') return;
    const body = await request.clone().text();
    bodies.set(request, body);
    const kept = waiting.get(markOf(request.url, body));
    if (kept !== undefined) request.headers.set('dueday-approval', kept.approvalId);
  },
  async onResponse({ request, response }) {
    const body = bodies.get(request);
    if (body === undefined) return;
    const { url } = request;
    const mark = markOf(url, body);
    if (response.ok) waiting.delete(mark);
    if (response.status !== 409) return;
    const { code, approvalId } = (await response.clone().json()) as { code?: unknown; approvalId?: unknown };
    const kept = waiting.get(mark);
    if (code === 'approval_required' && typeof approvalId === 'string' && kept?.approvalId !== approvalId)
      waiting.set(mark, { approvalId, url, body, key: crypto.randomUUID() });
    else if (OVER.has(code)) waiting.delete(mark);
    // Nothing was done for sure. By the same key the API would give this answer again, whatever has changed since.
    else if (kept !== undefined && code !== 'idempotency_in_progress') kept.key = crypto.randomUUID();
  },
} satisfies Middleware;

/** What decides what is offered. */
type State = Pick<Approval, 'state' | 'requestedBy'>;

/** What can be done with an approval in its state. The API has the last word. */
export interface Offered {
  /** Who asks never approves: the API refuses it. */
  readonly isApprovable: boolean;
  readonly isRejectable: boolean;
  /** The request that can be made now, by the one who asked; null where there is none. */
  readonly toMake: Kept | null;
}

/** @param name of the one who is signed in @param kept the request, where this page has made it */
export function offeredOf({ state, requestedBy }: State, name: string | undefined, kept: Kept | undefined): Offered {
  const isOwn = requestedBy === name;
  return {
    isApprovable: state === 'pending' && !isOwn,
    isRejectable: state === 'pending' || state === 'approved',
    toMake: state === 'approved' && isOwn ? (kept ?? null) : null,
  };
}
