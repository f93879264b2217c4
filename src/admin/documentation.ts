import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { policyOfPages } from './http/protection';

/** Served if the site of the documentation was not built. */
const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>dueday documentation</title>
<h1>dueday documentation</h1>
<p><a href="/docs/api/">The admin API</a>, as described by <a href="/openapi.json">/openapi.json</a>.</p>
<p>The other pages are in the folder <code>docs</code> of the program; <code>npm run docs</code> builds them as a site.</p></html>`;

const HTML = 'text/html; charset=utf-8';

/**
 * Serves the site of the documentation at `/docs/` from its build folder. Browsers must not cache the pages, as a new release may
 * have other ones.
 */
export async function serveDocumentation(app: FastifyInstance, folder: string | undefined): Promise<void> {
  if (folder === undefined) {
    for (const url of ['/docs', '/docs/'])
      app.get(url, { schema: { hide: true } }, (_request, reply) => reply.type(HTML).send(NOT_BUILT));
    return;
  }
  const policy = policyOf(await readFile(join(folder, 'index.html'), 'utf8'));
  await app.register(async (part) => {
    part.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', policy);
    });
    await part.register(fastifyStatic, {
      root: folder,
      prefix: '/docs/',
      extensions: ['html'],
      redirect: false,
      cacheControl: false,
      decorateReply: true,
    });
    part.get('/docs', { schema: { hide: true } }, (_request, reply): FastifyReply => reply.sendFile('index.html'));
  });
}

/** Permits no inline scripts except those of the build, which are the same on each page. */
function policyOf(page: string): string {
  const scripts = [...page.matchAll(/<script(?: id="[^"]*")?>([^<]*)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  return policyOfPages([
    `script-src ${["'self'", ...scripts].join(' ')}`,
    // Code samples are coloured by style attributes.
    "style-src 'self' 'unsafe-inline'",
  ]);
}
