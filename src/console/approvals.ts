import type { Middleware } from 'openapi-fetch';

/** Approvals that requests of this page wait for, by the request: made again, it goes out with its approval. */
const waiting = new Map<string, string>();

/** Nothing more will come of them: the request asks for another one. */
const OVER: ReadonlySet<unknown> = new Set([
  ...['approval_rejected', 'approval_expired', 'approval_used', 'approval_mismatch'],
]);

async function markOf(request: Request): Promise<string> {
  return `${request.method} ${request.url} ${await request.clone().text()}`;
}

/** The mark of each request under way, which has no body any more once it is sent. */
const marks = new WeakMap<Request, string>();

/** Repeats a request that a second person has to approve with that person's approval, as soon as it is made again. */
export const withApprovals: Middleware = {
  async onRequest({ request }) {
    if (request.method !== 'POST') return;
    const mark = await markOf(request);
    marks.set(request, mark);
    const approval = waiting.get(mark);
    if (approval !== undefined) request.headers.set('dueday-approval', approval);
  },
  async onResponse({ request, response }) {
    const mark = marks.get(request);
    if (mark === undefined) return;
    if (response.ok) waiting.delete(mark);
    if (response.status !== 409) return;
    const { code, approvalId } = (await response.clone().json()) as { code?: unknown; approvalId?: unknown };
    if (code === 'approval_required' && typeof approvalId === 'string') waiting.set(mark, approvalId);
    else if (OVER.has(code)) waiting.delete(mark);
  },
};
