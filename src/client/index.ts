import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api';

export type { components, operations, paths } from './api';
export { type Field, type Operation, type OperationId, OPERATIONS } from './operations';

/** The body of the answer to a call that was refused, or has failed (RFC 9457). */
export type ProblemDetails = components['schemas']['Problem'];

export interface ClientOptions {
  /** The address of the admin API without `/v1`, such as `https://billing.internal`. */
  readonly url: string;
  readonly key: string;
}

/** Typed calls of the admin API: `await client.GET('/v1/subscriptions/{id}', { params: { path: { id } } })`. */
export type DuedayClient = Client<paths>;

export function createDuedayClient({ url, key }: ClientOptions): DuedayClient {
  return createFetchClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${key}` } });
}
