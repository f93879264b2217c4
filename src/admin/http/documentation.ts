import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { describeWebhooks } from '../events/schema';
import { withExamples } from '../examples';
import { describeScope } from '../keys/powers';
import { COOKIE } from '../session/cookie';

const DESCRIPTION = [
  'Creates and steers subscriptions and one-time payments, and shows what happened with money.',
  'Money is in minor units: 1999 is 19.99 EUR. Times leave as YYYY-MM-DDThh:mm:ss.sssZ; any ISO 8601 offset is taken.',
  'Every POST takes an Idempotency-Key: the same key with the same body gives the first answer again, for 24 hours.',
  'A call with `x-approvable` may answer 409 `approval_required`: another person approves `approvalId`, then the same request goes again with the header Dueday-Approval.',
  'Faults are RFC 9457 problem details with a stable `code`.',
].join('\n\n');

/** OpenAPI 3.1 out of the very schemas that validate requests. Register before the routes. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'dueday admin API', version, description: DESCRIPTION },
      servers: [{ url: '/' }],
      tags: [
        { name: 'subscriptions', description: 'Standing agreements and their cycles' },
        { name: 'payments', description: 'One-time payments: Single Immediate and Event Dependent' },
        { name: 'trail', description: 'What was decided, by whom and why' },
        { name: 'events', description: "What the merchant's systems are told" },
        { name: 'reports', description: 'What became of money, and whether the service says so too' },
        { name: 'jobs', description: 'Long work that was ordered' },
        { name: 'keys', description: 'Who may call' },
        { name: 'approvals', description: 'What a second person must approve' },
        { name: 'session', description: 'How people sign in to the console' },
        { name: 'service', description: 'Whether all is well' },
      ],
      // Calls that need no key say so themselves.
      security: [{ key: [] }, { session: [] }],
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: COOKIE },
        },
      },
    },
    transform: (route) => {
      const described = jsonSchemaTransform(route);
      return { ...described, schema: { ...described.schema, ...needsOf(route.route.config) } };
    },
    // Asked for once, with the description itself: a start need not wait for it.
    transformObject: (document) =>
      withExamples({
        ...withCsvBodies(withOptionalBodies(schemasByName(jsonSchemaTransformObject(document)))),
        webhooks: describeWebhooks(),
      }),
  });
}

/** In an order of their own: they come in that in which their modules happened to be loaded. */
function schemasByName<Document extends object>(document: Document): Document {
  if (!('components' in document)) return document;
  const components = document.components as { readonly schemas?: Readonly<Record<string, unknown>> };
  const schemas = Object.entries(components.schemas ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

interface Bodied {
  readonly requestBody?: {
    required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema?: { readonly anyOf?: readonly { type?: string }[] } }>>;
  };
}

/** A body that may be null may be left out altogether; every body is described as one that must be there. */
function withOptionalBodies<Document extends object>(document: Document): Document {
  const { paths = {} } = document as { readonly paths?: Readonly<Record<string, Readonly<Record<string, Bodied>>>> };
  for (const { requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const schema = requestBody?.content['application/json']?.schema;
    if (requestBody !== undefined && schema?.anyOf?.some(({ type }) => type === 'null') === true)
      requestBody.required = false;
  }
  return document;
}

const CSV_BODY = {
  type: 'string',
  description:
    'RFC 4180 with a header row: the same fields, with dots for nested ones, such as billingAddress.city; an empty cell is a field left out',
};

/** A body that may come as CSV, too, is described by the schema of its fields alone. */
function withCsvBodies<Document extends object>(document: Document): Document {
  const { paths = {} } = document as { readonly paths?: Readonly<Record<string, Readonly<Record<string, Bodied>>>> };
  for (const { requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const content: Record<string, unknown> = requestBody?.content ?? {};
    if (content['text/csv'] !== undefined) content['text/csv'] = { schema: CSV_BODY };
  }
  return document;
}

/** Which key a call needs, and whether a second person may have to approve it, for programs. A route without a role needs none. */
function needsOf({ role, scope, approvable = false }: FastifyContextConfig = {}): Readonly<Record<string, unknown>> {
  if (role === undefined || scope === undefined) return {};
  return { 'x-role': role, 'x-scopes': describeScope(scope), ...(approvable ? { 'x-approvable': true } : {}) };
}

/** Gives each route of `part` what the description needs where it is not open: any key. Register before authentication. */
export function needAnyKey(part: FastifyInstance): void {
  part.addHook('onRoute', (route) => {
    route.config = { ...route.config, role: 'viewer', scope: 'any' };
  });
}

/** `GET /openapi.json`, and the same for people at `GET /docs`. */
export async function publishDescription(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  await app.register(async (part) => {
    // What serves the page's files has a word of its own on keeping them.
    part.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    await part.register(swaggerUi, { routePrefix: '/docs', staticCSP: false });
  });
}
