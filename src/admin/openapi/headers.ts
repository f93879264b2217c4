import type { FastifyContextConfig } from 'fastify';
import type { JsonSchema } from './components';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request is rejected without an Idempotency-Key. */
    needsIdempotencyKey?: boolean;
    /** Responses with 201 and 202 have a `Location` header that names what was created or started. */
    hasLocation?: boolean;
    /** The stream can be resumed with `Last-Event-ID`. */
    isContinuable?: boolean;
  }
}

/** What determines the request and response headers of an operation. */
export interface CallTraits extends FastifyContextConfig {
  readonly method: string;
  /** The response has an `ETag`; a request whose `If-None-Match` names it is answered with 304. */
  readonly hasETag: boolean;
}

const text = (description: string, form: JsonSchema = {}): JsonSchema => ({ type: 'string', ...form, description });

const IDEMPOTENCY_KEY = text(
  'Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice.',
  { minLength: 1, maxLength: 255, pattern: '^[\\u0021-\\u007e]+$' },
);
const APPROVAL = text(
  'The `approvalId` under which a second person has approved this request, after a 409 `approval_required`.',
  { minLength: 36, maxLength: 36 },
);
const CSRF_TOKEN = text(
  'The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key.',
);
const LAST_EVENT_ID = text('The id of the last event received. The stream resumes after it.');
const IF_NONE_MATCH = text(
  'The `ETag` of an earlier response. If it is still current, the response is 304 without a body.',
);

/** Whether responses are stored under the Idempotency-Key. */
function isRepeatable({ method, skipIdempotency, streamed }: CallTraits): boolean {
  return method === 'POST' && skipIdempotency !== true && streamed !== true;
}

/** The request headers other than credentials, as one JSON Schema; undefined if there are none. */
export function requestHeaders(call: CallTraits): JsonSchema | undefined {
  const needsKey = call.role !== undefined;
  const headers = {
    ...(needsKey && isRepeatable(call) ? { 'Idempotency-Key': IDEMPOTENCY_KEY } : {}),
    ...(call.approvable === true ? { 'Dueday-Approval': APPROVAL } : {}),
    ...(needsKey && call.method !== 'GET' && call.skipIdempotency !== true ? { 'X-CSRF-Token': CSRF_TOKEN } : {}),
    ...(call.isContinuable === true ? { 'Last-Event-ID': LAST_EVENT_ID } : {}),
    ...(call.hasETag ? { 'If-None-Match': IF_NONE_MATCH } : {}),
  };
  if (Object.keys(headers).length === 0) return undefined;
  return {
    type: 'object',
    properties: headers,
    required: call.needsIdempotencyKey === true ? ['Idempotency-Key'] : [],
  };
}

const REQUEST_ID = text('The id of the request, as it appears in the log of dueday.');
const LOCATION = text('The path of the resource that was created or started.');
const REPLAY = text('Present if the response is that of an earlier request with the same Idempotency-Key.', {
  enum: ['true'],
});
const ETAG = text('Identifies this version of the response; for use in `If-None-Match`.');
const RETRY_AFTER: JsonSchema = {
  type: 'integer',
  minimum: 0,
  maximum: 86_400,
  description: 'Seconds to wait before repeating the request; absent if waiting does not help.',
};

/** The response headers for a status, or a class of statuses such as `4xx`. */
export function responseHeaders(status: string, call: CallTraits): Readonly<Record<string, JsonSchema>> {
  const succeeds = status.startsWith('2');
  return {
    'X-Request-Id': REQUEST_ID,
    ...(call.hasLocation === true && /^20[12]$/.test(status) ? { Location: LOCATION } : {}),
    ...(succeeds && call.role !== undefined && isRepeatable(call) ? { 'Idempotent-Replay': REPLAY } : {}),
    ...(call.hasETag && /^(200|304)$/.test(status) ? { ETag: ETAG } : {}),
    ...(/^[45]/.test(status) ? { 'Retry-After': RETRY_AFTER } : {}),
  };
}
