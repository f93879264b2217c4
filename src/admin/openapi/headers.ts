import type { FastifyContextConfig } from 'fastify';
import type { JsonSchema } from './components';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call is refused without an Idempotency-Key. */
    needsIdempotencyKey?: boolean;
    /** Its answers of 201 and 202 name in `Location` what they created or started. */
    hasLocation?: boolean;
    /** The stream can be continued after a `Last-Event-ID`. */
    isContinuable?: boolean;
  }
}

/** What decides which headers a call takes and answers with. */
export interface CallTraits extends FastifyContextConfig {
  readonly method: string;
  /** Its answer has an `ETag`, and an `If-None-Match` that names it is answered with 304. */
  readonly hasETag: boolean;
}

const text = (description: string, form: JsonSchema = {}): JsonSchema => ({ type: 'string', ...form, description });

const IDEMPOTENCY_KEY = text(
  'Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice.',
  { minLength: 1, maxLength: 255, pattern: '^[\\u0021-\\u007e]+$' },
);
const APPROVAL = text(
  'The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`.',
  { minLength: 36, maxLength: 36 },
);
const CSRF_TOKEN = text(
  'The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read.',
);
const LAST_EVENT_ID = text('The id of the last event that was received. The stream continues after it.');
const IF_NONE_MATCH = text('An `ETag` that the caller has. If it is still current, the answer is 304 without a body.');

/** Whether answers of the call are kept for its Idempotency-Key. */
function isRepeatable({ method, unrepeated, streamed }: CallTraits): boolean {
  return method === 'POST' && unrepeated !== true && streamed !== true;
}

/** The headers that a call takes besides its credentials, as a JSON Schema of them all; undefined if there are none. */
export function requestHeaders(call: CallTraits): JsonSchema | undefined {
  const needsKey = call.role !== undefined;
  const headers = {
    ...(needsKey && isRepeatable(call) ? { 'Idempotency-Key': IDEMPOTENCY_KEY } : {}),
    ...(call.approvable === true ? { 'Dueday-Approval': APPROVAL } : {}),
    ...(needsKey && call.method !== 'GET' && call.unrepeated !== true ? { 'X-CSRF-Token': CSRF_TOKEN } : {}),
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

const REQUEST_ID = text('The id of the request, by which the log of the service names it.');
const LOCATION = text('The path of what was created or started.');
const REPLAY = text('Present on the answer to a repeated request that was carried out before.', { enum: ['true'] });
const ETAG = text('Changes with the answer; for `If-None-Match`.');
const RETRY_AFTER: JsonSchema = {
  type: 'integer',
  minimum: 0,
  maximum: 86_400,
  description: 'Seconds after which the request may be repeated; absent if waiting does not help.',
};

/** The headers of the answers of a call that have this status, or class of statuses such as `4xx`. */
export function answerHeaders(status: string, call: CallTraits): Readonly<Record<string, JsonSchema>> {
  const succeeds = status.startsWith('2');
  return {
    'X-Request-Id': REQUEST_ID,
    ...(call.hasLocation === true && /^20[12]$/.test(status) ? { Location: LOCATION } : {}),
    ...(succeeds && call.role !== undefined && isRepeatable(call) ? { 'Idempotent-Replay': REPLAY } : {}),
    ...(call.hasETag && /^(200|304)$/.test(status) ? { ETag: ETAG } : {}),
    ...(/^[45]/.test(status) ? { 'Retry-After': RETRY_AFTER } : {}),
  };
}
