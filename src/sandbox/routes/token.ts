import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireAddress } from '../merchants/access';
import { parse } from '../body';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import { readBasic } from '../merchants/tokens';

const grantSchema = z.object({ grant_type: z.literal('client_credentials') });

/** `POST /oauth/token`: OAuth 2.0 client credentials. */
export function tokenRoute(app: FastifyInstance, service: Service): void {
  const { settings, merchants, tokens } = service;
  app.post('/oauth/token', async (request, reply) => {
    const given = readBasic(request.headers.authorization);
    const merchant = given === null ? null : merchants.find(given);
    if (merchant === null) throw new Refusal('UNAUTHENTICATED', 'unknown client or wrong secret');
    if (merchant.environment === 'production') {
      throw new Refusal('FORBIDDEN', 'these credentials belong to another environment');
    }
    requireAddress(merchant, request);
    parse(grantSchema, request.body);
    return reply
      .header('cache-control', 'no-store')
      .send({ access_token: tokens.issue(merchant), token_type: 'Bearer', expires_in: settings.tokenTtlSeconds });
  });
}
