import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { policyOfPages } from './http/protection';

/** The build names assets by their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Paths of the API, the documentation and the assets: none of them is a page of the console. */
const NOT_PAGES = /^\/(v1|docs|assets|openapi\.json|metrics|healthz|readyz)(\/|$)/;

/**
 * Serves the console at `/` from its build folder. Any other address that a browser opens as a page gets the same page,
 * which does its own routing; for requests that do not accept HTML, an unknown address remains 404.
 */
export async function serveConsole(app: FastifyInstance, folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  await app.register(async (part) => {
    part.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', policyOfPages());
    });
    await part.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      wildcard: false,
      decorateReply: false,
      cacheControl: false,
      setHeaders: (response) => {
        response.setHeader('cache-control', IMMUTABLE);
      },
    });
    part.get('/*', { schema: { hide: true } }, async (request, reply) => {
      if (isPage(request)) return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
      reply.callNotFound();
      return reply;
    });
  });
}

function isPage({ url, headers }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] ?? url;
  if (path === '/') return true;
  return !NOT_PAGES.test(path) && headers.accept?.includes('text/html') === true;
}
