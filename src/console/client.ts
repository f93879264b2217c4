import { signal } from '@preact/signals';
import createFetchClient, {
  type ClientPathsWithMethod,
  type MethodResponse,
  type Middleware,
  type ParamsOption,
  type RequestBodyOption,
} from 'openapi-fetch';
import type { components, paths } from '../client/api';
import { type WaitingRequest, withApprovals } from './approvals';
import { enter, isAttended, leave, session } from './session';

type Recommended = components['schemas']['RecommendedCall'];

export type Problem = components['schemas']['Problem'];

/** An error response, with the API's own text. `status` is 0 if there was no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    /** For a 400: which field, and what was expected. */
    readonly faults: readonly { readonly path: string; readonly message: string }[] = [],
    /** Other members of the problem, such as `rule` and `highestAllowed`. */
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
  }
}

const ASKED_AGAIN_AFTER = 5_000;

/**
 * Ms until a query that failed is fetched again. Without a response, or after a server error, it may succeed although
 * nothing in the ledger has changed. False for any other error, and for none.
 */
export function askAgainAfter(error: unknown): number | false {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500) ? ASKED_AGAIN_AFTER : false;
}

/** Epoch ms since when the API has not been reachable; null while it is. */
export const unreachableSince = signal<number | null>(null);

export const asSignedIn = {
  onRequest({ request }) {
    // Also for POST: a dry run may be a query, which the page refetches by itself.
    if (!isAttended()) request.headers.set('x-unattended', 'true');
    if (request.method === 'POST' && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID());
    return request;
  },
  onResponse({ response }) {
    unreachableSince.value = null;
    if (response.status === 401) leave('Your session has ended. Sign in again to continue.');
  },
  onError({ error }) {
    if (isUnanswered(error)) unreachableSince.value ??= Date.now();
  },
} satisfies Middleware;

/** `fetch` throws a TypeError if there was no response; anything else is an abort or a bug of ours. */
function isUnanswered(fault: unknown): boolean {
  return fault instanceof TypeError;
}

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Sends a request; a write carries the CSRF token of this page's session. If another window has signed in since, the cookie belongs
 * to another session and the token is refused. Nothing was done then, so the write is sent once more, unless the user has changed.
 */
export async function send(request: Request): Promise<Response> {
  if (SAFE.has(request.method)) return fetch(request);
  const before = session.peek();
  request.headers.set('x-csrf-token', before?.csrfToken ?? '');
  const again = request.clone();
  const answer = await fetch(request);
  if (answer.status !== 403 || (await codeOf(answer)) !== 'csrf_failed') return answer;
  await resumeSession();
  const entered = session.peek();
  if (entered === null || entered.name !== before?.name) return answer;
  again.headers.set('x-csrf-token', entered.csrfToken);
  return fetch(again);
}

/** The code of a problem response; null for any other body, such as a proxy's. */
async function codeOf(answer: Response): Promise<unknown> {
  const problem: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return typeof problem === 'object' && problem !== null && 'code' in problem ? problem.code : null;
}

/** The admin API, authenticated by the session cookie. A POST gets a new Idempotency-Key unless the caller sets one. */
export const api = createFetchClient<paths, 'application/json'>({
  baseUrl: '',
  credentials: 'same-origin',
  fetch: send,
});
api.use(asSignedIn, withApprovals);

interface Exchange<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** @throws ApiError unless the response is 2xx. */
export async function ask<T>(call: Promise<Exchange<T>>): Promise<T> {
  const { data, error, response } = await call.catch((fault: unknown) => {
    if (!isUnanswered(fault)) throw fault;
    throw new ApiError(0, 'unreachable', 'The API cannot be reached.');
  });
  if (response.ok) return data as T;
  throw errorOf(response.status, error);
}

/** Untyped: `get` and `post` below add the types of the path. */
const request = api.request as <T>(method: 'get' | 'post' | 'patch', url: string, init: object) => Promise<Exchange<T>>;

export type GetPath = ClientPathsWithMethod<typeof api, 'get'>;
export type ParamsOf<Path extends GetPath> = ParamsOption<paths[Path]['get']>['params'];
export type AnswerOf<Path extends GetPath> = MethodResponse<typeof api, 'get', Path>;

/** @throws ApiError */
export function get<Path extends GetPath>(url: Path, params: ParamsOf<Path>, signal?: AbortSignal) {
  return ask<AnswerOf<Path>>(request('get', url, { params, signal }));
}

type PostPath = ClientPathsWithMethod<typeof api, 'post'>;

/** @param key the Idempotency-Key; a new one by default. @throws ApiError */
export function post<Path extends PostPath>(
  url: Path,
  path: paths[Path]['post']['parameters']['path'],
  body: RequestBodyOption<paths[Path]['post']>['body'],
  key?: string,
) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return ask<MethodResponse<typeof api, 'post', Path>>(request('post', url, { params: { path }, body, headers }));
}

/** The result of a call whose operation is known only at run time. */
export type Answer = Readonly<Record<string, unknown>>;

/** Sends an approved request, exactly as it was first sent. @throws ApiError */
export function sendApproved({ approvalId, url, body, key }: WaitingRequest) {
  const headers = { 'idempotency-key': key, 'dueday-approval': approvalId };
  return ask<Answer>(request('post', url, { body, bodySerializer: String, headers }));
}

/** Makes a call that the API recommends, unchanged. @param key the Idempotency-Key @throws ApiError */
export function makeRecommended({ method, path, body }: Recommended, key: string) {
  const headers = { 'idempotency-key': key };
  return ask<Answer>(request(method === 'POST' ? 'post' : 'patch', path, { body, headers }));
}

function errorOf(status: number, body: unknown): ApiError {
  if (typeof body !== 'object' || body === null || !('detail' in body))
    return new ApiError(status, 'unreadable', `The API answered ${status} without an explanation.`);
  const { detail, code, errors, ...more } = body as Problem;
  return new ApiError(status, code, detail, errors, more);
}

/** Resumes the session of the browser's cookie, if there is one. @throws ApiError for any error except a 401 */
export async function resumeSession(): Promise<void> {
  try {
    enter(await ask(api.GET('/v1/session')));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
}

/** Exchanges the key for a session; the key is not stored. @throws ApiError if the key or the cookie is refused */
export async function signIn(key: string): Promise<void> {
  const authorization = `Bearer ${key}`;
  await ask(api.POST('/v1/session', { headers: { authorization } }));
  await resumeSession();
  if (session.peek() === null) throw new ApiError(401, 'no_cookie', NO_COOKIE);
}

/** The cookie requires https, except on localhost. */
const NO_COOKIE =
  'This browser did not store the session cookie. Open the console over https, or on the machine that runs the API.';

export async function signOut(): Promise<void> {
  await ask(api.DELETE('/v1/session'));
  leave(null);
}
