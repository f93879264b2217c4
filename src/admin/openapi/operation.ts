import type { FastifySchema, RouteOptions } from 'fastify';
import { z } from 'zod';
import { describeScope } from '../access/powers';
import type { Components, JsonSchema } from './components';
import { responseHeaders, type CallTraits, requestHeaders } from './headers';

const JSON_TYPE = 'application/json';

/** A request or response body as a route declares it: one schema for JSON, or one for each media type. */
type Content = z.ZodType | { readonly description?: string; readonly content: Contents };
type Contents = Readonly<Record<string, { readonly schema: z.ZodType }>>;

/**
 * A route's schema with the types of its bodies. Parts that {@link describeOperation} does not convert are passed
 * through unchanged.
 */
interface Described extends FastifySchema {
  readonly body?: Content;
  readonly response?: Readonly<Record<string, Content>>;
}

/** Describes the operation of a route in the form that `@fastify/swagger` reads: JSON Schemas instead of zod schemas. */
export function describeOperation(route: RouteOptions, components: Components): FastifySchema {
  const { body, params, querystring, response = {}, ...rest } = (route.schema ?? {}) as Described;
  const call = traitsOf(route, response);
  return withoutUndefined({
    ...rest,
    description: rest.description ?? `${rest.summary}.`,
    ...accessOf(call),
    params: describe(params, components),
    querystring: describe(querystring, components),
    headers: requestHeaders(call),
    body: body === undefined ? undefined : { content: describeContents(contentsOf(body), components) },
    response: Object.fromEntries(
      Object.entries({ ...response, ...(call.hasETag ? { 304: NOT_MODIFIED } : {}) }).map(([status, answer]) => [
        status,
        { ...describeResponse(answer, components), headers: responseHeaders(status, call) },
      ]),
    ),
  });
}

/** Fastify passes null to the schema if no body was sent. */
export function isBodyOptional({ schema }: RouteOptions): boolean {
  const body = (schema as Described | undefined)?.body;
  return body instanceof z.ZodType && body.safeParse(null).success;
}

const NOT_MODIFIED = { description: 'Not modified: the version named in `If-None-Match` is current.', type: 'null' };

/** Every JSON response to an authenticated GET has an ETag. */
function traitsOf({ method, config }: RouteOptions, response: NonNullable<Described['response']>): CallTraits {
  const ok = response[200];
  const hasETag = method === 'GET' && config?.role !== undefined && ok !== undefined && JSON_TYPE in contentsOf(ok);
  return { ...config, method: String(method), hasETag };
}

function contentsOf(content: Content): Contents {
  return content instanceof z.ZodType ? { [JSON_TYPE]: { schema: content } } : content.content;
}

function describeResponse(answer: Content | typeof NOT_MODIFIED, components: Components): JsonSchema {
  if (!('content' in answer) && !(answer instanceof z.ZodType)) return answer;
  const contents = contentsOf(answer);
  const description = answer.description ?? Object.values(contents)[0]?.schema.description;
  return { description, content: describeContents(contents, components) };
}

function describeContents(contents: Contents, components: Components): JsonSchema {
  return Object.fromEntries(
    Object.entries(contents).map(([type, { schema }]) => [type, { schema: components.describe(schema) }]),
  );
}

function describe(schema: unknown, components: Components): JsonSchema | undefined {
  return schema instanceof z.ZodType ? components.describe(schema) : undefined;
}

/** Machine-readable access rules: role and scopes of the key, and whether a second person may have to approve. */
function accessOf({ role, scope, approvable = false }: CallTraits): JsonSchema {
  if (role === undefined || scope === undefined) return {};
  return { 'x-role': role, 'x-scopes': describeScope(scope), ...(approvable ? { 'x-approvable': true } : {}) };
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
