import { pathOf } from './caller';

/**
 * The reference writes three calls in two ways each and does not say which way is right. For a service that accepts only one of
 * the two, that way can be configured here; each default names the payment where similar calls do.
 */
export interface Spellings {
  /** `path`: GET /{paymentId}/consents; `query`: GET /consents?paymentId= */
  readonly consent: 'path' | 'query';
  /** `path`: POST /{paymentId}/authorizations; `body`: POST /authorizations with paymentId in its body */
  readonly initiate: 'path' | 'body';
  /** `query`: DELETE /authorizations/{authorizationId}?paymentId=; `path`: DELETE /payments/{paymentId}/authorizations/… */
  readonly release: 'query' | 'path';
}

export const DEFAULT_SPELLINGS: Spellings = { consent: 'path', initiate: 'path', release: 'query' };

export function consentPath({ consent }: Spellings, paymentId: string): string {
  return consent === 'path' ? pathOf([paymentId, 'consents']) : pathOf(['consents'], { paymentId });
}

/** The path for requesting a debit, and the body's fields besides the amount. */
export function initiation(
  { initiate }: Spellings,
  paymentId: string,
): { readonly path: string; readonly named: { readonly paymentId?: string } } {
  return initiate === 'path'
    ? { path: pathOf([paymentId, 'authorizations']), named: {} }
    : { path: pathOf(['authorizations']), named: { paymentId } };
}

export function releasePath({ release }: Spellings, paymentId: string, authorizationId: string): string {
  return release === 'query'
    ? pathOf(['authorizations', authorizationId], { paymentId })
    : pathOf(['payments', paymentId, 'authorizations', authorizationId]);
}
