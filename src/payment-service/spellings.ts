import { pathOf } from './caller';

/**
 * The reference writes three calls in two ways, and says of none that it is the only one. A service that takes only
 * one of them is distinguished here; each default is the way that names the payment where its other calls do.
 */
export interface Spellings {
  /** `path`: GET /{paymentId}/consents; `query`: GET /consents?paymentId= */
  readonly consent: 'path' | 'query';
  /** `path`: POST /{paymentId}/authorizations; `body`: POST /authorizations with paymentId in its body */
  readonly initiate: 'path' | 'body';
  /** `query`: DELETE /authorizations/{authorizationId}?paymentId=; `path`: DELETE /payments/{paymentId}/authorizations/… */
  readonly release: 'query' | 'path';
}

export const USUAL_SPELLINGS: Spellings = { consent: 'path', initiate: 'path', release: 'query' };

export function consentPath({ consent }: Spellings, paymentId: string): string {
  return consent === 'path' ? pathOf([paymentId, 'consents']) : pathOf(['consents'], { paymentId });
}

/** Where a debit is ordered, and what the body says beside its amount. */
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
