import { signal } from '@preact/signals';
import createFetchClient, {
  type ClientPathsWithMethod,
  type MethodResponse,
  type Middleware,
  type ParamsOption,
  type RequestBodyOption,
} from 'openapi-fetch';
import type { components, paths } from '../client/api';
import { type Kept, withApprovals } from './approvals';
import { enter, isAttended, leave, session } from './session';

type Recommended = components['schemas']['RecommendedCall'];

export type Problem = components['schemas']['Problem'];

/** A refusal or a fault, in the API's own words. `status` is 0 where no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    /** Of a 400: which field, and what was expected. */
    readonly faults: readonly { readonly path: string; readonly message: string }[] = [],
    /** Further members of the problem, such as `rule` and `highestAllowed`. */
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
  }
}

/** Epoch ms since when the API has not been reachable; null while it is. */
export const unreachableSince = signal<number | null>(null);

export const asSignedIn = {
  onRequest({ request }) {
    // A POST, too: the dry run of what is typed is asked for again by itself.
    if (!isAttended()) request.headers.set('x-unattended', 'true');
    if (request.method === 'POST' && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID());
    return request;
  },
  onResponse({ response }) {
    unreachableSince.value = null;
    if (response.status === 401) leave('The session has ended. Sign in to go on.');
  },
  onError({ error }) {
    if (isUnanswered(error)) unreachableSince.value ??= Date.now();
  },
} satisfies Middleware;

/** `fetch` throws a TypeError where no answer came; anything else was taken back, or is a mistake of ours. */
function isUnanswered(fault: unknown): boolean {
  return fault instanceof TypeError;
}

const SAFE = new Set(['GET', 'HEAD']);

/**
 * A write goes out with the token of this page's session. Where another window has signed in since, the cookie is of
 * another session and the token is refused: nothing was done, and it goes out once more, though in no other person's name.
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

/** Of a problem; what stands between the page and the API refuses in words of its own. */
async function codeOf(answer: Response): Promise<unknown> {
  const problem: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return typeof problem === 'object' && problem !== null && 'code' in problem ? problem.code : null;
}

/** The admin API, by the session's cookie. Every POST gets an Idempotency-Key of its own where the caller sets none. */
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

/** @throws ApiError for everything but an answer of 2xx. */
export async function ask<T>(call: Promise<Exchange<T>>): Promise<T> {
  const { data, error, response } = await call.catch((fault: unknown) => {
    if (!isUnanswered(fault)) throw fault;
    throw new ApiError(0, 'unreachable', 'The API cannot be reached.');
  });
  if (response.ok) return data as T;
  throw errorOf(response.status, error);
}

/** The calls below hold what goes out and what comes back against the types of their path. */
const request = api.request as <T>(method: 'get' | 'post' | 'patch', url: string, init: object) => Promise<Exchange<T>>;

export type GetPath = ClientPathsWithMethod<typeof api, 'get'>;
export type ParamsOf<Path extends GetPath> = ParamsOption<paths[Path]['get']>['params'];
export type AnswerOf<Path extends GetPath> = MethodResponse<typeof api, 'get', Path>;

/** @throws ApiError */
export function get<Path extends GetPath>(url: Path, params: ParamsOf<Path>, signal?: AbortSignal) {
  return ask<AnswerOf<Path>>(request('get', url, { params, signal }));
}

type PostPath = ClientPathsWithMethod<typeof api, 'post'>;

/** @param key an Idempotency-Key; left out, it gets one of its own. @throws ApiError */
export function post<Path extends PostPath>(
  url: Path,
  path: paths[Path]['post']['parameters']['path'],
  body: RequestBodyOption<paths[Path]['post']>['body'],
  key?: string,
) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return ask<MethodResponse<typeof api, 'post', Path>>(request('post', url, { params: { path }, body, headers }));
}

/** Of a call of any kind. */
export type Answer = Readonly<Record<string, unknown>>;

/** Makes a request that was approved, just as it went out. @throws ApiError */
export function makeApproved({ approvalId, url, body, key }: Kept) {
  const headers = { 'idempotency-key': key, 'dueday-approval': approvalId };
  return ask<Answer>(request('post', url, { body, bodySerializer: String, headers }));
}

/** Makes a call that the API recommends, as it is. @param key an Idempotency-Key @throws ApiError */
export function makeCall({ method, path, body }: Recommended, key: string) {
  const headers = { 'idempotency-key': key };
  return ask<Answer>(request(method === 'POST' ? 'post' : 'patch', path, { body, headers }));
}

function errorOf(status: number, body: unknown): ApiError {
  if (typeof body !== 'object' || body === null || !('detail' in body))
    return new ApiError(status, 'unreadable', `The API answered ${status} without saying why.`);
  const { detail, code, errors, ...more } = body as Problem;
  return new ApiError(status, code, detail, errors, more);
}

/** Goes on with the session of the browser's cookie, where there is one. @throws ApiError where the API cannot say */
export async function resumeSession(): Promise<void> {
  try {
    enter(await ask(api.GET('/v1/session')));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
}

/** The key is exchanged for a session and kept nowhere. @throws ApiError where it is not taken, or the cookie not kept */
export async function signIn(key: string): Promise<void> {
  const authorization = `Bearer ${key}`;
  await ask(api.POST('/v1/session', { headers: { authorization } }));
  await resumeSession();
  if (session.peek() === null) throw new ApiError(401, 'no_cookie', NO_COOKIE);
}

/** It is for https alone; browsers make an exception for the machine that they run on. */
const NO_COOKIE = 'This browser did not keep the session. Open the console over https, or on the machine of the API.';

export async function signOut(): Promise<void> {
  await ask(api.DELETE('/v1/session'));
  leave(null);
}
