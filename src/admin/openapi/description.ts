import swagger, { type SwaggerTransformObject } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { withExamples } from '../examples';
import { COOKIE } from '../access/cookie';
import { Components } from './components';
import { describeOperation, isBodyOptional } from './operation';
import { TAGS } from './tags';
import { describeWebhooks } from './webhooks';

const DESCRIPTION = [
  'Creates and steers subscriptions and one-time payments, and shows what happened with money.',
  'Money is in minor units: 1999 is 19.99 EUR. Times leave as YYYY-MM-DDThh:mm:ss.sssZ; any ISO 8601 offset is taken.',
  'Every POST takes an Idempotency-Key: the same key with the same body gives the first answer again, for 24 hours.',
  'A call with `x-approvable` may answer 409 `approval_required`: another person approves `approvalId`, then the same request goes again with the header Dueday-Approval.',
  'Faults are RFC 9457 problem details with a stable `code`.',
].join('\n\n');

/** OpenAPI 3.1 out of the very schemas that validate requests and encode answers. Register before the routes. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  const components = new Components();
  const optionalBodies = new Set<string>();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'dueday admin API',
        version,
        description: DESCRIPTION,
        contact: { name: 'The operator of this installation' },
        license: { name: 'Proprietary', identifier: 'LicenseRef-dueday' },
      },
      servers: [{ url: '/' }],
      tags: [...TAGS],
      // Calls that need no key say so themselves.
      security: [{ key: [] }, { session: [] }],
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key.' },
          session: { type: 'apiKey', in: 'cookie', name: COOKIE, description: 'The session of a browser.' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      if (schema.hide === true) return { schema, url };
      const operationId = schema.operationId;
      if (operationId !== undefined && isBodyOptional(route)) optionalBodies.add(operationId);
      return { schema: describeOperation(route, components), url };
    },
    // Asked for once, with the description itself: a start need not wait for it.
    transformObject: (document) => {
      if (!('openapiObject' in document)) throw new Error('expected OpenAPI 3');
      const { openapiObject } = document;
      const webhooks = describeWebhooks(components);
      const named = { ...openapiObject.components, schemas: components.all() };
      const described = withOptionalBodies({ ...openapiObject, components: named, webhooks }, optionalBodies);
      return withExamples(described) as Document;
    },
  });
}

type Document = ReturnType<SwaggerTransformObject>;

interface Bodied {
  readonly operationId: string;
  readonly requestBody?: { required?: boolean };
}

/** `@fastify/swagger` describes every body as required, and no route can tell it otherwise. */
function withOptionalBodies<T extends object>(document: T, operationIds: ReadonlySet<string>): T {
  const { paths = {} } = document as { readonly paths?: Readonly<Record<string, Readonly<Record<string, Bodied>>>> };
  for (const { operationId, requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    if (requestBody !== undefined && operationIds.has(operationId)) requestBody.required = false;
  return document;
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
