import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parse } from '../body';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import { isSame, readBasic } from '../tokens';

const grantSchema = z.object({ grant_type: z.literal('client_credentials') });

/** `POST /oauth/token`: OAuth 2.0 client credentials. */
export function tokenRoute(app: FastifyInstance, service: Service): void {
  const { settings, tokens } = service;
  app.post('/oauth/token', async (request, reply) => {
    const given = readBasic(request.headers.authorization);
    if (given !== null && settings.production !== undefined && isSame(given, settings.production)) {
      throw new Refusal('FORBIDDEN', 'these credentials belong to another environment');
    }
    if (given === null || !isSame(given, settings))
      throw new Refusal('UNAUTHENTICATED', 'unknown client or wrong secret');
    parse(grantSchema, request.body);
    return reply
      .header('cache-control', 'no-store')
      .send({ access_token: tokens.issue(), token_type: 'Bearer', expires_in: settings.tokenTtlSeconds });
  });
}
