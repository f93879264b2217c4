import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import type { Merchant } from './merchant';
import { isSameText } from './tokens';

/** "Restricting access": this call comes from where its merchant may call from. @throws Refusal FORBIDDEN */
export function requireAddress(merchant: Merchant, request: FastifyRequest): void {
  if (!merchant.isAllowed(request.ip)) throw new Refusal('FORBIDDEN', 'this address is not on the allow list');
}

/**
 * The bearer token, and the API key where one is configured.
 * @returns whose call it is
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
