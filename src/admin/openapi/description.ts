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
  'Creates and manages subscriptions and one-time payments, and reports every transaction.',
  'Amounts are in minor units: 1999 is 19.99 EUR. Times are returned as YYYY-MM-DDThh:mm:ss.sssZ; requests may use any ISO 8601 offset.',
  'Every POST except sign-in and import accepts an Idempotency-Key: for 24 hours, repeating a request with the same key and the same body returns the first response again.',
  'An operation with `x-approvable` may return 409 `approval_required`. A second person then approves `approvalId`, and you repeat the same request with the header Dueday-Approval.',
  'Errors are RFC 9457 problem details with a stable `code`.',
].join('\n\n');

/** Generates OpenAPI 3.1 from the schemas that validate requests and encode responses. Register before the routes. */
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
      // Operations that need no key override this.
      security: [{ key: [] }, { session: [] }],
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key.' },
          session: { type: 'apiKey', in: 'cookie', name: COOKIE, description: 'A browser session.' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      if (schema.hide === true) return { schema, url };
      const operationId = schema.operationId;
      if (operationId !== undefined && isBodyOptional(route)) optionalBodies.add(operationId);
      return { schema: describeOperation(route, components), url };
    },
    // Runs when the description is first requested, so that it does not delay startup.
    transformObject: (document) => {
      if (!('openapiObject' in document)) throw new Error('expected OpenAPI 3');
      const { openapiObject } = document;
      const webhooks = describeWebhooks(components);
      const merged = { ...openapiObject.components, schemas: components.all() };
      const described = withOptionalBodies({ ...openapiObject, components: merged, webhooks }, optionalBodies);
      return withExamples(described) as Document;
    },
  });
}

type Document = ReturnType<SwaggerTransformObject>;

interface OperationWithBody {
  readonly operationId: string;
  readonly requestBody?: { required?: boolean };
}

/** `@fastify/swagger` describes every body as required, and routes cannot override that. */
function withOptionalBodies<T extends object>(document: T, operationIds: ReadonlySet<string>): T {
  const { paths = {} } = document as {
    readonly paths?: Readonly<Record<string, Readonly<Record<string, OperationWithBody>>>>;
  };
  for (const { operationId, requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    if (requestBody !== undefined && operationIds.has(operationId)) requestBody.required = false;
  return document;
}

/** Makes every route of `part` require an API key of any role. Register before authentication. */
export function requireAnyKey(part: FastifyInstance): void {
  part.addHook('onRoute', (route) => {
    route.config = { ...route.config, role: 'viewer', scope: 'any' };
  });
}

/** The theme of the documentation. It omits the bar that shows the library's own name. */
const THEME = {
  title: 'dueday admin API',
  css: [{ filename: 'dueday.css', content: '.swagger-ui .topbar { display: none; }' }],
};

/** `GET /openapi.json`, and a readable page of it at `GET /docs/api`. */
export async function publishDescription(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  await app.register(async (part) => {
    // The plugin would otherwise set its own `cache-control` for the page's files.
    part.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    await part.register(swaggerUi, { routePrefix: '/docs/api', staticCSP: false, theme: THEME });
  });
}
