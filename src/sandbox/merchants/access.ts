import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parse } from '../body';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import type { Merchant } from './merchant';
import { isSameText, readBasic, TOKEN_LIFE } from './tokens';

const grantSchema = z.object({ grant_type: z.literal('client_credentials') });

/** `POST /oauth/token`: OAuth 2.0 client credentials. */
export function tokenRoute(app: FastifyInstance, { merchants, tokens }: Service): void {
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
      .send({ access_token: tokens.issue(merchant), token_type: 'Bearer', expires_in: TOKEN_LIFE });
  });
}

/** "Restricting access": checks the caller's address against the merchant's allow list. @throws Refusal FORBIDDEN */
function requireAddress(merchant: Merchant, request: FastifyRequest): void {
  if (!merchant.isAllowed(request.ip)) throw new Refusal('FORBIDDEN', 'this address is not on the allow list');
}

/**
 * Checks the bearer token, and the API key if one is configured.
 * @returns the calling merchant
 * @throws Refusal UNAUTHENTICATED, FORBIDDEN
 */
export function requireToken({ settings, tokens }: Service, request: FastifyRequest): Merchant {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const merchant = token === undefined ? null : tokens.merchantOf(token);
  if (merchant === null) throw new Refusal('UNAUTHENTICATED', 'the token is missing or has expired');
  requireAddress(merchant, request);
  const key = request.headers['x-api-key'];
  if (settings.apiKey !== undefined && !(typeof key === 'string' && isSameText(key, settings.apiKey))) {
    throw new Refusal('UNAUTHENTICATED', 'X-API-Key is missing or wrong');
  }
  return merchant;
}
